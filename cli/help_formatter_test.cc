#include "cli/help_formatter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "cli/commands.h"

namespace cornu::inline v0::cli {
namespace {

TEST(HelpFormatterTest, LinesBreakAtSpacesThenBehindCommasThenWhereTheyAreFull) {
  EXPECT_EQ(wrapped("one two three", 80, 2, 0), "one two three");
  EXPECT_EQ(wrapped("one two three", 7, 2, 0), "one two\n  three");
  EXPECT_EQ(wrapped("one two three", 9, 2, 4), "one\n  two\n  three");
  EXPECT_EQ(wrapped("alpha,beta,gamma", 11, 1, 0), "alpha,beta,\n gamma");
  EXPECT_EQ(wrapped("abcdefgh", 4, 1, 0), "abcd\n efg\n h");
  EXPECT_EQ(wrapped("first\nsecond line\n", 8, 0, 0), "first\nsecond\nline\n");
  EXPECT_EQ(wrapped("", 8, 0, 0), "");
}

/// The help of a command for a terminal of so many columns.
std::string help_at(std::size_t width, const std::string& command) {
  CLI::App app;
  app.name("cornu");
  add_commands(app);
  CLI::App* const named = command.empty() ? &app : app.get_subcommand(command);
  named->formatter(std::make_shared<HelpFormatter>(width));
  return named->help();
}

TEST(HelpFormatterTest, NoLineIsWiderThanTheTerminal) {
  for (const std::size_t width : {40, 64, 80, 110}) {
    for (const char* const command : {"", "bench", "explain", "worker", "advise", "model"}) {
      std::istringstream help(help_at(width, command));
      for (std::string line; std::getline(help, line);)
        EXPECT_LE(line.size(), width) << command << " at " << width << ": " << line;
    }
  }
}

TEST(HelpFormatterTest, ANarrowTerminalHasTheMeaningBelowTheName) {
  const std::string wide = help_at(100, "bench"), narrow = help_at(50, "bench");
  EXPECT_NE(wide.find("  --json                      "), std::string::npos) << wide;
  EXPECT_NE(narrow.find("  --json\n      "), std::string::npos) << narrow;
}

TEST(HelpFormatterTest, ADefaultAndWhatIsRequiredStandBehindTheMeaning) {
  std::string help = help_at(110, "explain");
  const auto is_repeated = [](char a, char b) { return a == ' ' && b == ' '; };
  std::replace(help.begin(), help.end(), '\n', ' ');
  help.erase(std::unique(help.begin(), help.end(), is_repeated), help.end());
  EXPECT_NE(help.find("(default: cpu)"), std::string::npos) << help;
  EXPECT_NE(help.find("(required)"), std::string::npos) << help;
  EXPECT_NE(help.find("(not with --predict, --stage)"), std::string::npos) << help;
}

}  // namespace
}  // namespace cornu::inline v0::cli
