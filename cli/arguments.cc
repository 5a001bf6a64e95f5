// Messages about arguments that CLI11 cannot parse, and lists of values before "--".
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "cli/help_formatter.h"
#include "cli/text/suggestion.h"
#include "cornu/base/nearest_names.h"

namespace cornu::inline v0::cli {
namespace {

using Words = std::vector<std::string>;

bool is_option(const std::string& word) {
  return word.size() > 1 && word.front() == '-' && std::isdigit(static_cast<unsigned char>(word[1])) == 0;
}

/// Refuses values without a character, such as an unset variable of a shell: CLI11 would take the next
/// argument for the value, and commands an empty text for an option that is not given.
void refuse_empty_values(const Words& arguments) {
  std::string before = "argument";
  for (const std::string& argument : arguments) {
    if (argument == "--") return;
    if (argument.starts_with("--") && argument.find('=') == argument.size() - 1)
      throw CLI::ValidationError(argument.substr(0, argument.size() - 1),
                                 "there is no value after the \"=\"");
    if (argument.find_first_not_of(',') == std::string::npos)
      throw CLI::ValidationError(is_option(before) ? before : "argument",
                                 fmt::format("\"{}\" is empty: write a value, or leave it out", argument));
    before = argument;
  }
}

/// The commands that the words name, from the program on.
std::vector<const CLI::App*> named_commands(const CLI::App& app) {
  std::vector<const CLI::App*> commands = {&app};
  while (!commands.back()->get_subcommands().empty())
    commands.push_back(commands.back()->get_subcommands().front());
  return commands;
}

/// The words that call the last of the commands: "cornu model FILE train".
std::string joined_names(const std::vector<const CLI::App*>& commands) {
  std::string name;
  for (const CLI::App* const command : commands) {
    name += (name.empty() ? "" : " ") + command->get_name();
    if (command == commands.back()) break;
    for (const CLI::Option* const option : command->get_options(nullptr))
      if (option->get_positional()) name += " " + shown_name(*option);
  }
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

/// The call of a command inside another one: "cornu model FILE train" for "train". Empty if no command has
/// that name.
std::string inner_command(const CLI::App& app, const std::string& word) {
  for (const CLI::App* const outer : app.get_subcommands(nullptr))
    for (const CLI::App* const inner : outer->get_subcommands(nullptr))
      if (inner->get_name() == word) return joined_names({&app, outer, inner});
  return "";
}

/// A hint for a word that is no command: the command or the call that was probably meant.
std::string command_hint(const CLI::App& app, const CLI::App& command, const std::string& word) {
  const Words known = names_of_subcommands(command);
  if (&command == &app) {
    if (word.ends_with(".keras") || word.ends_with(".h5"))
      return fmt::format("for a model's file write \"cornu model {}\" and a command", word);
    if (const std::string inner = inner_command(app, word); !inner.empty())
      return fmt::format("did you mean \"{}\"?", inner);
  }
  return suggestion(word, known, fmt::format("known: {}", fmt::join(known, ", ")));
}

/// A message about the words of a command that needs another command: the wrong word and a hint, or the
/// missing word. Empty where nothing of that kind is wrong.
std::string why_no_command(const CLI::App& app) {
  const std::vector<const CLI::App*> commands = named_commands(app);
  const CLI::App& command = *commands.back();
  if (command.get_require_subcommand_min() == 0) return "";
  const Words words = command.remaining(), known = names_of_subcommands(command);
  const auto word = std::find_if_not(words.begin(), words.end(), is_option);
  const std::string name = joined_names(commands);
  const CLI::Option* const taken = positional_among(command, known);
  if (word == words.end()) {
    if (taken != nullptr)
      return fmt::format("{0} needs {1} before {2}: write \"{0} {1} {2}\"", name, shown_name(*taken),
                         taken->results().front());
    return "";
  }
  const std::string hint = taken == nullptr
                               ? command_hint(app, command, *word)
                               : fmt::format("write \"{} {} {}\"", name, *word, taken->results().front());
  return fmt::format("{} has no command \"{}\"; {}", name, *word, hint);
}

/// A message about an option that none of the commands has; empty without one.
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
    return fmt::format("{} has no option {}; {}", name, wanted,
                       suggestion(wanted, known, fmt::format("see \"{} --help\"", name)));
  }
  return "";
}

bool takes_argument(const CLI::App& command) {
  return !command.get_options([](const CLI::Option* option) { return option->get_positional(); }).empty();
}

/// A message about an option at the end or before another one, without a value; empty without one.
std::string why_no_value(const CLI::App& app, const Words& arguments) {
  for (auto word = arguments.begin(); word != arguments.end(); ++word) {
    if (!is_option(*word) || (word + 1 != arguments.end() && !is_option(word[1]))) continue;
    for (const CLI::App* const command : named_commands(app)) {
      const CLI::Option* const option = command->get_option_no_throw(*word);
      if (option != nullptr && option->get_items_expected_min() > 0)
        return fmt::format("{0}: there is no value after it; write \"{0} {1}\"", *word, value_name(*option));
    }
  }
  return "";
}

/// A message about an option that is given more often than it takes values; empty without one.
std::string why_repeated(const CLI::App& app) {
  for (const CLI::App* const command : named_commands(app))
    for (const CLI::Option* const option : command->get_options(nullptr))
      if (const int most = option->get_items_expected_max();
          !option->get_positional() && most > 0 && static_cast<int>(option->count()) > most)
        return fmt::format("{} is given {} times: give it once", option->get_name(), option->count());
  return "";
}

/// A message about a word that no argument takes; empty without one.
std::string why_no_argument(const CLI::App& app) {
  const std::vector<const CLI::App*> commands = named_commands(app);
  for (const CLI::App* const command : commands) {
    const Words words = command->remaining();
    if (!words.empty())
      return fmt::format("{} takes no {}argument \"{}\"", joined_names(commands),
                         takes_argument(*commands.back()) ? "further " : "", words[0]);
  }
  return "";
}

/// A message that names all arguments that the command still needs; empty if none is missing.
std::string why_incomplete(const CLI::App& app) {
  const std::vector<const CLI::App*> commands = named_commands(app);
  Words missing;
  std::string meaning;
  for (const CLI::App* const command : commands)
    for (const CLI::Option* const option : command->get_options(nullptr))
      if (option->get_required() && option->count() == 0) {
        missing.push_back(option->get_positional() ? shown_name(*option) : option->get_name());
        meaning = option->get_description();
      }
  const std::string name = joined_names(commands);
  if (missing.size() == 1) return fmt::format("{} needs {}: {}", name, missing[0], meaning);
  if (!missing.empty()) return fmt::format("{} needs {}", name, fmt::join(missing, " and "));
  if (commands.back()->get_require_subcommand_min() == 0) return "";
  const std::vector<const CLI::Option*> options =
      commands.back()->get_options([](const CLI::Option* option) { return option->get_positional(); });
  std::string given = name;
  for (const CLI::Option* const option : options) given += " " + shown_name(*option);
  return fmt::format("{} needs a command; known: {}", given,
                     fmt::join(names_of_subcommands(*commands.back()), ", "));
}

/// True where the last command takes others and has no argument at all: its help shows them.
bool is_bare(const CLI::App& app) {
  const CLI::App& command = *named_commands(app).back();
  const std::vector<const CLI::Option*> options = command.get_options(nullptr);
  return command.get_require_subcommand_min() > 0 && command.remaining().empty() &&
         std::all_of(options.begin(), options.end(), [](const auto* option) { return option->count() == 0; });
}

/// "cornu help model train" means "cornu model train --help".
Words without_help_command(Words arguments) {
  if (arguments.empty() || arguments[0] != "help") return arguments;
  arguments.erase(arguments.begin());
  arguments.emplace_back("--help");
  return arguments;
}

/// The message, and the command whose help describes what is right.
std::string failure_message(const CLI::App* app, const CLI::Error& error) {
  const std::string text = error.what();
  if (text.find("--help") != std::string::npos) return error_text(text) + "\n";
  return fmt::format("{}\n{}\n", error_text(text),
                     error_text(fmt::format("see \"{} --help\"", joined_names(named_commands(*app)))));
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
  std::reverse(arguments.begin(), arguments.end());  // the order of CLI11
  app.parse(std::move(arguments));
}

}  // namespace

