#include "framework/cli/suggestion.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace warpcheck::cli {

namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

std::string joined(std::span<const std::string> names, std::string_view last) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? last : ", ";
    text += names[i];
  }
  return text;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Rows of the table for prefixes of a: the one before last, the last, this one.
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before = std::exchange(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

std::vector<std::string> near_names(std::string_view name, std::span<const std::string> candidates) {
  // A long text is no misspelling, and the distance takes the product of both lengths.
  constexpr std::size_t longest = 200;
  constexpr std::size_t most = 3;
  if (name.empty() || name.size() > longest) return {};
  const std::string wanted = lower(name);
  const std::size_t allowed = std::max<std::size_t>(2, name.size() / 3);
  std::vector<std::pair<std::size_t, std::string>> near;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > longest) continue;
    const std::string known = lower(candidate);
    const std::size_t distance = known.starts_with(wanted) ? 0 : edit_distance(wanted, known);
    // A name of which every letter would change is not near.
    if (distance <= allowed && distance < std::max(wanted.size(), known.size()))
      near.emplace_back(distance, candidate);
  }
  std::stable_sort(near.begin(), near.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> result;
  for (const auto& [distance, candidate] : near) {
    // Names that share a long beginning are all near; only the nearest help.
    if (distance == near.front().first && result.size() < most) result.push_back(candidate);
  }
  return result;
}

std::string did_you_mean(std::string_view name, std::span<const std::string> candidates) {
  const std::vector<std::string> near = near_names(name, candidates);
  if (near.empty()) return {};
  std::string text = "; did you mean ";
  text += joined(near, " or ");
  text += '?';
  return text;
}

std::string listed(std::span<const std::string> names) {
  return names.empty() ? std::string("none") : joined(names, " and ");
}

}  // namespace warpcheck::cli
