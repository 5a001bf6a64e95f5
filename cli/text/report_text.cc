#include "cli/text/report_text.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "cli/text/terminal.h"

namespace cornu::inline v0::cli {
namespace {

constexpr std::size_t kLeastTitles = 3;
constexpr std::size_t kLeastLastColumns = 20;  // of the last column of a table whose text is broken

using Cells = std::vector<std::string>;
/// Columns of the screen: from `begin` on, before `end`.
struct Range {
  std::size_t begin = 0, end = 0;
};

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// The characters of a line, each as its bytes: index i is column i of the screen.
std::vector<std::string_view> characters_of(std::string_view line) {
  std::vector<std::string_view> characters;
  for (std::size_t begin = 0, end = 1; begin < line.size(); begin = end++) {
    while (end < line.size() && (line[end] & 0xc0) == 0x80) ++end;
    characters.push_back(line.substr(begin, end - begin));
  }
  return characters;
}

/// The parts of a line between which there are two or more spaces.
std::vector<Range> parts_of(std::string_view line) {
  const std::vector<std::string_view> characters = characters_of(line);
  std::vector<Range> parts;
  for (std::size_t i = 0; i < characters.size(); ++i) {
    if (characters[i] == " ") continue;
    if (parts.empty() || i > parts.back().end + 1) parts.push_back({i, i});
    parts.back().end = i + 1;
  }
  return parts;
}

/// The first of the most columns in a row: a gap may also have a column of single spaces, as in "6 buffers".
std::size_t begin_of_widest_run(const std::vector<std::size_t>& columns) {
  std::size_t best = 0, best_size = 0;
  for (std::size_t begin = 0, end = 0; begin < columns.size(); begin = end) {
    while (end < columns.size() && columns[end] - columns[begin] == end - begin) ++end;
    if (end - begin > best_size) best = begin, best_size = end - begin;
  }
  return columns[best];
}

/// For each gap between two titles, the columns that are blank in all lines so far.
class Gaps {
 public:
  explicit Gaps(std::string_view titles) {
    const std::vector<Range> parts = parts_of(titles);
    for (std::size_t i = 1; i < parts.size(); ++i) {
      std::vector<std::size_t>& blank = blank_.emplace_back(parts[i].begin - parts[i - 1].end);
      std::iota(blank.begin(), blank.end(), parts[i - 1].end);
    }
  }

  /// False, and nothing changes, if the line has text in all columns of a gap, or no gap of its own.
  bool add(std::string_view line) {
    if (parts_of(line).size() < 2) return false;
    const std::vector<std::string_view> characters = characters_of(line);
    std::vector<std::vector<std::size_t>> blank = blank_;
    for (std::vector<std::size_t>& columns : blank) {
      std::erase_if(columns, [&](std::size_t i) { return i < characters.size() && characters[i] != " "; });
      if (columns.empty()) return false;
    }
    blank_ = std::move(blank);
    return true;
  }

  Cells cells_of(std::string_view line) const {
    const std::vector<std::string_view> characters = characters_of(line);
    Cells cells;
    std::size_t begin = 0;
    const auto add_until = [&](std::size_t end) {
      std::string cell;
      for (; begin < std::min(end, characters.size()); ++begin) cell += characters[begin];
      cell.erase(0, std::min(cell.find_first_not_of(' '), cell.size()));
      cell.erase(cell.find_last_not_of(' ') + 1);
      cells.push_back(cell);
    };
    for (const std::vector<std::size_t>& columns : blank_) add_until(begin_of_widest_run(columns));
    add_until(characters.size());
    return cells;
  }

 private:
  std::vector<std::vector<std::size_t>> blank_;
};

struct Table {
  std::vector<Cells> rows;  // the first one has the titles
  std::size_t num_lines = 0;
};

/// The table that the lines begin with; without rows if they begin with none.
Table table_at(std::span<const std::string_view> lines) {
  if (parts_of(lines[0]).size() < kLeastTitles) return {};
  Gaps gaps(lines[0]);
  std::size_t count = 1;
  while (count < lines.size() && gaps.add(lines[count])) ++count;
  if (count == 1) return {};
  Table table{.rows = {}, .num_lines = count};
  for (const std::string_view line : lines.first(count)) table.rows.push_back(gaps.cells_of(line));
  return table;
}

/// True for a column whose cells are numbers, some with a unit: "12.5", "6 buffers", "82.7 %".
bool has_numbers(const Table& table, std::size_t column) {
  return std::all_of(table.rows.begin() + 1, table.rows.end(), [&](const Cells& row) {
    return row[column].substr(0, row[column].find(' ')).find_first_not_of("0123456789.,") ==
           std::string::npos;
  });
}

std::string padded(const std::string& cell, std::size_t width, bool is_number) {
  const std::string spaces(width - width_of(cell), ' ');
  return is_number ? spaces + cell : cell + spaces;
}

std::string fitted_table(const Table& table, std::size_t width) {
  const std::size_t last = table.rows[0].size() - 1;
  std::vector<std::size_t> widths(last + 1, 0);
  for (const Cells& row : table.rows)
    for (std::size_t i = 0; i <= last; ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  const std::size_t before = std::accumulate(widths.begin(), widths.end() - 1, 2 * last);
  if (before + std::min(widths[last], kLeastLastColumns) > width)
    return table_text(table.rows[0], {table.rows.begin() + 1, table.rows.end()}, width);
  std::vector<bool> are_numbers;
  for (std::size_t i = 0; i <= last; ++i) are_numbers.push_back(has_numbers(table, i));
  std::string text;
  for (const Cells& row : table.rows) {
    std::string line;
    for (std::size_t i = 0; i < last; ++i) line += padded(row[i], widths[i], are_numbers[i]) + "  ";
    const bool is_short = are_numbers[last] && before + widths[last] <= width;
    line += is_short ? padded(row[last], widths[last], true) : wrapped(row[last], width, before, before);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace

std::string report_text(std::string_view report, std::optional<std::size_t> width) {
  if (!width.has_value()) return std::string(report);
  const std::vector<std::string_view> lines = lines_of(report);
  const auto is_wide = [&](std::string_view line) { return width_of(line) > *width; };
  std::string text;
  for (std::size_t i = 0; i < lines.size();) {
    const Table table = table_at(std::span(lines).subspan(i));
    const auto begin = lines.begin() + static_cast<std::ptrdiff_t>(i);
    const auto num_lines = static_cast<std::ptrdiff_t>(std::max<std::size_t>(1, table.num_lines));
    const bool fits = std::none_of(begin, begin + num_lines, is_wide);
    if (!fits && !table.rows.empty()) {
      text += fitted_table(table, *width);
    } else {
      const std::size_t indent = std::min(lines[i].find_first_not_of(' '), lines[i].size()) + 2;
      for (auto line = begin; line != begin + num_lines; ++line)
        text += wrapped(*line, *width, std::min(indent, *width / 2), 0) + "\n";
    }
    i += static_cast<std::size_t>(num_lines);
  }
  return text;
}

}  // namespace cornu::inline v0::cli
