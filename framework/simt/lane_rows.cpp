#include <stdexcept>
#include <utility>

#include "framework/simt/alu_table.hpp"

namespace warpcheck::simt {

namespace alu {

void RowTable::add(std::initializer_list<std::string_view> parts, LaneOp op,
                   std::initializer_list<Lane> operands, int destinations, int min_sm) {
  std::string& name = names_.emplace_back();
  for (std::string_view part : parts) {
    if (part.empty()) continue;
    if (!name.empty()) name += '.';
    name += part;
  }
  Row row{};
  if (operands.size() > std::size(row.operands))
    throw std::logic_error(name + " has " + std::to_string(operands.size()) +
                           " operands; a row holds at most " + std::to_string(std::size(row.operands)));
  row.variant = name;
  row.op = op;
  row.destinations = static_cast<std::uint8_t>(destinations);
  row.min_sm = static_cast<std::uint16_t>(min_sm);
  std::size_t count = 0;
  for (Lane lane : operands) row.operands[count++] = lane;
  rows_.push_back(row);
}

}  // namespace alu

std::span<const Row> lane_rows() {
  static const alu::RowTable& table = []() -> const alu::RowTable& {
    static alu::RowTable rows;
    alu::append_integer_rows(rows);
    alu::append_carry_rows(rows);
    alu::append_bit_field_rows(rows);
    alu::append_byte_rows(rows);
    alu::append_logic_rows(rows);
    alu::append_shift_rows(rows);
    alu::append_compare_rows(rows);
    alu::append_set_rows(rows);
    alu::append_select_rows(rows);
    alu::append_move_rows(rows);
    alu::append_float_arithmetic_rows(rows);
    alu::append_float_sign_rows(rows);
    alu::append_approximate_rows(rows);
    alu::append_integer_conversion_rows(rows);
    alu::append_float_to_integer_rows(rows);
    alu::append_integer_to_float_rows(rows);
    alu::append_float_conversion_rows(rows);
    return rows;
  }();
  return table.rows();
}

}  // namespace warpcheck::simt
