#include "framework/ptx/locations.hpp"

namespace warpcheck::ptx {
namespace {

/// Longest chain that is searched for a parent, so that the search stays linear in the text.
constexpr int longest_chain = 256;

std::size_t mix(std::size_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 32;
}

bool is_at(const Location& location, const Place& place) {
  return location.file == place.file && location.line == place.line && location.column == place.column;
}

}  // namespace

std::optional<std::string> DebugStrings::find(std::string_view label, std::uint64_t offset) const {
  std::size_t base = 0;
  if (label != ".debug_str") {
    const auto found = labels_.find(label);
    if (found == labels_.end()) return std::nullopt;
    base = found->second;
  }
  if (offset >= bytes_.size() || base + offset >= bytes_.size()) return std::nullopt;
  return std::string(bytes_.c_str() + base + offset);
}

std::size_t LocationTable::Hash::operator()(const Place& place) const {
  return mix(mix(place.file, place.line), place.column);
}

std::size_t LocationTable::Hash::operator()(const Key& key) const {
  const auto parent = static_cast<std::uint32_t>(key.parent);
  return mix(mix(mix((*this)(key.place), parent), std::hash<std::string_view>()(key.label)), key.offset);
}

std::int32_t LocationTable::add(const Place& place, const std::optional<Inlining>& inlining) {
  Key key{place, -1, {}, 0};
  if (inlining) {
    key.parent = parent_at(inlining->at);
    key.label = inlining->name.text;
    key.offset = inlining->offset;
  }
  const auto before = locations_.size();
  previous_ = add(key);
  if (inlining && locations_.size() != before)
    unnamed_.push_back({previous_, inlining->name, inlining->offset});
  return previous_;
}

std::int32_t LocationTable::add(const Key& key) {
  const auto [found, is_new] = known_.emplace(key, static_cast<std::int32_t>(locations_.size()));
  if (is_new) locations_.push_back({key.place.file, key.place.line, key.place.column, {}, key.parent});
  nearest_[key.place] = found->second;
  return found->second;
}

std::int32_t LocationTable::parent_at(const Place& place) {
  std::int32_t candidate = previous_;
  for (int i = 0; i < longest_chain && candidate >= 0; ++i) {
    if (is_at(locations_[candidate], place)) return candidate;
    candidate = locations_[candidate].inlined_at;
  }
  const auto found = nearest_.find(place);
  if (found != nearest_.end()) return found->second;
  return add(Key{place, -1, {}, 0});
}

}  // namespace warpcheck::ptx
