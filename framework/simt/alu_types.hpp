#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

#include "framework/simt/instr.hpp"

/// The fundamental types of PTX as the lane-wise operations see them: name, C++ value, register element.
namespace warpcheck::simt::alu {

/// How a value of one PTX type stands in a register element.
///
/// `load` ignores whatever the element holds above the value. `store` extends a narrow integer to the whole
/// element (by sign if the type is signed): the text demands that of cvt and leaves it open elsewhere.
template <class ValueType, Lane kLane>
struct ScalarType {
  using Value = ValueType;
  using Element = std::conditional_t<sizeof(Value) == 8, std::uint64_t, std::uint32_t>;
  static constexpr Lane lane = kLane;
  static constexpr int bits = static_cast<int>(8 * sizeof(Value));

  static constexpr Value load(Element element) {
    if constexpr (std::floating_point<Value>)
      return std::bit_cast<Value>(element);
    else
      return static_cast<Value>(element);
  }

  static constexpr Element store(Value value) {
    if constexpr (std::floating_point<Value>)
      return std::bit_cast<Element>(value);
    else
      return static_cast<Element>(value);
  }
};

// clang-format off
struct U8  : ScalarType<std::uint8_t,  Lane::w16> { static constexpr std::string_view name = "u8"; };
struct U16 : ScalarType<std::uint16_t, Lane::w16> { static constexpr std::string_view name = "u16"; };
struct U32 : ScalarType<std::uint32_t, Lane::w32> { static constexpr std::string_view name = "u32"; };
struct U64 : ScalarType<std::uint64_t, Lane::w64> { static constexpr std::string_view name = "u64"; };
struct S8  : ScalarType<std::int8_t,   Lane::w16> { static constexpr std::string_view name = "s8"; };
struct S16 : ScalarType<std::int16_t,  Lane::w16> { static constexpr std::string_view name = "s16"; };
struct S32 : ScalarType<std::int32_t,  Lane::w32> { static constexpr std::string_view name = "s32"; };
struct S64 : ScalarType<std::int64_t,  Lane::w64> { static constexpr std::string_view name = "s64"; };
struct B8  : ScalarType<std::uint8_t,  Lane::w16> { static constexpr std::string_view name = "b8"; };
struct B16 : ScalarType<std::uint16_t, Lane::w16> { static constexpr std::string_view name = "b16"; };
struct B32 : ScalarType<std::uint32_t, Lane::w32> { static constexpr std::string_view name = "b32"; };
struct B64 : ScalarType<std::uint64_t, Lane::w64> { static constexpr std::string_view name = "b64"; };
struct F32 : ScalarType<float,         Lane::f32> { static constexpr std::string_view name = "f32"; };
struct F64 : ScalarType<double,        Lane::f64> { static constexpr std::string_view name = "f64"; };
// clang-format on

/// A list of types to be visited at compile time.
template <class... Types>
struct TypeList {};

/// Calls visit.template operator()<Type>() for every type of the list, in order.
template <class... Types, class Visitor>
void for_each_type(TypeList<Types...>, Visitor visit) {
  (visit.template operator()<Types>(), ...);
}

using UnsignedTypes = TypeList<U16, U32, U64>;
using SignedTypes = TypeList<S16, S32, S64>;
using IntegerTypes = TypeList<U16, U32, U64, S16, S32, S64>;
using ConvertibleIntegers = TypeList<U8, U16, U32, U64, S8, S16, S32, S64>;
using BitTypes = TypeList<B16, B32, B64>;
using FloatTypes = TypeList<F32, F64>;
using MovableTypes = TypeList<B16, B32, B64, U16, U32, U64, S16, S32, S64, F32, F64>;

/// The unsigned type in which arithmetic on T is done modulo 2^n without promotion to int.
template <class T>
using Modular = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 UInt128;

/// An integer type of twice the width.
template <class T>
using Twice = std::conditional_t<
    sizeof(T) == 8, std::conditional_t<std::is_signed_v<T>, Int128, UInt128>,
    std::conditional_t<sizeof(T) == 4, std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>,
                       std::conditional_t<std::is_signed_v<T>, std::int32_t, std::uint32_t>>>;

}  // namespace warpcheck::simt::alu
