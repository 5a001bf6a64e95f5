#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <string>
#include <string_view>

namespace cornu::inline v0::cli {

/// Columns of the terminal that the standard output is; 80 where it is none.
std::size_t terminal_columns();

/// The text in lines of at most `width` columns, which break at spaces; what has none breaks behind a comma
/// or where the line is full. All lines but the first begin with `indent` spaces; the first has `used`
/// columns before it.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent, std::size_t used);

/// Help texts that fit the terminal: names on the left, what they mean on the right with the default behind
/// it. A narrow terminal has the meaning below the name.
class HelpFormatter final : public CLI::Formatter {
 public:
  explicit HelpFormatter(std::size_t width);

  std::string make_description(const CLI::App* app) const override;
  /// With the arguments that belong before the command's name.
  std::string make_usage(const CLI::App* app, std::string name) const override;
  std::string make_subcommand(const CLI::App* sub) const override;
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_option_opts(const CLI::Option* option) const override;
  std::string make_option_desc(const CLI::Option* option) const override;

 private:
  std::string two_columns(const std::string& name, const std::string& meaning) const;

  std::size_t width_;
};

}  // namespace cornu::inline v0::cli
