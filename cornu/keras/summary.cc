#include "cornu/keras/summary.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "cornu/base/check.h"

namespace cornu::keras {
namespace {

using Cells = std::array<std::string, 3>;
using Widths = std::array<std::int64_t, 3>;  // of the text, without a space on either side

// Keras gives the columns 45 %, 35 % and 20 % of the line; its table library then takes the two spaces of padding in each and the four
// borders off the columns in equal parts.
Widths column_widths(std::int64_t line_length) {
  constexpr std::array<double, 3> kPositions = {0.45, 0.80, 1.0};
  constexpr std::array<std::int64_t, 3> kShares = {3, 4, 3};
  Widths widths{};
  std::int64_t used = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::int64_t width = static_cast<std::int64_t>(kPositions[i] * static_cast<double>(line_length)) - used;
    used += width;
    widths[i] = std::max<std::int64_t>(1, width - kShares[i]);
  }
  return widths;
}

// Splits at spaces; a word that does not fit ends with an ellipsis.
std::vector<std::string> wrap(const std::string& text, std::int64_t width) {
  const auto limit = static_cast<std::size_t>(width);
  std::vector<std::string> lines(1);
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    std::string word = text.substr(begin, end - begin);
    begin = end + 1;
    if (!lines.back().empty() && lines.back().size() + 1 + word.size() > limit) lines.emplace_back();
    if (word.size() > limit) word = word.substr(0, limit - 1) + "\x01";  // one column for the ellipsis, replaced below
    lines.back() += lines.back().empty() ? word : " " + word;
  }
  return lines;
}

std::string fit(std::string line, std::int64_t width, bool right) {
  const std::string padding(static_cast<std::size_t>(std::max<std::int64_t>(0, width - static_cast<std::int64_t>(line.size()))), ' ');
  line = right ? padding + line : line + padding;
  if (const std::size_t mark = line.find('\x01'); mark != std::string::npos) line.replace(mark, 1, "…");
  return line;
}

std::string rule(const Widths& widths, std::string_view left, std::string_view line, std::string_view cross, std::string_view right) {
  std::string text(left);
  for (std::size_t i = 0; i < 3; ++i) {
    if (i > 0) text += cross;
    for (std::int64_t k = 0; k < widths[i] + 2; ++k) text += line;
  }
  return text + std::string(right) + "\n";
}

std::string row(const Widths& widths, const Cells& cells, const std::string& border) {
  std::array<std::vector<std::string>, 3> lines;
  std::size_t height = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    lines[i] = wrap(cells[i], widths[i]);
    height = std::max(height, lines[i].size());
  }
  std::string text;
  for (std::size_t k = 0; k < height; ++k) {
    for (std::size_t i = 0; i < 3; ++i) text += border + " " + fit(k < lines[i].size() ? lines[i][k] : "", widths[i], i == 2) + " ";
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

std::int64_t default_summary_line_length() {
  winsize size{};
  const std::int64_t columns = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
  return std::clamp<std::int64_t>(columns - 4, 20, 88);
}

std::string render_summary(const std::string& model_name, const std::vector<SummaryRow>& rows, const SummaryTotals& totals,
                           std::int64_t line_length) {
  const Widths widths = column_widths(std::max<std::int64_t>(20, line_length));
  std::string text = fmt::format("Model: \"{}\"\n", model_name);
  text += rule(widths, "┏", "━", "┳", "┓");
  text += row(widths, {"Layer (type)", "Output Shape", "Param #"}, "┃");
  text += rule(widths, "┡", "━", "╇", "┩");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i > 0) text += rule(widths, "├", "─", "┼", "┤");
    text += row(widths, {rows[i].layer, rows[i].output_shape, rows[i].parameters}, "│");
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
  return text;
}

}  // namespace cornu::keras
