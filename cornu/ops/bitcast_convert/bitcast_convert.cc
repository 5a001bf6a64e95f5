#include "cornu/ops/bitcast_convert/bitcast_convert.h"

#include <algorithm>

#include "cornu/base/check.h"

namespace cornu::ops {
namespace bitcast_convert_folder {
namespace {

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  CORNU_CHECK(context.operands.size() == 1);
  const auto dtype = context.attributes.get<ir::DType>("dtype");
  if (ir::bit_width(dtype) != ir::bit_width(context.type(0).dtype))
    invalid_argument("(C1) operand and result must have one bit width; got {} and {}", context.type(0).str(), ir::stablehlo_name(dtype));
  return {{dtype, context.type(0).dims}};
}

std::vector<ir::Literal> reference(const ir::ReferenceContext& context) {
  ir::Literal result(context.op.result().type());
  std::ranges::copy(context.operands[0].bytes(), result.mutable_bytes().begin());
  return {result};
}

const ir::OpDef kBitcastConvert = {.name = "bitcast_convert",
                                   .infer = &infer,
                                   .gradient = [](const ir::GradientContext&) { return std::vector<ir::Value>(1); },
                                   .reference = &reference,
                                   .elementwise = true,
                                   .print_attributes = [](const ir::Op&) { return std::string(); }};

}  // namespace

std::span<const ir::OpDef* const> op_defs() {
  static constexpr const ir::OpDef* defs[] = {&kBitcastConvert};
  return defs;
}

}  // namespace bitcast_convert_folder

ir::Value bitcast_convert(ir::Builder& b, ir::Value operand, ir::DType dtype) {
  return b.create(bitcast_convert_folder::kBitcastConvert, {operand}, {{"dtype", dtype}}).result();
}

}  // namespace cornu::ops
