#include "cli/help_formatter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <vector>

#include "cli/text/terminal.h"

namespace cornu::inline v0::cli {
namespace {

constexpr std::size_t kLeastWidth = 40, kMostWidth = 120;
constexpr std::size_t kNameColumns = 30;  // of the left column
constexpr std::size_t kNarrow = 70;       // from here on there are two columns
constexpr std::size_t kBelow = 6;         // indent of a meaning below its name

/// The range that CLI11 has in the type: "INT in [0 - 1024]" is "0 to 1024"; empty without one.
std::string range_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t begin = type.find("in ["), middle = type.find(" - ", begin), end = type.find(']', begin);
  if (begin == std::string::npos || middle == std::string::npos || end == std::string::npos) return "";
  return type.substr(begin + 4, middle - begin - 4) + " to " + type.substr(middle + 3, end - middle - 3);
}

bool is_list(const CLI::Option& option) {
  return option.get_expected_max() == CLI::detail::expected_max_vector_size;
}

std::vector<const CLI::Option*> positionals_of(const CLI::App& app) {
  return app.get_options([](const CLI::Option* option) { return option->get_positional(); });
}

}  // namespace

std::string shown_name(const CLI::Option& positional) {
  std::string name = positional.get_name(true, false);
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::toupper(c); });
  return name;
}

// "INT:POSITIVE" of CLI11 becomes N, "TEXT:FILE" FILE, and names that the option was given stay.
std::string value_name(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::string kind = type.substr(0, type.find(':'));
  if (type.ends_with(":FILE")) return "FILE";
  if (type.ends_with(":DIR")) return "FOLDER";
  if (kind == "INT" || kind == "UINT") return "N";
  if (kind == "FLOAT") return "NUMBER";
  return kind == "TEXT" ? kind : type;
}

HelpFormatter::HelpFormatter(std::size_t width) : width_(std::clamp(width, kLeastWidth, kMostWidth)) {
  column_width(width_ < kNarrow ? kBelow : kNameColumns);
}

std::string HelpFormatter::two_columns(const std::string& name, const std::string& meaning) const {
  return list_entry({name, meaning}, {.width = width_, .indent = 2, .column = get_column_width()});
}

std::string HelpFormatter::make_description(const CLI::App* app) const {
  return wrapped(CLI::Formatter::make_description(app), width_, 0, 0);
}

std::string HelpFormatter::make_footer(const CLI::App* app) const {
  if (app->get_require_subcommand_min() == 0) return "";
  return wrapped(CLI::Formatter::make_footer(app), width_, 0, 0);
}

std::string HelpFormatter::make_positionals(const CLI::App* app) const {
  const std::vector<const CLI::Option*> options = positionals_of(*app);
  return options.empty() ? "" : make_group("Arguments", true, options);
}

std::string HelpFormatter::make_usage(const CLI::App* app, std::string name) const {
  if (app->get_parent() != nullptr) name = app->get_name();
  for (const CLI::App* parent = app->get_parent(); parent != nullptr; parent = parent->get_parent()) {
    std::string words = parent->get_name();
    for (const CLI::Option* const option : positionals_of(*parent)) words += " " + make_option_usage(option);
    name = words + " " + name;
  }
  std::string last;
  for (const CLI::Option* const option : positionals_of(*app))
    if (is_list(*option))
      last = fmt::format(" [-- {} ...]", shown_name(*option));
    else
      name += " " + make_option_usage(option);
  if (app->get_require_subcommand_min() > 0)
    return wrapped("Usage: " + name + " COMMAND\n", width_, kBelow, 0);
  return wrapped("Usage: " + name + " [OPTIONS]" + last + "\n", width_, kBelow, 0);
}

std::string HelpFormatter::make_subcommand(const CLI::App* sub) const {
  return two_columns(sub->get_display_name(true), sub->get_description());
}

std::string HelpFormatter::make_option(const CLI::Option* option, bool is_positional) const {
  return two_columns(make_option_name(option, is_positional) + make_option_opts(option),
                     make_option_desc(option));
}

std::string HelpFormatter::make_option_name(const CLI::Option* option, bool is_positional) const {
  return is_positional ? shown_name(*option) : CLI::Formatter::make_option_name(option, false);
}

std::string HelpFormatter::make_option_usage(const CLI::Option* option) const {
  return option->get_required() ? shown_name(*option) : "[" + shown_name(*option) + "]";
}

std::string HelpFormatter::make_option_opts(const CLI::Option* option) const {
  if (option->get_type_size() == 0) return "";
  const std::string kind = option->get_positional() ? "" : value_name(*option);
  return (kind.empty() ? "" : " " + kind) +
         (is_list(*option) && option->get_allow_extra_args() ? " ..." : "");
}

std::string HelpFormatter::make_option_desc(const CLI::Option* option) const {
  std::string text = CLI::Formatter::make_option_desc(option);
  const auto add = [&text](const std::string& more) { text += (text.empty() ? "(" : " (") + more + ")"; };
  if (option->get_required()) add("required");
  if (const std::string range = range_of(*option); !range.empty()) add(range);
  if (option->get_type_size() != 0 && !option->get_default_str().empty())
    add("default: " + option->get_default_str());
  std::vector<std::string> others;
  for (const CLI::Option* const other : option->get_excludes()) others.push_back(other->get_name());
  std::sort(others.begin(), others.end());  // the set is ordered by address
  if (!others.empty()) add(fmt::format("not with {}", fmt::join(others, ", ")));
  return text;
}

}  // namespace cornu::inline v0::cli
