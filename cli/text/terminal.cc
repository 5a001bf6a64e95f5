#include "cli/text/terminal.h"

#include <unistd.h>

#include <algorithm>
#include <numeric>
#include <sstream>

#include "cornu/base/terminal_width.h"

namespace cornu::inline v0::cli {
namespace {

using Lines = std::vector<std::vector<std::string>>;

constexpr std::size_t kNarrow = 70;             // a list has two columns from this width on
constexpr std::size_t kMostNameColumns = 30;    // of a list with two columns
constexpr std::size_t kBelow = 4;               // indent of a meaning below its name
constexpr std::size_t kWidthOfFiles = 110;      // titles of wider tables are folded in files
constexpr std::size_t kTitleWidth = 11;         // of a folded title: "(predicted)"
constexpr std::size_t kLeastValueColumns = 16;  // of a record

/// The number of bytes of the first `columns` characters of `text`.
std::size_t bytes_of(std::string_view text, std::size_t columns) {
  std::size_t size = 0;
  for (; size < text.size(); ++size)
    if ((text[size] & 0xc0) != 0x80 && columns-- == 0) break;
  return size;
}

/// The number of bytes of the first line of `text`, which has `room` columns.
std::size_t line_length(std::string_view text, std::size_t room) {
  const std::size_t end = std::min(text.find('\n'), text.size()), most = bytes_of(text.substr(0, end), room);
  if (most == end) return end;
  const std::size_t space = text.substr(0, most + 1).rfind(' ');
  if (space != std::string_view::npos && text.find_first_not_of(' ') < space) return space;
  const std::size_t comma = text.substr(0, most).rfind(',');
  if (comma != std::string_view::npos) return comma + 1;
  const std::size_t word_end = std::min(text.find(' ', text.find_first_not_of(' ')), end);
  return text.substr(0, word_end).find('/') != std::string_view::npos ? word_end : most;
}

/// Titles in several lines, none wider than its column's cells where its words allow it; the last lines are
/// next to the cells.
Lines folded(const std::vector<std::string>& titles, const std::vector<std::size_t>& widths) {
  Lines parts;  // of each title
  std::size_t num_lines = 0;
  for (std::size_t i = 0; i < titles.size(); ++i) {
    std::istringstream words(titles[i]);
    std::vector<std::string> lines;
    for (std::string word; words >> word;)
      if (!lines.empty() && width_of(lines.back()) + 1 + width_of(word) <= std::max(widths[i], kTitleWidth))
        lines.back() += " " + word;
      else
        lines.push_back(word);
    num_lines = std::max(num_lines, lines.size());
    parts.push_back(std::move(lines));
  }
  Lines headings(num_lines, std::vector<std::string>(titles.size()));
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (std::size_t j = 0; j < parts[i].size(); ++j)
      headings[num_lines - parts[i].size() + j][i] = parts[i][j];
  return headings;
}

std::vector<std::size_t> widths_of(std::size_t num_columns, const Lines& headings, const Lines& rows) {
  std::vector<std::size_t> widths(num_columns, 0);
  for (const Lines* const part : {&headings, &rows})
    for (const auto& line : *part)
      for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], width_of(line[i]));
  return widths;
}

std::size_t total(const std::vector<std::size_t>& widths) {
  const std::size_t gaps = widths.empty() ? 0 : 2 * (widths.size() - 1);
  return std::accumulate(widths.begin(), widths.end(), gaps);
}

std::string aligned(const Lines& headings, const Lines& rows, const std::vector<std::size_t>& widths) {
  std::string text;
  for (const Lines* const part : {&headings, &rows})
    for (const auto& line : *part) {
      std::string out;
      for (std::size_t i = 0; i < line.size(); ++i)
        out += line[i] + std::string(widths[i] - width_of(line[i]) + 2, ' ');
      out.erase(out.find_last_not_of(' ') + 1);
      text += out + "\n";
    }
  return text;
}

