#include <limits>
#include <utility>

#include "framework/simt/alu_lanes.hpp"
#include "framework/simt/alu_table.hpp"

// PTX ISA 9.7.9.21: cvt between integers. The result is extended to its whole element, as the text demands.
namespace warpcheck::simt::alu {
namespace {

template <class To, class From>
struct Truncate {
  static constexpr To apply(From a) { return static_cast<To>(a); }
};

template <class To, class From>
struct Saturate {
  static constexpr To apply(From a) {
    constexpr To low = std::numeric_limits<To>::min();
    constexpr To high = std::numeric_limits<To>::max();
    if (std::cmp_less(a, low)) return low;
    if (std::cmp_greater(a, high)) return high;
    return static_cast<To>(a);
  }
};

/// Whether some value of From lies outside To: .sat is allowed only then.
template <class To, class From>
constexpr bool loses_values = std::cmp_less(std::numeric_limits<From>::min(),
                                            std::numeric_limits<To>::min()) ||
                              std::cmp_greater(std::numeric_limits<From>::max(),
                                               std::numeric_limits<To>::max());

}  // namespace

void append_integer_conversion_rows(RowTable& table) {
  for_each_type(ConvertibleIntegers{}, [&]<class D>() {
    for_each_type(ConvertibleIntegers{}, [&]<class A>() {
      using To = typename D::Value;
      using From = typename A::Value;
      table.add({"cvt", D::name, A::name}, lanewise<Truncate<To, From>, D, A>, {D::lane, A::lane});
      if constexpr (loses_values<To, From>)
        table.add({"cvt.sat", D::name, A::name}, lanewise<Saturate<To, From>, D, A>, {D::lane, A::lane});
    });
  });
}

}  // namespace warpcheck::simt::alu
