#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "framework/ptx/lexer.hpp"
#include "framework/ptx/module.hpp"

namespace warpcheck::ptx {

/// The strings of the .debug_str section, by label and offset.
class DebugStrings {
 public:
  /// False if the label is there already.
  bool add_label(std::string_view label) { return labels_.emplace(label, bytes_.size()).second; }
  void add_byte(std::uint8_t byte) { bytes_ += static_cast<char>(byte); }

  /// The string that begins at label + offset; none if the label or the place doesn't exist. The label
  /// ".debug_str" is the section's beginning.
  std::optional<std::string> find(std::string_view label, std::uint64_t offset) const;

 private:
  std::unordered_map<std::string_view, std::size_t> labels_;
  std::string bytes_;
};

/// A place as .loc writes it.
struct Place {
  std::uint32_t file{}, line{}, column{};
  friend bool operator==(const Place&, const Place&) = default;
};

/// What .loc says beyond the place if the instructions were inlined.
struct Inlining {
  Token name;  ///< label in .debug_str
  std::uint64_t offset{};
  Place at;
};

/// Collects a function's locations, equal ones once, and rebuilds the chains of inlining.
///
/// `.loc 1 5 9, function_name f, inlined_at 1 14 5` names the parent by its place only, and the parent may
/// itself have been inlined. Its location stands earlier in the text (PTX ISA §11.5.4); if several have that
/// place, the one on the chain of the location before this one is meant, and else the nearest before.
class LocationTable {
 public:
  explicit LocationTable(std::vector<Location>& locations) : locations_(locations) {}

  /// Index of that location.
  std::int32_t add(const Place& place, const std::optional<Inlining>& inlining);

  /// A location whose function name is still a label.
  struct Unnamed {
    std::int32_t location;
    Token label;
    std::uint64_t offset;
  };
  const std::vector<Unnamed>& unnamed() const { return unnamed_; }

 private:
  struct Key {
    Place place;
    std::int32_t parent{-1};
    std::string_view label;
    std::uint64_t offset{};
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Hash {
    std::size_t operator()(const Place& place) const;
    std::size_t operator()(const Key& key) const;
  };
  std::int32_t add(const Key& key);
  std::int32_t parent_at(const Place& place);

  std::vector<Location>& locations_;
  std::unordered_map<Key, std::int32_t, Hash> known_;
  std::unordered_map<Place, std::int32_t, Hash> nearest_;
  std::vector<Unnamed> unnamed_;
  std::int32_t previous_{-1};
};

}  // namespace warpcheck::ptx
