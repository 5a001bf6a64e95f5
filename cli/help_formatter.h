#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <string>

namespace cornu::inline v0::cli {

/// The name of a positional argument as help and messages show it: FILE.
std::string shown_name(const CLI::Option& positional);
/// The kind of an option's value as help and messages show it: FILE, N, NUMBER.
std::string value_name(const CLI::Option& option);

/// Help texts that fit the terminal: names on the left, their meaning and default on the right. A narrow
/// terminal has the meaning below the name. A usage line has the arguments in the order that always works:
/// positional ones first, then options, a list of words after "--".
class HelpFormatter final : public CLI::Formatter {
 public:
  explicit HelpFormatter(std::size_t width);

  std::string make_positionals(const CLI::App* app) const override;

  std::string make_description(const CLI::App* app) const override;
  /// Empty for a command that takes no other command.
  std::string make_footer(const CLI::App* app) const override;
  /// The usage line, with the arguments that belong before the command's name.
  std::string make_usage(const CLI::App* app, std::string name) const override;
  std::string make_subcommand(const CLI::App* sub) const override;
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_option_name(const CLI::Option* option, bool is_positional) const override;
  std::string make_option_usage(const CLI::Option* option) const override;
  std::string make_option_opts(const CLI::Option* option) const override;
  std::string make_option_desc(const CLI::Option* option) const override;

 private:
  std::string two_columns(const std::string& name, const std::string& meaning) const;

  std::size_t width_;
};

}  // namespace cornu::inline v0::cli
