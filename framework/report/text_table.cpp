#include "framework/report/text_table.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace warpcheck::report {

namespace {

constexpr std::size_t gap = 2;

void append_cell(std::string& line, const Cell& cell, std::size_t width, Align align, const Look& look) {
  const std::size_t used = display_width(cell.text);
  const std::string padding(width > used ? width - used : 0, ' ');
  if (align == Align::right) line += padding;
  line += toned(cell.text, cell.tone, look);
  if (align == Align::left) line += padding;
}

void end_line(std::string& text, std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  text += line;
  text += '\n';
}

}  // namespace

TextTable::TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

void TextTable::add_row(std::vector<Cell> cells) {
  assert(cells.size() == columns_.size());
  rows_.push_back(std::move(cells));
}

std::vector<std::size_t> TextTable::widths() const {
  std::vector<std::size_t> result;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    std::size_t width = 0;
    for (const std::string& line : columns_[c].header) width = std::max(width, display_width(line));
    for (const auto& row : rows_) width = std::max(width, display_width(row[c].text));
    result.push_back(width);
  }
  return result;
}

std::string TextTable::to_string(const Look& look) const {
  std::vector<std::size_t> width = widths();
  // The widest other column must fit beside the first.
  const std::size_t widest = *std::max_element(width.begin() + (width.size() > 1 ? 1 : 0), width.end());
  if (width.size() > 1 && width[0] + gap + widest > look.width) {
    width[0] = std::max<std::size_t>(8, look.width > widest + gap ? look.width - widest - gap : 0);
  }

  std::size_t others = 0;
  for (std::size_t c = 1; c < width.size(); ++c) others += gap + width[c];
  const std::size_t shortest = columns_[0].shortest;
  if (shortest > 0 && width[0] + others > look.width && shortest + others <= look.width) {
    width[0] = look.width - others;
  }

  std::string text;
  std::size_t next = 1;
  do {
    std::vector<std::size_t> shown{0};
    std::size_t line_width = width[0];
    while (next < columns_.size()) {
      // A column comes with those that stay with it.
      std::size_t end = next + 1;
      while (end < columns_.size() && columns_[end].with_previous) ++end;
      std::size_t group_width = 0;
      for (std::size_t c = next; c < end; ++c) group_width += gap + width[c];
      if (shown.size() > 1 && line_width + group_width > look.width) break;
      line_width += group_width;
      while (next < end) shown.push_back(next++);
    }

    if (!text.empty()) text += '\n';
    std::size_t header_lines = 0;
    for (const std::size_t c : shown) header_lines = std::max(header_lines, columns_[c].header.size());
    for (std::size_t l = 0; l < header_lines; ++l) {
      std::string line;
      for (const std::size_t c : shown) {
        const auto& header = columns_[c].header;
        const std::size_t skipped = header_lines - header.size();
        if (c != shown.front()) line.append(gap, ' ');
        append_cell(line, {l < skipped ? "" : header[l - skipped], Tone::plain}, width[c], columns_[c].align,
                    look);
      }
      end_line(text, line);
    }
    if (header_lines > 0) {
      const std::string_view stroke = look.unicode ? "─" : "-";
      for (std::size_t i = 0; i < line_width; ++i) text += stroke;
      text += '\n';
    }
    for (const auto& row : rows_) {
      std::string line;
      for (const std::size_t c : shown) {
        if (c != shown.front()) line.append(gap, ' ');
        const Cell& cell = row[c];
        append_cell(line, c == 0 ? Cell{shortened(cell.text, width[0], look), cell.tone} : cell, width[c],
                    columns_[c].align, look);
      }
      end_line(text, line);
    }
  } while (next < columns_.size());
  return text;
}

}  // namespace warpcheck::report
