#include "generators/lengths.hpp"

#include <algorithm>
#include <array>

namespace warpcheck::generators {

std::uint64_t draw_length(Draw& draw, std::uint64_t shortest) {
  const std::uint64_t kind = draw.below(1024);
  std::uint64_t longest = 300;
  if (kind == 0) {
    longest = kLongest;
  } else if (kind <= 32) {
    longest = 5000;
  } else if (kind < 400) {
    longest = std::max<std::uint64_t>(shortest, 40);
  }
  return shortest + draw.below(longest - shortest + 1);
}

std::vector<std::uint64_t> boundary_lengths(const Geometry& geometry, std::uint64_t longest) {
  // Small and large, below and above a warp, a block and a common grid.
  constexpr std::array<std::uint64_t, 10> primes{3, 7, 13, 31, 61, 127, 257, 509, 1021, 4099};
  std::vector<std::uint64_t> lengths{0, 1, 2};
  const auto with_neighbours = [&lengths](std::uint64_t length) {
    for (const std::uint64_t n : {length - 1, length, length + 1}) lengths.push_back(n);
  };
  for (const std::uint64_t unit : {std::uint64_t{32}, std::uint64_t{geometry.block}, geometry.threads()}) {
    for (const std::uint64_t multiple : {1u, 2u, 3u}) with_neighbours(unit * multiple);
  }
  for (std::uint64_t power = 2; power <= longest; power *= 2) with_neighbours(power);
  lengths.insert(lengths.end(), primes.begin(), primes.end());

  std::sort(lengths.begin(), lengths.end());
  lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
  lengths.erase(std::upper_bound(lengths.begin(), lengths.end(), longest), lengths.end());
  return lengths;
}

}  // namespace warpcheck::generators
