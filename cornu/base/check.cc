#include "cornu/base/check.h"

#include <cstdlib>
#include <utility>

namespace cornu::inline v0 {

void fail_formatted(ErrorCode code, ErrorFields fields, fmt::string_view format, std::size_t tag_size,
                    fmt::format_args args) {
  std::string message = fmt::vformat(format, args);
  if (tag_size > 0) {
    const std::string tag = fmt::vformat({format.data(), tag_size}, args);  // "[dense] "
    message.erase(0, tag.size());
    fields.op = tag.substr(1, tag.size() - 3);
  }
  throw Error(code, message, std::move(fields));
}

void check_failed(const char* file, int line, const char* condition, std::string_view message) {
  fmt::print(stderr, "{}:{}: check failed: {}{}{}\n", file, line, condition, message.empty() ? "" : ": ",
             message);
  std::abort();
}

}  // namespace cornu::inline v0
