#include "cornu/backends/pjrt/precision.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace cornu::inline v0::backends::pjrt {
namespace {

constexpr std::string_view kEndOfProperties = "}> : (";

/// The value of precision_config. With an algorithm it must be DEFAULT.
const char* stablehlo_name(runtime::Precision precision, bool has_algorithm) {
  switch (precision) {
    case runtime::Precision::kAuto:
    case runtime::Precision::kHighest: return "HIGHEST";
    case runtime::Precision::kHigh: return "HIGH";
    case runtime::Precision::kTf32: return has_algorithm ? "DEFAULT" : "HIGH";
    case runtime::Precision::kBf16:
    case runtime::Precision::kDefault: return "DEFAULT";
  }
  return "";
}

/// The type to which an algorithm rounds operands; empty: no algorithm.
std::string_view operand_type(runtime::Precision precision) {
  if (precision == runtime::Precision::kBf16) return "bf16";
  if (precision == runtime::Precision::kTf32) return "tf32";
  return "";
}

/// True if all types in a text such as "tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>" are f32.
bool are_f32(std::string_view types) {
  for (std::size_t at = types.find("tensor<"); at != std::string_view::npos;
       at = types.find("tensor<", at + 1)) {
    const std::string_view type = types.substr(at, types.find('>', at) - at);
    if (!type.ends_with("xf32") && !type.ends_with("<f32")) return false;
  }
  return true;
}

std::string attributes_of(std::string_view line, std::size_t properties, runtime::Precision precision) {
  const bool is_dot = line.find("\"stablehlo.dot_general\"(") != std::string_view::npos;
  if (!is_dot && line.find("\"stablehlo.convolution\"(") == std::string_view::npos) return "";
  const std::string_view operand = operand_type(precision);
  const bool has_algorithm = is_dot && !operand.empty() && are_f32(line.substr(properties));
  const char* const name = stablehlo_name(precision, has_algorithm);
  std::string text =
      fmt::format(", precision_config = [#stablehlo<precision {}>, #stablehlo<precision {}>]", name, name);
  if (has_algorithm)
    text += fmt::format(
        ", algorithm = #stablehlo.dot_algorithm<lhs_precision_type = {}, rhs_precision_type = {}, "
        "accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, "
        "num_primitive_operations = 1, allow_imprecise_accumulation = false>",
        operand, operand);
  return text;
}

}  // namespace

runtime::Precision precision_of(const runtime::StepProgram& program, runtime::Precision of_client) {
  return program.precision == runtime::Precision::kAuto ? of_client : program.precision;
}

std::string with_precision(const std::string& text, runtime::Precision precision) {
  std::string result;
  result.reserve(text.size() + text.size() / 8);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    begin = end;
    const std::size_t properties = line.rfind(kEndOfProperties);
    result += line.substr(0, properties);
    if (properties == std::string_view::npos) continue;
    result += attributes_of(line, properties, precision);
    result += line.substr(properties);
  }
  return result;
}

}  // namespace cornu::inline v0::backends::pjrt
