#include "cornu/base/printable.h"

#include <fmt/format.h>

namespace cornu::inline v0 {
namespace {

/// The size of the control character at the front, 0 if there is none. Those of the second set (U+0080 to
/// U+009F), one of which begins escape sequences, have two bytes in UTF-8.
std::size_t control_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x20 || byte(0) == 0x7F) return 1;
  return byte(0) == 0xC2 && text.size() > 1 && byte(1) >= 0x80 && byte(1) < 0xA0 ? 2 : 0;
}

std::string escaped(std::string_view text, std::string_view kept) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const std::size_t controls = kept.find(text[0]) == std::string_view::npos ? control_length(text) : 0;
    for (std::size_t i = 0; i < controls; ++i)
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[i]));
    if (controls == 0) result += text[0];
    text.remove_prefix(controls == 0 ? 1 : controls);
  }
  return result;
}

}  // namespace

std::string printable(std::string_view text, std::size_t longest) {
  if (text.size() <= longest) return escaped(text, "");
  const std::size_t end = longest / 4, begin = longest - end;
  return fmt::format("{} [{} bytes] {}", escaped(text.substr(0, begin), ""), text.size() - longest,
                     escaped(text.substr(text.size() - end), ""));
}

std::string printable_lines(std::string_view text) { return escaped(text, "\n\t"); }

}  // namespace cornu::inline v0
