#include <cstdio>

#include "cornu/ir/text/op_attributes.h"
#include "cornu/ops/op_texts.h"

namespace cornu::inline v0::ops::reduce_precision_folder {
namespace {

ir::Attributes read_attributes(ir::OpAttributes& text) {
  if (text.find({"format"}) == nullptr)
    return {{"exponent_bits", text.integer({"exponent_bits"})},
            {"mantissa_bits", text.integer({"mantissa_bits"})}};
  const std::string format = text.word({"format"});  // the short form: e8m7
  int exponent_bits = 0, mantissa_bits = 0, end = 0;
  if (std::sscanf(format.c_str(), "e%3dm%3d%n", &exponent_bits, &mantissa_bits, &end) != 2 ||
      end != static_cast<int>(format.size()))
    text.fail(text.get({"format"}).begin, "format must be such as e8m7");
  return {{"exponent_bits", std::int64_t{exponent_bits}}, {"mantissa_bits", std::int64_t{mantissa_bits}}};
}

}  // namespace

std::span<const ir::OpText> op_texts() {
  static constexpr ir::OpText rows[] = {{.name = "reduce_precision", .read_attributes = &read_attributes}};
  return rows;
}

}  // namespace cornu::inline v0::ops::reduce_precision_folder
