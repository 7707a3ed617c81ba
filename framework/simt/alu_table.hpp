#pragma once

#include <cstdint>
#include <deque>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/simt/instr.hpp"

/// How the families of instructions enter the table of lane-wise rows.
///
/// What a row's operands mean beyond instr.hpp:
/// - An operation with two predicate destinations (setp) accepts kNoOperand for either: the text may name one
///   destination, p, or two, p|q, or the sink _.
/// - An operation with four destinations (unpacking moves) has them in d, d2, a, b and its source in c; each
///   destination may be kNoOperand.
/// - A negated predicate source, !c, is the decoder's to resolve: operations read c as it is.
namespace warpcheck::simt::alu {

/// Rows under construction; owns their names. Not copyable: rows point into it.
class RowTable {
 public:
  RowTable() = default;
  RowTable(const RowTable&) = delete;
  RowTable& operator=(const RowTable&) = delete;

  /// One row, named by `parts` joined with dots (empty ones left out). `operands`: destinations, then
  /// sources, at most six.
  void add(std::initializer_list<std::string_view> parts, LaneOp op, std::initializer_list<Lane> operands,
           int destinations = 1, int min_sm = 0);

  std::span<const Row> rows() const { return rows_; }

 private:
  std::deque<std::string> names_;
  std::vector<Row> rows_;
};

void append_integer_rows(RowTable& table);    ///< add … rem, min, max, abs, neg, sad, mul24
void append_carry_rows(RowTable& table);      ///< add.cc, addc, sub.cc, subc, mad.cc, madc
void append_bit_field_rows(RowTable& table);  ///< popc, clz, brev, bfind, fns, bfe, bfi, bmsk, szext
void append_byte_rows(RowTable& table);       ///< prmt, dp4a, dp2a, vabsdiff4, two 16-bit halves at once
void append_logic_rows(RowTable& table);      ///< and, or, xor, not, cnot, lop3
void append_shift_rows(RowTable& table);      ///< shl, shr, shf
void append_compare_rows(RowTable& table);    ///< setp
void append_set_rows(RowTable& table);        ///< set
void append_select_rows(RowTable& table);     ///< selp, slct
void append_move_rows(RowTable& table);       ///< mov, packing and unpacking
void append_float_arithmetic_rows(RowTable& table);  ///< add, sub, mul, fma, mad, div, rcp, sqrt, cvt.f32.f64
void append_float_sign_rows(RowTable& table);        ///< abs, neg, copysign, testp, min, max
void append_approximate_rows(RowTable& table);       ///< .approx and .full
void append_integer_conversion_rows(RowTable& table);  ///< cvt between integers
void append_float_to_integer_rows(RowTable& table);    ///< cvt from floats to integers
void append_integer_to_float_rows(RowTable& table);    ///< cvt from integers to floats
void append_float_conversion_rows(RowTable& table);    ///< cvt between floats

}  // namespace warpcheck::simt::alu
