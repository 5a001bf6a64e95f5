#include "cornu/base/check.h"

#include <cstdlib>
#include <utility>

namespace cornu::inline v0 {

TaggedText format_tagged(fmt::string_view format, std::size_t tag_size, fmt::format_args args) {
  TaggedText result{.tag = {}, .text = fmt::vformat(format, args)};
  if (tag_size == 0) return result;
  const std::string tag = fmt::vformat({format.data(), tag_size}, args);  // "[dense] "
  result.text.erase(0, tag.size());
  result.tag = tag.substr(1, tag.size() - 3);
  return result;
}

void fail_formatted(ErrorCode code, ErrorFields fields, fmt::string_view format, std::size_t tag_size,
                    fmt::format_args args) {
  TaggedText tagged = format_tagged(format, tag_size, args);
  if (tag_size > 0) fields.op = std::move(tagged.tag);
  throw Error(code, tagged.text, std::move(fields));
}

void check_failed(const char* file, int line, const char* condition, std::string_view message) {
  fmt::print(stderr, "{}:{}: check failed: {}{}{}\n", file, line, condition, message.empty() ? "" : ": ",
             message);
  std::abort();
}

}  // namespace cornu::inline v0
