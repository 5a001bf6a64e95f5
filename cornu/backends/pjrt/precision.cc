#include "cornu/backends/pjrt/precision.h"

#include <algorithm>

#include "cornu/base/check.h"

namespace cornu::inline v0::backends::pjrt {
namespace {

const char* stablehlo_name(Precision precision) {
  switch (precision) {
    case Precision::kHighest: return "HIGHEST";
    case Precision::kHigh: return "HIGH";
    case Precision::kDefault: return "DEFAULT";
  }
  return "";
}

bool has_precision(std::string_view line) {
  return line.find("\"stablehlo.dot_general\"(") != std::string_view::npos ||
         line.find("\"stablehlo.convolution\"(") != std::string_view::npos;
}

}  // namespace

Precision parse_precision(std::string_view name) {
  if (name == "highest") return Precision::kHighest;
  if (name == "high") return Precision::kHigh;
  if (name == "default") return Precision::kDefault;
  invalid_argument("[pjrt] the setting \"precision\" must be highest, high or default; got \"{}\"", name);
}

std::string with_precision(const std::string& text, Precision precision) {
  const std::string value = stablehlo_name(precision);
  const std::string config =
      fmt::format(", precision_config = [#stablehlo<precision {}>, #stablehlo<precision {}>]", value, value);
  constexpr std::string_view kEndOfProperties = "}> : (";
  std::string result;
  result.reserve(text.size() + text.size() / 8);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    begin = end;
    const std::size_t properties =
        has_precision(line) ? line.rfind(kEndOfProperties) : std::string_view::npos;
    result += line.substr(0, properties);
    if (properties == std::string_view::npos) continue;
    result += config;
    result += line.substr(properties);
  }
  return result;
}

}  // namespace cornu::inline v0::backends::pjrt
