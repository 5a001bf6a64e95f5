#include "cornu/ops/reduce_precision/reduce_precision.h"

#include <cstdio>
#include <cstring>

#include "cornu/base/check.h"
#include "cornu/ir/op_def.h"
#include "cornu/ir/text/op_attributes.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/operands.h"

namespace cornu::inline v0::ops {
namespace reduce_precision_folder {
namespace {

struct FloatFormat {
  int exponent_bits, mantissa_bits;
};

FloatFormat format_of(ir::DType dtype) {
  switch (dtype) {
    case ir::DType::kF16: return {5, 10};
    case ir::DType::kBF16: return {8, 7};
    case ir::DType::kF32: return {8, 23};
    default: return {11, 52};
  }
}

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  check_operands(context, 1);
  if (!ir::is_float(context.type(0).dtype))
    invalid_argument("(I1) operand must be of floats; got {}", context.type(0).str());
  const auto exponent_bits = context.attributes.get<std::int64_t>("exponent_bits");
  const auto mantissa_bits = context.attributes.get<std::int64_t>("mantissa_bits");
  if (exponent_bits < 1) invalid_argument("(C2) exponent_bits must be at least 1; got {}", exponent_bits);
  if (mantissa_bits < 0) invalid_argument("(C3) mantissa_bits must not be negative; got {}", mantissa_bits);
  return {context.type(0)};
}

/// The bits of a number of `from`, rounded to a format of fewer bits; a larger one changes nothing.
std::uint64_t rounded_bits(std::uint64_t bits, FloatFormat from, std::int64_t exponent_bits,
                           std::int64_t mantissa_bits) {
  const std::uint64_t sign = std::uint64_t{1} << (from.exponent_bits + from.mantissa_bits);
  const std::uint64_t infinity = ((std::uint64_t{1} << from.exponent_bits) - 1) << from.mantissa_bits;
  std::uint64_t magnitude = bits & (sign - 1);
  // NaN; a format without a mantissa has none.
  if (magnitude > infinity) return mantissa_bits == 0 ? (bits & sign) | infinity : bits;
  if (mantissa_bits < from.mantissa_bits) {
    const auto dropped = static_cast<int>(from.mantissa_bits - mantissa_bits);
    const std::uint64_t last_kept = (magnitude >> dropped) & 1;
    // A carry runs into the exponent, up to infinity, as it must.
    magnitude += (std::uint64_t{1} << (dropped - 1)) - 1 + last_kept;
    magnitude &= ~((std::uint64_t{1} << dropped) - 1);
  }
  if (exponent_bits < from.exponent_bits) {
    const std::int64_t bias = (std::int64_t{1} << (from.exponent_bits - 1)) - 1,
                       reach = (std::int64_t{1} << (exponent_bits - 1)) - 1;
    const auto exponent = static_cast<std::int64_t>(magnitude >> from.mantissa_bits);
    if (exponent > bias + reach) magnitude = infinity;
    if (exponent <= bias - reach) magnitude = 0;
  }
  return (bits & sign) | magnitude;
}

std::vector<ir::Literal> reference(const ir::ReferenceContext& context) {
  ir::Literal result(context.op.result().type());
  const auto exponent_bits = context.op.attributes().get<std::int64_t>("exponent_bits");
  const auto mantissa_bits = context.op.attributes().get<std::int64_t>("mantissa_bits");
  const FloatFormat from = format_of(result.type().dtype);
  const std::size_t size = ir::size_bytes(result.type().dtype);
  for (std::size_t i = 0; i < static_cast<std::size_t>(result.type().num_elements()); ++i) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, context.operands[0].bytes().data() + i * size, size);
    bits = rounded_bits(bits, from, exponent_bits, mantissa_bits);
    std::memcpy(result.mutable_bytes().data() + i * size, &bits, size);
  }
  return {result};
}

std::vector<ir::Value> gradient(const ir::GradientContext& context) {
  const ir::Attributes& attributes = context.op.attributes();
  return {reduce_precision(context.builder, context.result_gradients[0],
                           attributes.get<std::int64_t>("exponent_bits"),
                           attributes.get<std::int64_t>("mantissa_bits"))};
}

std::string print_attributes(const ir::Op& op) {
  return fmt::format("exponent_bits = {} : i32, mantissa_bits = {} : i32",
                     op.attributes().get<std::int64_t>("exponent_bits"),
                     op.attributes().get<std::int64_t>("mantissa_bits"));
}

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

const ir::OpDef kReducePrecision = {.name = "reduce_precision",
                                    .infer = infer,
                                    .gradient = gradient,
                                    .reference = reference,
                                    .elementwise = true,
                                    .print_attributes = print_attributes,
                                    .read_attributes = read_attributes};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kReducePrecision>(); }

}  // namespace reduce_precision_folder

ir::Value reduce_precision(ir::Builder& builder, ir::Value x, std::int64_t exponent_bits,
                           std::int64_t mantissa_bits) {
  return builder
      .create(reduce_precision_folder::kReducePrecision, {x},
              {{"exponent_bits", exponent_bits}, {"mantissa_bits", mantissa_bits}})
      .result();
}

}  // namespace cornu::inline v0::ops