void parse_arguments(CLI::App& app, std::vector<std::string> arguments) {
  app.failure_message(&failure_message);
  arguments = without_help_command(std::move(arguments));
  refuse_empty_values(arguments);
  keep_separator(app, arguments);
  try {
    parse(app, arguments);
  } catch (const CLI::CallForHelp&) {
    const Words complete = with_missing_positional(app, arguments);
    if (complete.size() > arguments.size()) {
      parse(app, complete);
    } else if (const std::string why = why_no_command(app); !why.empty()) {
      throw CLI::RequiredError(why, CLI::ExitCodes::RequiredError);
    }
    throw;
  } catch (const CLI::RequiredError&) {
    if (is_bare(app)) throw CLI::CallForHelp("there is no command", CLI::ExitCodes::RequiredError);
    std::string why = why_no_value(app, arguments);  // it may have taken the next option as its value
    if (why.empty()) why = why_no_option(app);
    if (why.empty()) why = why_no_command(app);
    if (why.empty()) why = why_incomplete(app);
    if (why.empty()) throw;
    throw CLI::RequiredError(why, CLI::ExitCodes::RequiredError);
  } catch (const CLI::ArgumentMismatch&) {
    std::string why = why_no_value(app, arguments);
    if (why.empty()) why = why_repeated(app);
    if (why.empty()) throw;
    throw CLI::ArgumentMismatch(why, CLI::ExitCodes::ArgumentMismatch);
  } catch (const CLI::ExtrasError&) {
    std::string why = why_no_option(app);
    if (why.empty()) why = why_no_argument(app);
    if (why.empty()) throw;
    throw CLI::ParseError(why, CLI::ExitCodes::ExtrasError);
  }
}

}  // namespace cornu::inline v0::cli
