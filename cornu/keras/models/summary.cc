#include "cornu/keras/models/summary.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string_view>

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"
#include "cornu/base/printable.h"
#include "cornu/base/terminal_width.h"

namespace cornu::inline v0::keras {
namespace {

using Widths = std::vector<std::int64_t>;  // of the text, without the space on either side

/// x / y to the nearest integer, halves to even.
std::int64_t rounded_quotient(std::int64_t x, std::int64_t y) {
  const std::int64_t quotient = x / y, twice_rest = 2 * (x % y);
  return quotient + (twice_rest > y || (twice_rest == y && quotient % 2 != 0) ? 1 : 0);
}

// Keras sets the end of each column. Its table library then subtracts the borders and two spaces of padding
// for each column, from all columns equally.
Widths column_widths(const std::vector<SummaryColumn>& columns, std::int64_t line_length) {
  constexpr double kWidest = 0x1p61;  // keeps sums of columns in range; no table is that wide
  const auto count = static_cast<std::int64_t>(columns.size());
  Widths widths;
  std::int64_t used = 0, excess = 3 * count + 1;
  for (std::int64_t i = 0; i < count; ++i) {
    const SummaryColumn& column = columns[static_cast<std::size_t>(i)];
    const double end = std::fmax(0, std::fmin(column.position * static_cast<double>(line_length), kWidest));
    const std::int64_t width = static_cast<std::int64_t>(end) - used;
    if (width < 4) {
      invalid_argument(
          {.argument = "position"},
          "[summary] a column needs four columns of text at least; got position = {} with line_length = {}",
          column.position, line_length);
    }
    used += width;
    const std::int64_t share = rounded_quotient(excess, count - i);
    excess -= share;
    widths.push_back(std::max<std::int64_t>(1, width - share));
  }
  return widths;
}

/// The number of columns of a text: only the first byte of a UTF-8 character counts.
std::int64_t text_width(std::string_view text) {
  return std::count_if(text.begin(), text.end(),
                       [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
}

// Splits at spaces; a word that does not fit ends with an ellipsis.
std::vector<std::string> wrap(const std::string& text, std::int64_t width) {
  const auto limit = static_cast<std::size_t>(width);
  std::vector<std::string> lines(1);
  std::size_t begin = 0;
  while (begin <= text.size()) {
    // Leading spaces (of a nested layer's name) belong to the first word.
    const std::size_t from = begin == 0 ? std::min(text.find_first_not_of(' '), text.size()) : begin;
    const std::size_t end = std::min(text.find(' ', from), text.size());
    std::string word = text.substr(begin, end - begin);
    begin = end + 1;
    const auto columns_of = [](const std::string& piece) {
      return static_cast<std::size_t>(text_width(piece));
    };
    if (!lines.back().empty() && columns_of(lines.back()) + 1 + columns_of(word) > limit)
      lines.emplace_back();
    if (columns_of(word) > limit)
      word = word.substr(0, limit - 1) + "\x01";  // one column for the ellipsis, replaced below
    lines.back() += lines.back().empty() ? word : " " + word;
  }
  return lines;
}

std::string fit(std::string line, std::int64_t width, Alignment alignment) {
  const auto padding = static_cast<std::size_t>(std::max<std::int64_t>(0, width - text_width(line)));
  const std::size_t left = alignment == Alignment::kLeft    ? 0
                           : alignment == Alignment::kRight ? padding
                                                            : padding / 2;
  line = std::string(left, ' ') + line + std::string(padding - left, ' ');
  if (const std::size_t mark = line.find('\x01'); mark != std::string::npos) line.replace(mark, 1, "…");
  return line;
}

std::string rule(const Widths& widths, std::string_view left, std::string_view line, std::string_view cross,
                 std::string_view right) {
  std::string text(left);
  for (std::size_t i = 0; i < widths.size(); ++i) {
    if (i > 0) text += cross;
    for (std::int64_t k = 0; k < widths[i] + 2; ++k) text += line;
  }
  return text + std::string(right) + "\n";
}

std::string row(const std::vector<SummaryColumn>& columns, const Widths& widths,
                const std::vector<std::string>& cells, const std::string& border) {
  std::vector<std::vector<std::string>> lines;
  std::size_t height = 0;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    lines.push_back(wrap(printable(cells[i]), widths[i]));
    height = std::max(height, lines[i].size());
  }
  std::string text;
  for (std::size_t k = 0; k < height; ++k) {
    for (std::size_t i = 0; i < widths.size(); ++i)
      text +=
          border + " " + fit(k < lines[i].size() ? lines[i][k] : "", widths[i], columns[i].alignment) + " ";
    text += border + "\n";
  }
  return text;
}

}  // namespace

std::string with_thousands(std::int64_t n) {
  const std::string digits = std::to_string(n);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && digits[i - 1] != '-' && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string readable_bytes(std::int64_t num_bytes) {
  auto size = static_cast<double>(num_bytes);
  for (const char* unit : {"B", "KB", "MB", "GB", "TB"}) {
    if (size < 1024) return fmt::format("{:.2f} {}", size, unit);
    size /= 1024;
  }
  return fmt::format("{:.2f} PB", size);
}

std::int64_t default_summary_line_length(std::int64_t widest) {
  const auto columns = static_cast<std::int64_t>(terminal_width(STDOUT_FILENO).value_or(80));
  return std::clamp<std::int64_t>(columns - 4, 20, widest);
}

std::vector<SummaryColumn> summary_columns(bool connections, bool trainable) {
  std::vector<SummaryColumn> columns = {
      {.title = "Layer (type)", .position = connections ? 0.3 : 0.45},
      {.title = "Output Shape", .position = connections ? 0.56 : 0.80},
      {.title = "Param #", .alignment = Alignment::kRight, .position = connections ? 0.74 : 1.0}};
  if (connections) columns.push_back({.title = "Connected to", .position = 1.0});
  if (trainable) {
    for (SummaryColumn& column : columns) column.position *= 0.90;
    columns.push_back({.title = "Trainable", .alignment = Alignment::kCenter, .position = 1.0});
  }
  return columns;
}

std::string render_summary(const std::string& model_name, const std::vector<SummaryColumn>& columns,
                           const std::vector<std::vector<std::string>>& rows, const SummaryTotals& totals,
                           std::int64_t line_length) {
  const auto check_width = [&](CheckedSize width) {
    constexpr std::size_t kBytesOfARulesColumn = 3;
    check_memory(width * kBytesOfARulesColumn * (2 * rows.size() + 4),
                 [&] { return fmt::format("[summary] a table of line_length = {}", line_length); });
  };
  check_width(line_length);
  const Widths widths = column_widths(columns, std::max<std::int64_t>(20, line_length));
  check_width(
      std::accumulate(widths.begin(), widths.end(), CheckedSize(0)));  // positions may exceed the line
  std::vector<std::string> titles;
  titles.reserve(columns.size());
  for (const SummaryColumn& column : columns) titles.push_back(column.title);
  std::string text = fmt::format("Model: \"{}\"\n", printable(model_name));
  text += rule(widths, "┏", "━", "┳", "┓");
  text += row(columns, widths, titles, "┃");
  text += rule(widths, "┡", "━", "╇", "┩");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i > 0) text += rule(widths, "├", "─", "┼", "┤");
    text += row(columns, widths, rows[i], "│");
  }
  text += rule(widths, "└", "─", "┴", "┘");
  const auto line = [&](const char* label, std::int64_t count, std::int64_t num_bytes) {
    text += fmt::format(" {}: {} ({})\n", label, with_thousands(count), readable_bytes(num_bytes));
  };
  line("Total params", totals.trainable + totals.non_trainable + totals.optimizer,
       totals.trainable_bytes + totals.non_trainable_bytes + totals.optimizer_bytes);
  line("Trainable params", totals.trainable, totals.trainable_bytes);
  line("Non-trainable params", totals.non_trainable, totals.non_trainable_bytes);
  if (totals.has_optimizer) line("Optimizer params", totals.optimizer, totals.optimizer_bytes);
  for (const std::string& sharded : totals.sharded) text += fmt::format(" Sharded {}\n", printable(sharded));
  return text;
}

}  // namespace cornu::inline v0::keras
