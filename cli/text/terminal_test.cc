#include "cli/text/terminal.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>

#include "cli/text/suggestion.h"

namespace cornu::inline v0::cli {
namespace {

TEST(TerminalTest, LinesBreakAtSpacesThenAfterCommasThenWhereTheyAreFull) {
  EXPECT_EQ(wrapped("one two three", 80, 2, 0), "one two three");
  EXPECT_EQ(wrapped("one two three", 7, 2, 0), "one two\n  three");
  EXPECT_EQ(wrapped("one two three", 9, 2, 4), "one\n  two\n  three");
  EXPECT_EQ(wrapped("alpha,beta,gamma", 11, 1, 0), "alpha,beta,\n gamma");
  EXPECT_EQ(wrapped("abcdefgh", 4, 1, 0), "abcd\n efg\n h");
  EXPECT_EQ(wrapped("first\nsecond line\n", 8, 0, 0), "first\nsecond\nline\n");
  EXPECT_EQ(wrapped("", 8, 0, 0), "");
  EXPECT_EQ(wrapped("€€", 4, 0, 0), "€€") << "characters count, not bytes";
}

TEST(TerminalTest, APathStaysWhole) {
  EXPECT_EQ(wrapped("cannot read /a/long/path: no file", 12, 2, 0),
            "cannot read\n  /a/long/path:\n  no file");
  EXPECT_EQ(wrapped("cannot read no/file/here/at/all", 12, 2, 0), "cannot read\n  no/file/here/at/all");
}

TEST(TerminalTest, ClippedTextEndsWithAnEllipsis) {
  EXPECT_EQ(clipped("4 of 8", 6), "4 of 8");
  EXPECT_EQ(clipped("4 of 8: cpu", 6), "4 of …");
  EXPECT_EQ(clipped("€€€", 2), "€…");
}

TEST(TerminalTest, AWideTerminalHasMeaningsOnTheRightAndANarrowOneBelow) {
  const std::vector<ListEntry> entries = {{"cpu", "this machine"}, {"sim:a100", "simulated, 40 GB"}};
  EXPECT_EQ(list_text(entries, {}, 0), "cpu       this machine\nsim:a100  simulated, 40 GB\n");
  EXPECT_EQ(list_text(entries, 80, 2), "  cpu       this machine\n  sim:a100  simulated, 40 GB\n");
  EXPECT_EQ(list_text(entries, 16, 0), "cpu\n    this machine\nsim:a100\n    simulated,\n    40 GB\n");
}

TEST(TerminalTest, ATableThatDoesNotFitBecomesRecords) {
  const std::vector<std::string> titles = {"device", "step, ms (predicted)", "note"};
  const std::vector<std::vector<std::string>> rows = {{"cpu", "1.25", ""}, {"sim:k80", "0.5", "simulated"}};
  EXPECT_EQ(table_text(titles, rows, 80),
            "device   step, ms (predicted)  note\ncpu      1.25\nsim:k80  0.5                   simulated\n");
  EXPECT_EQ(
      table_text(titles, rows, 33),
      "         step, ms\ndevice   (predicted)  note\ncpu      1.25\nsim:k80  0.5          simulated\n");
  EXPECT_EQ(table_text(titles, rows, 30),
            "device\n  cpu\nstep, ms (predicted)\n  1.25\n\ndevice\n  sim:k80\nstep, ms (predicted)\n  0.5\n"
            "note\n  simulated\n");
  EXPECT_EQ(table_text({"a", "b"}, {{std::string(30, 'x'), "1"}}, 30),
            "a  " + std::string(27, 'x') + "\n   xxx\nb  1\n");
}

TEST(TerminalTest, NoLineOfATableIsWiderThanTheTerminal) {
  const std::vector<std::string> titles = {"workload", "first fit, ms a step", "by usl, s (predicted)",
                                           "share"};
  const std::vector<std::vector<std::string>> rows = {
      {"a workload with a long name", "12345.6", "a text of several words", "100 %"}};
  for (const std::size_t width : {20, 40, 60, 80, 120}) {
    std::istringstream lines(table_text(titles, rows, width));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), width) << line;
  }
}

TEST(TerminalTest, COLUMNSDecidesOverTheTerminal) {
  setenv("COLUMNS", "52", 1);
  EXPECT_EQ(text_width(), 52U);
  unsetenv("COLUMNS");
}

TEST(SuggestionTest, ANearNameIsProposedAndElseTheHintIsGiven) {
  const std::vector<std::string> known = {"mnist_mlp", "mnist_cnn"};
  EXPECT_EQ(suggestion("mnist_mpl", known, "see the list"), "did you mean \"mnist_mlp\"?");
  EXPECT_EQ(suggestion("zzz", known, "see the list"), "see the list");
}

}  // namespace
}  // namespace cornu::inline v0::cli
