// What the options of CLI11 do not know of: commands and options that there are not, lists before "--".
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "cornu/base/nearest_names.h"

namespace cornu::inline v0::cli {
namespace {

using Words = std::vector<std::string>;

/// CLI11 would take the next argument for the value.
void refuse_empty_values(const Words& arguments) {
  for (const std::string& argument : arguments) {
    if (argument == "--") return;
    if (argument.starts_with("--") && argument.find('=') == argument.size() - 1)
      throw CLI::ValidationError(argument.substr(0, argument.size() - 1),
                                 "there is no value behind the \"=\"");
  }
}

bool is_option(const std::string& word) {
  return word.size() > 1 && word.front() == '-' && std::isdigit(static_cast<unsigned char>(word[1])) == 0;
}

/// The commands that the words name, from the program on.
std::vector<const CLI::App*> named_commands(const CLI::App& app) {
  std::vector<const CLI::App*> commands = {&app};
  while (!commands.back()->get_subcommands().empty())
    commands.push_back(commands.back()->get_subcommands().front());
  return commands;
}

std::string joined_names(const std::vector<const CLI::App*>& commands) {
  std::string name;
  for (const CLI::App* const command : commands) name += (name.empty() ? "" : " ") + command->get_name();
  return name;
}

Words names_of_subcommands(const CLI::App& command) {
  Words names;
  for (const CLI::App* const each : command.get_subcommands(nullptr)) names.push_back(each->get_name());
  return names;
}

/// The value of the first positional argument that is one of the words; null without.
const CLI::Option* positional_among(const CLI::App& command, const Words& words) {
  for (const CLI::Option* const option : command.get_options(nullptr))
    if (option->get_positional() && option->count() > 0 &&
        std::find(words.begin(), words.end(), option->results().front()) != words.end())
      return option;
  return nullptr;
}

/// What is wrong with the words of a command that takes another one: that word, and what may have been meant.
/// Empty where no word is left over.
std::string why_no_command(const CLI::App& app) {
  const std::vector<const CLI::App*> commands = named_commands(app);
  const CLI::App& command = *commands.back();
  const Words words = command.remaining();
  const auto word = std::find_if_not(words.begin(), words.end(), is_option);
  if (command.get_require_subcommand_min() == 0 || word == words.end()) return "";
  const std::string name = joined_names(commands);
  const Words known = names_of_subcommands(command);
  std::string proposal = name_proposal(*word, known);
  if (const CLI::Option* const taken = positional_among(command, known))
    proposal = fmt::format("write \"{} {} {}\"", name, *word, taken->results().front());
  return fmt::format("{} has no command \"{}\"; {}", name, *word, proposal);
}

/// The same of an option that none of the commands has.
std::string why_no_option(const CLI::App& app) {
  std::vector<const CLI::App*> commands = named_commands(app);
  for (; !commands.empty(); commands.pop_back()) {
    const CLI::App& command = *commands.back();
    const Words words = command.remaining();
    const auto word = std::find_if(words.begin(), words.end(), is_option);
    if (word == words.end()) continue;
    const std::string wanted = word->substr(0, word->find('='));
    Words known;
    for (const CLI::Option* const option : command.get_options(nullptr))
      for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    const std::string name = joined_names(commands);
    const bool is_near = !nearest_names(wanted, known).empty();
    return fmt::format("{} has no option {}; {}", name, wanted,
                       is_near ? name_proposal(wanted, known) : fmt::format("see \"{} --help\"", name));
  }
  return "";
}

/// CLI11 ends a list of values at "--" and drops it, so that the words after it would be read as options: a
/// second one is added then.
void keep_separator(const CLI::App& app, Words& arguments) {
  const auto separator = std::find(arguments.begin(), arguments.end(), "--");
  if (separator == arguments.end()) return;
  const CLI::App* command = &app;
  const CLI::Option* last = nullptr;
  for (auto word = arguments.begin(); word != separator; ++word) {
    if (is_option(*word)) {
      last = command->get_option_no_throw(word->substr(0, word->find('=')));
      continue;
    }
    for (const CLI::App* const each : command->get_subcommands(nullptr))
      if (each->get_name() == *word) command = each;
  }
  if (last != nullptr && last->get_allow_extra_args()) arguments.insert(separator, "--");
}

/// The arguments with a word for the positional argument that is missing before the command's name, as in
/// `model train --help`; unchanged where none is.
Words with_missing_positional(const CLI::App& app, Words arguments) {
  const std::vector<const CLI::App*> commands = named_commands(app);
  const CLI::App& command = *commands.back();
  if (command.get_require_subcommand_min() == 0) return arguments;
  const CLI::Option* const taken = positional_among(command, names_of_subcommands(command));
  if (taken == nullptr) return arguments;
  const auto at = std::find(arguments.begin(), arguments.end(), taken->results().front());
  if (at != arguments.end()) arguments.insert(at, taken->get_name());
  return arguments;
}

void parse(CLI::App& app, Words arguments) {
  std::reverse(arguments.begin(), arguments.end());  // as CLI11 takes them
  app.parse(std::move(arguments));
}

}  // namespace

void parse_arguments(CLI::App& app, std::vector<std::string> arguments) {
  refuse_empty_values(arguments);
  keep_separator(app, arguments);
  try {
    parse(app, arguments);
  } catch (const CLI::CallForHelp&) {
    if (const std::string why = why_no_command(app); !why.empty())
      throw CLI::RequiredError(why, CLI::ExitCodes::RequiredError);
    const Words complete = with_missing_positional(app, arguments);
    if (complete.size() > arguments.size()) parse(app, complete);
    throw;
  } catch (const CLI::RequiredError&) {
    std::string why = why_no_option(app);
    if (why.empty()) why = why_no_command(app);
    if (why.empty()) throw;
    throw CLI::RequiredError(why, CLI::ExitCodes::RequiredError);
  } catch (const CLI::ExtrasError&) {
    const std::string why = why_no_option(app);
    if (why.empty()) throw;
    throw CLI::ParseError(why, CLI::ExitCodes::ExtrasError);
  }
}

}  // namespace cornu::inline v0::cli
