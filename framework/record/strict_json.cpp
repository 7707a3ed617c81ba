#include "framework/record/strict_json.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace warpcheck::record {
namespace {

std::string kind_of(const Json& value) {
  if (value.is_null()) return "null";
  if (value.is_object()) return "an object";
  if (value.is_array()) return "an array";
  if (value.is_boolean()) return "true or false";
  if (value.is_string()) return "text";
  return "a number";
}

std::string dumped(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool is_flat(const Json& value) {
  // A pair such as [value, count] stays on the line of the array that it belongs to.
  return value.is_array() && std::none_of(value.begin(), value.end(), [](const Json& item) {
           return item.is_object() ||
                  (item.is_array() && std::any_of(item.begin(), item.end(),
                                                  [](const Json& part) { return part.is_structured(); }));
         });
}

void write(const Json& value, std::size_t depth, std::string& out) {
  if (!value.is_structured() || value.empty() || is_flat(value)) {
    out += dumped(value);
    return;
  }
  const std::string indent(2 * (depth + 1), ' ');
  out += value.is_object() ? "{" : "[";
  bool first = true;
  for (const auto& item : value.items()) {
    out += first ? "\n" : ",\n";
    first = false;
    out += indent;
    if (value.is_object()) out += dumped(Json(item.key())) + ": ";
    write(item.value(), depth + 1, out);
  }
  out += "\n" + std::string(2 * depth, ' ') + (value.is_object() ? "}" : "]");
}

}  // namespace

void reject(const std::string& path, const std::string& what) {
  throw std::invalid_argument(path + ": " + what);
}

std::string short_text(const Json& value) {
  constexpr std::size_t longest = 40;
  if (value.is_structured()) return kind_of(value);
  const std::string text = dumped(value);
  if (text.size() <= longest) return text;
  std::size_t end = longest;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return text.substr(0, end) + "…";
}

Json parse_strictly(std::string_view text) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    throw std::invalid_argument("the file is empty");
  // The parser keeps the last of two fields with one name; a set a level shows that there were two.
  std::vector<std::set<std::string>> seen;
  std::string twice;
  const auto watch = [&](int, Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::object_start) seen.emplace_back();
    if (event == Json::parse_event_t::object_end && !seen.empty()) seen.pop_back();
    if (event == Json::parse_event_t::key && !seen.empty()) {
      auto name = parsed.get<std::string>();
      if (twice.empty() && !seen.back().insert(name).second) twice = std::move(name);
    }
    return true;
  };
  Json document;
  try {
    document = Json::parse(text.begin(), text.end(), watch);
  } catch (const Json::parse_error& error) {
    if (error.byte > text.size()) {
      throw std::invalid_argument("truncated: the JSON is not complete after " + std::to_string(text.size()) +
                                  " bytes");
    }
    throw std::invalid_argument("not JSON: unexpected text at byte " + std::to_string(error.byte) + " of " +
                                std::to_string(text.size()));
  } catch (const Json::exception&) {
    throw std::invalid_argument("not JSON: a number is beyond the range of a double");
  }
  if (!twice.empty()) throw std::invalid_argument("the field " + short_text(Json(twice)) + " is there twice");
  return document;
}

std::string readable_json(const Json& document) {
  std::string out;
  write(document, 0, out);
  return out + "\n";
}

Json number_json(double x) {
  if (std::isnan(x)) return "nan";
  if (std::isinf(x)) return x < 0 ? "-inf" : "inf";
  return x;
}

Fields::Fields(const Json& value, std::string path) : object_(value), path_(std::move(path)) {
  if (!value.is_object()) {
    reject(path_.empty() ? "the document" : path_, "is " + short_text(value) + ", should be an object");
  }
}

std::string Fields::path_of(std::string_view name) const {
  return path_.empty() ? std::string(name) : path_ + "." + std::string(name);
}

const Json& Fields::any(std::string_view name) {
  const auto found = object_.find(std::string(name));
  if (found == object_.end()) reject(path_of(name), "is missing");
  read_.emplace(name);
  return *found;
}

std::string Fields::text(std::string_view name) {
  const Json& value = any(name);
  if (!value.is_string()) reject(path_of(name), "is " + short_text(value) + ", should be text");
  return value.get<std::string>();
}

std::uint64_t Fields::integer(std::string_view name, std::uint64_t least, std::uint64_t most) {
  const Json& value = any(name);
  const std::string range =
      most == UINT64_MAX && least == 0
          ? "a whole number of at least 0"
          : "a whole number from " + std::to_string(least) + " to " + std::to_string(most);
  // A negative number is an integer to the parser, but not an unsigned one.
  if (!value.is_number_unsigned()) reject(path_of(name), "is " + short_text(value) + ", should be " + range);
  const auto number = value.get<std::uint64_t>();
  if (number < least || number > most)
    reject(path_of(name), "is " + short_text(value) + ", should be " + range);
  return number;
}

std::uint32_t Fields::integer32(std::string_view name, std::uint32_t least, std::uint32_t most) {
  return static_cast<std::uint32_t>(integer(name, least, most));
}

bool Fields::boolean(std::string_view name) {
  const Json& value = any(name);
  if (!value.is_boolean()) reject(path_of(name), "is " + short_text(value) + ", should be true or false");
  return value.get<bool>();
}

double Fields::number(std::string_view name) {
  const Json& value = any(name);
  if (value.is_number()) return value.get<double>();
  if (value == "inf") return std::numeric_limits<double>::infinity();
  if (value == "-inf") return -std::numeric_limits<double>::infinity();
  if (value == "nan") return std::numeric_limits<double>::quiet_NaN();
  reject(path_of(name), "is " + short_text(value) + R"(, should be a number, "inf", "-inf" or "nan")");
}

bool Fields::is_null(std::string_view name) {
  return any(name).is_null();
}

const Json& Fields::array(std::string_view name) {
  const Json& value = any(name);
  if (!value.is_array()) reject(path_of(name), "is " + short_text(value) + ", should be an array");
  return value;
}

Fields Fields::object(std::string_view name) {
  return Fields(any(name), path_of(name));
}

void Fields::finish() const {
  for (const auto& item : object_.items()) {
    if (!read_.contains(item.key())) {
      reject(path_.empty() ? "the document" : path_,
             "holds the unknown field " + short_text(Json(item.key())) + "; version 1 has none of that name");
    }
  }
}

}  // namespace warpcheck::record
