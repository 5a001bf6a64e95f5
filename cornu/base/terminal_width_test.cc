#include "cornu/base/terminal_width.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

namespace cornu::inline v0 {
namespace {

TEST(TerminalWidthTest, AFileHasNoneAndCOLUMNSDecides) {
  unsetenv("COLUMNS");
  const int file = ::open("/dev/null", O_WRONLY);
  EXPECT_EQ(terminal_width(file), std::nullopt);
  setenv("COLUMNS", "52", 1);
  EXPECT_EQ(terminal_width(file), 52U);
  unsetenv("COLUMNS");
  ::close(file);
}

TEST(TerminalWidthTest, ATerminalHasItsColumns) {
  unsetenv("COLUMNS");
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0) GTEST_SKIP() << "there are no pseudo terminals";
  const winsize size{.ws_row = 24, .ws_col = 61, .ws_xpixel = 0, .ws_ypixel = 0};
  ioctl(terminal, TIOCSWINSZ, &size);
  EXPECT_EQ(terminal_width(terminal), 61U);
  ::close(terminal);
}

}  // namespace
}  // namespace cornu::inline v0
