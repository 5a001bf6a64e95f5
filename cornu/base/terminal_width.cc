#include "cornu/base/terminal_width.h"

#include <sys/ioctl.h>

#include "cornu/base/environment.h"

namespace cornu::inline v0 {

std::optional<std::size_t> terminal_width(int descriptor) {
  if (const std::optional<int> columns = environment::columns(); columns.has_value()) return *columns;
  winsize size = {};
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return std::nullopt;
}

}  // namespace cornu::inline v0
