#include "cornu/base/printable.h"

#include <fmt/format.h>

namespace cornu::inline v0 {
namespace {

std::string escaped(std::string_view text, std::string_view kept) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : '\0');
    const bool is_c1 = byte == 0xC2 && next >= 0x80 && next <= 0x9F;  // one of them begins escape sequences
    if (is_c1) {
      result += fmt::format("\\x{:02x}", next);
      ++i;
    } else if ((byte < 0x20 || byte == 0x7F) && kept.find(text[i]) == std::string_view::npos) {
      result += fmt::format("\\x{:02x}", byte);
    } else {
      result += text[i];
    }
  }
  return result;
}

}  // namespace

std::string printable(std::string_view text) { return escaped(text, ""); }
std::string printable_lines(std::string_view text) { return escaped(text, "\n\t"); }

}  // namespace cornu::inline v0
