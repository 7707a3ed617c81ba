#include "framework/ptx/special_registers.hpp"

#include <algorithm>
#include <array>

namespace warpcheck::ptx {
namespace {

using std::string_view_literals::operator""sv;

constexpr std::array vectors = {"%tid"sv,       "%ntid"sv,       "%ctaid"sv,         "%nctaid"sv,
                                "%clusterid"sv, "%nclusterid"sv, "%cluster_ctaid"sv, "%cluster_nctaid"sv};

constexpr std::array scalars = {"WARP_SZ"sv,
                                "%laneid"sv,
                                "%warpid"sv,
                                "%nwarpid"sv,
                                "%smid"sv,
                                "%nsmid"sv,
                                "%gridid"sv,
                                "%is_explicit_cluster"sv,
                                "%cluster_ctarank"sv,
                                "%cluster_nctarank"sv,
                                "%lanemask_eq"sv,
                                "%lanemask_le"sv,
                                "%lanemask_lt"sv,
                                "%lanemask_ge"sv,
                                "%lanemask_gt"sv,
                                "%clock"sv,
                                "%clock_hi"sv,
                                "%clock64"sv,
                                "%globaltimer"sv,
                                "%globaltimer_lo"sv,
                                "%globaltimer_hi"sv,
                                "%reserved_smem_offset_begin"sv,
                                "%reserved_smem_offset_end"sv,
                                "%reserved_smem_offset_cap"sv,
                                "%reserved_smem_offset_0"sv,
                                "%reserved_smem_offset_1"sv,
                                "%total_smem_size"sv,
                                "%aggr_smem_size"sv,
                                "%dynamic_smem_size"sv,
                                "%current_graph_exec"sv};

/// Whether `digits` is a number below `limit` as PTX writes it, without leading zeros.
bool is_index(std::string_view digits, int limit) {
  if (digits.empty() || digits.size() > 2 || (digits.size() > 1 && digits[0] == '0')) return false;
  int value = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') return false;
    value = value * 10 + (c - '0');
  }
  return value < limit;
}

}  // namespace

bool is_special_vector(std::string_view name) {
  return std::ranges::find(vectors, name) != vectors.end();
}

bool is_special_register(std::string_view name) {
  if (is_special_vector(name) || std::ranges::find(scalars, name) != scalars.end()) return true;
  if (name.starts_with("%envreg")) return is_index(name.substr(7), 32);
  if (!name.starts_with("%pm")) return false;
  if (name.ends_with("_64")) name.remove_suffix(3);
  return is_index(name.substr(3), 8);
}

}  // namespace warpcheck::ptx
