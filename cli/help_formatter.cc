#include "cli/help_formatter.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

namespace cornu::inline v0::cli {
namespace {

constexpr std::size_t kLeastWidth = 40, kMostWidth = 120;
constexpr std::size_t kNameColumns = 30;  // of the left column
constexpr std::size_t kNarrow = 70;       // from here on there are two columns
constexpr std::size_t kBelow = 6;         // indent of a meaning below its name

/// Where a line of at most `room` columns ends that `text` begins: the number of its characters.
std::size_t line_length(std::string_view text, std::size_t room) {
  const std::size_t end_of_line = text.find('\n');
  const std::size_t most = std::min(end_of_line, text.size());
  if (most <= room) return most;
  const std::size_t space = text.substr(0, room + 1).rfind(' ');
  if (space != std::string_view::npos && space > 0) return space;
  const std::size_t comma = text.substr(0, room).rfind(',');
  return comma == std::string_view::npos ? room : comma + 1;
}

}  // namespace

std::size_t terminal_columns() {
  winsize size = {};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
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

HelpFormatter::HelpFormatter(std::size_t width) : width_(std::clamp(width, kLeastWidth, kMostWidth)) {
  column_width(width_ < kNarrow ? kBelow : kNameColumns);
}

std::string HelpFormatter::two_columns(const std::string& name, const std::string& meaning) const {
  const std::size_t column = get_column_width();
  std::string text = "  " + wrapped(name, width_, kBelow, 2);
  if (meaning.empty()) return text + "\n";
  const bool fits = text.find('\n') == std::string::npos && text.size() < column;
  text += fits ? std::string(column - text.size(), ' ') : "\n" + std::string(column, ' ');
  return text + wrapped(meaning, width_, column, column) + "\n";
}

std::string HelpFormatter::make_description(const CLI::App* app) const {
  return wrapped(CLI::Formatter::make_description(app), width_, 0, 0);
}

std::string HelpFormatter::make_usage(const CLI::App* app, std::string name) const {
  std::string before;
  for (const CLI::App* parent = app->get_parent(); parent != nullptr; parent = parent->get_parent()) {
    std::string words = parent->get_name();
    for (const CLI::Option* const option : parent->get_options(nullptr))
      if (option->get_positional()) words += " " + make_option_usage(option);
    before = words + " " + before;
  }
  if (!before.empty()) name = before + app->get_name();
  return wrapped(CLI::Formatter::make_usage(app, name), width_, kBelow, 0);
}

std::string HelpFormatter::make_subcommand(const CLI::App* sub) const {
  return two_columns(sub->get_display_name(true), sub->get_description());
}

std::string HelpFormatter::make_option(const CLI::Option* option, bool is_positional) const {
  return two_columns(make_option_name(option, is_positional) + make_option_opts(option),
                     make_option_desc(option));
}

std::string HelpFormatter::make_option_opts(const CLI::Option* option) const {
  if (option->get_type_size() == 0) return "";
  std::string text;
  if (!option->get_type_name().empty()) text += " " + get_label(option->get_type_name());
  if (option->get_expected_max() == CLI::detail::expected_max_vector_size) text += " ...";
  return text;
}

std::string HelpFormatter::make_option_desc(const CLI::Option* option) const {
  std::string text = CLI::Formatter::make_option_desc(option);
  const auto add = [&text](const std::string& more) { text += (text.empty() ? "(" : " (") + more + ")"; };
  if (option->get_required()) add("required");
  if (option->get_type_size() != 0 && !option->get_default_str().empty())
    add("default: " + option->get_default_str());
  std::vector<std::string> others;
  for (const CLI::Option* const other : option->get_excludes()) others.push_back(other->get_name());
  std::sort(others.begin(), others.end());  // the set is ordered by address
  if (!others.empty()) add(fmt::format("not with {}", fmt::join(others, ", ")));
  return text;
}

}  // namespace cornu::inline v0::cli
