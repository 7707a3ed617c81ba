#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "framework/report/look.hpp"

namespace warpcheck::report {

enum class Align { left, right };

struct Column {
  std::vector<std::string> header;  ///< one or more lines, aligned at the bottom
  Align align = Align::left;
  bool with_previous = false;  ///< never parted from the column before it
  /// Of the first column: how narrow it may be made so that the whole table fits; 0: not for that.
  std::size_t shortest = 0;
};

struct Cell {
  std::string text;
  Tone tone = Tone::plain;
};

/// A plain table: two spaces between columns, a rule under the header, no trailing spaces.
///
/// A table wider than the look allows is printed as several below each other, each beginning with the first
/// column; a first column that leaves no room for a second one is shortened in the middle.
class TextTable {
 public:
  explicit TextTable(std::vector<Column> columns);

  /// Precondition: one cell a column.
  void add_row(std::vector<Cell> cells);

  bool empty() const { return rows_.empty(); }

  /// Every line ends with a line end.
  std::string to_string(const Look& look) const;

 private:
  std::vector<std::size_t> widths() const;

  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace warpcheck::report
