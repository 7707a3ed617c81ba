#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

// For the .cpp files that read and write the project's JSON: nothing else may include this header.

namespace warpcheck::record {

/// Keeps the order in which fields were written, so that a file reads from the important to the rest.
using Json = nlohmann::ordered_json;

/// The document in `text`. Throws std::invalid_argument with one line: empty, truncated, not JSON (with the
/// byte where it stops being JSON), or an object with the same field twice.
Json parse_strictly(std::string_view text);

/// JSON text that people can read: objects take a line a field, arrays of plain values a line in all. Bytes
/// that are no UTF-8 become U+FFFD. Ends with a line end.
std::string readable_json(const Json& document);

/// A finite double as a number, anything else as "inf", "-inf" or "nan".
Json number_json(double x);

/// Reads the fields of one object and refuses what it does not know. Every function throws
/// std::invalid_argument with one line that names the field by its path ("reduced.grid"), what stands there
/// and what would be right.
class Fields {
 public:
  /// `path` is empty for the document itself.
  Fields(const Json& value, std::string path);

  std::string text(std::string_view name);
  std::uint64_t integer(std::string_view name, std::uint64_t least = 0, std::uint64_t most = UINT64_MAX);
  std::uint32_t integer32(std::string_view name, std::uint32_t least = 0, std::uint32_t most = UINT32_MAX);
  bool boolean(std::string_view name);
  double number(std::string_view name);  ///< as number_json writes it
  bool is_null(std::string_view name);   ///< true if the field is there and null; then it counts as read
  const Json& array(std::string_view name);
  Fields object(std::string_view name);
  const Json& any(std::string_view name);

  /// To be called last: throws for a field that nothing has read.
  void finish() const;

  std::string path_of(std::string_view name) const;

 private:
  const Json& object_;
  std::string path_;
  std::set<std::string, std::less<>> read_;
};

/// The error of a field: "path: what".
[[noreturn]] void reject(const std::string& path, const std::string& what);

/// A JSON value as one short line, for errors.
std::string short_text(const Json& value);

}  // namespace warpcheck::record
