#pragma once

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

namespace cornu::inline v0::cli {

/// While it lives the standard output is a terminal of `columns` columns, whose text is kept.
class PseudoTerminal {
 public:
  explicit PseudoTerminal(unsigned short columns) : main_(posix_openpt(O_RDWR | O_NOCTTY)) {
    std::fflush(stdout);
    before_ = dup(STDOUT_FILENO);
    if (main_ < 0 || grantpt(main_) != 0 || unlockpt(main_) != 0) return;
    const int other = ::open(ptsname(main_), O_RDWR | O_NOCTTY);
    const winsize size{.ws_row = 24, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
    ioctl(other, TIOCSWINSZ, &size);
    dup2(other, STDOUT_FILENO);
    ::close(other);
    reader_ = std::thread([this] {
      char buffer[4096];
      for (ssize_t count = 0; (count = ::read(main_, buffer, sizeof buffer)) > 0;)
        text_.append(buffer, static_cast<std::size_t>(count));
    });
  }
  ~PseudoTerminal() { (void)text(); }
  PseudoTerminal(const PseudoTerminal&) = delete;
  PseudoTerminal& operator=(const PseudoTerminal&) = delete;

  /// False on a machine without pseudo terminals.
  bool is_open() const { return reader_.joinable(); }

  /// Gives the standard output back and returns all text that went to the terminal.
  std::string text() {
    std::fflush(stdout);
    if (before_ >= 0) {
      dup2(before_, STDOUT_FILENO);  // the last descriptor of the terminal: its reader ends
      ::close(before_);
      before_ = -1;
    }
    if (reader_.joinable()) reader_.join();
    if (main_ >= 0) ::close(main_);
    main_ = -1;
    return text_;
  }

 private:
  int main_ = -1;
  int before_ = -1;
  std::thread reader_;
  std::string text_;
};

}  // namespace cornu::inline v0::cli
