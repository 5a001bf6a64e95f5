#include "cornu/ir/text/source.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/base/printable.h"

namespace cornu::inline v0::ir::text {

std::string Source::place(std::size_t position) const {
  if (form_ == SourceForm::kBytecode) return fmt::format("{}: byte {}: ", printable(name_), position);
  const std::string_view before = text_.substr(0, std::min(position, text_.size()));
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  return fmt::format("{}:{}:{}: ", printable(name_), line, before.size() - line_start + 1);
}

void Source::fail_at(std::size_t position, const std::string& message) const {
  fail_at(position, Error(ErrorCode::kInvalidArgument, message));
}

void Source::fail_at(std::size_t position, const Error& error) const {
  constexpr std::size_t kLongestMessage = 2000;  // the message may quote text of any length
  throw Error(error.code(), place(position) + printable(error.what(), kLongestMessage));
}

}  // namespace cornu::inline v0::ir::text
