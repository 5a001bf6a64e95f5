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

/// The help of a command for a terminal of `width` columns.
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
    for (const char* const command :
         {"", "bench", "explain", "worker", "advise", "model", "study", "calibrate"}) {
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

TEST(HelpFormatterTest, DefaultsAndRequirementsFollowTheMeaning) {
  std::string help = help_at(110, "explain");
  const auto is_repeated = [](char a, char b) { return a == ' ' && b == ' '; };
  std::replace(help.begin(), help.end(), '\n', ' ');
  help.erase(std::unique(help.begin(), help.end(), is_repeated), help.end());
  EXPECT_NE(help.find("(default: cpu)"), std::string::npos) << help;
  EXPECT_NE(help.find("(required)"), std::string::npos) << help;
  EXPECT_NE(help.find("(not with --predict, --stage)"), std::string::npos) << help;
}

TEST(HelpFormatterTest, ValuesHaveNamesThatANewcomerReads) {
  const std::string help = help_at(110, "bench");
  EXPECT_NE(help.find("Usage: cornu bench WORKLOAD [OPTIONS]"), std::string::npos) << help;
  EXPECT_NE(help.find("--threads N "), std::string::npos) << help;
  EXPECT_NE(help.find("(1 to 256)"), std::string::npos) << help;
  EXPECT_NE(help.find("--seconds NUMBER "), std::string::npos) << help;
  EXPECT_NE(help.find("--isa LEVEL "), std::string::npos) << help;
  EXPECT_NE(help.find("--worker HOST:PORT "), std::string::npos) << help;
  EXPECT_EQ(help.find("INT"), std::string::npos) << help;
  EXPECT_NE(help_at(110, "worker").find("--tls-cert FILE "), std::string::npos);
}

TEST(HelpFormatterTest, AListOfWordsComesAfterTheOptionsInTheUsage) {
  CLI::App app;
  app.name("cornu");
  add_commands(app);
  const std::string help = app.get_subcommand("study")->get_subcommand("cost")->help();
  EXPECT_NE(help.find("Usage: cornu study cost [OPTIONS] [-- COMMAND ...]"), std::string::npos) << help;
}

}  // namespace
}  // namespace cornu::inline v0::cli
