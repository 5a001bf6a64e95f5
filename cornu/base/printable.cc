#include "cornu/base/printable.h"

#include <fmt/format.h>

namespace cornu::inline v0 {
namespace {

/// Control characters, also those of the second set (U+0080 to U+009F), of two bytes in UTF-8.
std::size_t control_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x20 || byte(0) == 0x7F) return 1;
  return byte(0) == 0xC2 && text.size() > 1 && byte(1) >= 0x80 && byte(1) < 0xA0 ? 2 : 0;
}

}  // namespace

std::string printable(std::string_view text, std::size_t longest) {
  if (text.size() > longest) {
    const std::size_t end = longest / 4, begin = longest - end;
    return fmt::format("{} [{} bytes] {}", printable(text.substr(0, begin), longest), text.size() - longest,
                       printable(text.substr(text.size() - end), longest));
  }
  std::string result;
  while (!text.empty()) {
    const std::size_t controls = control_length(text);
    for (std::size_t i = 0; i < controls; ++i)
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[i]));
    if (controls == 0) result += text[0];
    text.remove_prefix(controls == 0 ? 1 : controls);
  }
  return result;
}

}  // namespace cornu::inline v0