/// A line for each cell, an empty line between rows.
std::string records(const std::vector<std::string>& titles, const Lines& rows, std::size_t width) {
  const std::size_t longest = widths_of(1, {}, [&] {
    Lines column;
    for (const std::string& title : titles) column.push_back({title});
    return column;
  }())[0];
  const bool is_beside = longest + 2 + kLeastValueColumns <= width;
  const ListColumns columns{.width = width, .indent = 0, .column = is_beside ? longest + 2 : 2};
  std::string text;
  for (const auto& row : rows) {
    if (!text.empty()) text += "\n";
    for (std::size_t i = 0; i < row.size(); ++i)
      if (!row[i].empty()) text += list_entry({titles[i], row[i]}, columns);
  }
  return text;
}

}  // namespace

std::optional<std::size_t> text_width() { return terminal_width(STDOUT_FILENO); }

std::optional<std::size_t> error_width() {
  return isatty(STDERR_FILENO) != 0 ? terminal_width(STDERR_FILENO) : std::nullopt;
}

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent, std::size_t used) {
  std::string result;
  const std::string_view end = text.ends_with('\n') ? "\n" : "";
  text.remove_suffix(end.size());
  while (true) {
    const std::size_t room = width > used ? std::max<std::size_t>(width - used, 1) : 1;
    const std::size_t length = line_length(text, room);
    result += text.substr(0, length);
    text.remove_prefix(length);
    if (text.empty()) return result.append(end);
    if (text.front() == ' ' || text.front() == '\n') text.remove_prefix(1);
    result += "\n" + std::string(indent, ' ');
    used = indent;
  }
}

std::string clipped(std::string_view text, std::size_t width) {
  if (width_of(text) <= width) return std::string(text);
  return std::string(text.substr(0, bytes_of(text, std::max<std::size_t>(width, 1) - 1))) + "…";
}

std::string paragraph(const std::string& text, std::optional<std::size_t> width) {
  return width.has_value() ? wrapped(text, *width, 0, 0) : text;
}

std::string list_entry(const ListEntry& entry, const ListColumns& columns) {
  const auto& [width, indent, column] = columns;
  const std::size_t hanging = indent + kBelow;
  std::string text = std::string(indent, ' ') + wrapped(entry.name, width, hanging, indent);
  if (entry.meaning.empty()) return text + "\n";
  const std::size_t used = width_of(text);
  const bool fits = text.find('\n') == std::string::npos && used + 2 <= column;
  text += fits ? std::string(column - used, ' ') : "\n" + std::string(column, ' ');
  return text + wrapped(entry.meaning, width, column, column) + "\n";
}

std::string list_text(const std::vector<ListEntry>& entries, std::optional<std::size_t> width,
                      std::size_t indent) {
  std::size_t longest = 0;
  for (const ListEntry& entry : entries) longest = std::max(longest, width_of(entry.name));
  ListColumns columns{.width = std::string::npos, .indent = indent, .column = indent + longest + 2};
  if (width.has_value())
    columns = {.width = *width,
               .indent = indent,
               .column = *width < kNarrow ? indent + kBelow : std::min(columns.column, kMostNameColumns)};
  std::string text;
  for (const ListEntry& entry : entries) text += list_entry(entry, columns);
  return text;
}

std::string table_text(const std::vector<std::string>& titles,
                       const std::vector<std::vector<std::string>>& rows, std::optional<std::size_t> width) {
  const std::size_t most = width.value_or(kWidthOfFiles);
  Lines headings = {titles};
  std::vector<std::size_t> widths = widths_of(titles.size(), headings, rows);
  if (total(widths) <= most) return aligned(headings, rows, widths);
  headings = folded(titles, widths_of(titles.size(), {}, rows));
  widths = widths_of(titles.size(), headings, rows);
  if (!width.has_value() || total(widths) <= most) return aligned(headings, rows, widths);
  return records(titles, rows, *width);
}

}  // namespace cornu::inline v0::cli
