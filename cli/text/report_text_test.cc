#include "cli/text/report_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "cli/text/terminal.h"

namespace cornu::inline v0::cli {
namespace {

// As Executable::explain() prints it.
constexpr const char* kExplained =
    "step: 2 groups, 0 library calls, compiled in 11.2 ms for avx512, 2 threads\n"
    "   # kind       loops           slices      bytes   pred. us             ops\n"
    "   0 rows       20x4                 1        640      0.052             gather_rows\n"
    "   1   loop     128x512             26     591876    164.212             dense: add maximum multiply\n"
    "     total                                 592516    164.264             (predicted for one thread)\n"
    "2 replicas in this program: what they add up are additions\n";

TEST(ReportTextTest, AFileGetsTheReportUnchanged) { EXPECT_EQ(report_text(kExplained, {}), kExplained); }

TEST(ReportTextTest, AWideTerminalToo) { EXPECT_EQ(report_text(kExplained, 120), kExplained); }

TEST(ReportTextTest, ATableLosesBlankColumnsAndThenItsLastColumnIsBroken) {
  EXPECT_EQ(report_text(kExplained, 76),
            "step: 2 groups, 0 library calls, compiled in 11.2 ms for avx512, 2 threads\n"
            "# kind    loops    slices   bytes  pred. us  ops\n"
            "0 rows    20x4          1     640     0.052  gather_rows\n"
            "1   loop  128x512      26  591876   164.212  dense: add maximum multiply\n"
            "total                      592516   164.264  (predicted for one thread)\n"
            "2 replicas in this program: what they add up are additions\n");
  const std::string broken = report_text(kExplained, 66);
  EXPECT_NE(broken.find("164.212  dense: add maximum\n" + std::string(45, ' ') + "multiply\n"),
            std::string::npos)
      << broken;
}

TEST(ReportTextTest, ANarrowTerminalGetsRecords) {
  const std::string text = report_text(kExplained, 40);
  EXPECT_NE(text.find("# kind    1   loop\nloops     128x512\nslices    26\n"), std::string::npos) << text;
  EXPECT_NE(text.find("ops       dense: add maximum multiply\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n2 replicas in this program: what they\n  add up are additions\n"), std::string::npos)
      << text;
}

TEST(ReportTextTest, NumbersStayBelowEachOther) {
  const std::string calls =
      "calls of fit on sim:ideal:\n"
      "call       how often          of                     bytes       seconds\n"
      "write              3           6 buffers                24      0.000000\n"
      "execute         1710        1710 steps              697680     12.500000\n";
  EXPECT_EQ(report_text(calls, 60),
            "calls of fit on sim:ideal:\n"
            "call     how often          of   bytes    seconds\n"
            "write            3   6 buffers      24   0.000000\n"
            "execute       1710  1710 steps  697680  12.500000\n");
}

TEST(ReportTextTest, NoLineIsWiderThanTheTerminal) {
  for (const std::size_t width : {20, 30, 40, 60, 80}) {
    std::istringstream lines(report_text(kExplained, width));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(width_of(line), width) << line;
  }
}

TEST(ReportTextTest, ALineOfProseIsNoTableAndKeepsItsIndent) {
  EXPECT_EQ(report_text("  one two three four\n", 12), "  one two\n    three\n    four\n");
  EXPECT_EQ(report_text("a  b  c\nprose without columns that is long\n", 20),
            "a  b  c\nprose without\n  columns that is\n  long\n");
}

}  // namespace
}  // namespace cornu::inline v0::cli
