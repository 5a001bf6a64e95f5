#include "cornu/base/check.h"

#include <cstdlib>

namespace cornu::inline v0 {

void check_failed(const char* file, int line, const char* condition, std::string_view message) {
  fmt::print(stderr, "{}:{}: check failed: {}{}{}\n", file, line, condition, message.empty() ? "" : ": ",
             message);
  std::abort();
}

}  // namespace cornu::inline v0
