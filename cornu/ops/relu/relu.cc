#include "cornu/ops/relu/relu.h"

#include "cornu/base/check.h"
#include "cornu/ops/compare/compare.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/operands.h"
#include "cornu/ops/select/select.h"

namespace cornu::inline v0::ops {
namespace relu_folder {
namespace {

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  check_operands(context, 1);
  const ir::TensorType& x = context.type(0);
  if (!ir::is_float(x.dtype) && !ir::is_signed_integer(x.dtype))
    invalid_argument("the operand must be float or signed integer; got {}", x.str());
  return {x};
}

std::vector<ir::Value> decompose(ir::Builder& builder, std::span<const ir::Value> operands,
                                 const ir::Attributes&) {
  return {maximum(builder, operands[0], full(builder, operands[0].type(), 0))};
}

std::vector<ir::Value> gradient(const ir::GradientContext& context) {
  const ir::Value x = context.op.operand(0);
  const ir::Value zeros = full(context.builder, x.type(), 0);
  const ir::Value positive = compare(context.builder, x, zeros, ComparisonDirection::kGt);
  return {select(context.builder, positive, context.result_gradients[0], zeros)};
}

const ir::OpDef kRelu = {
    .name = "cornu.relu", .infer = infer, .gradient = gradient, .decompose = decompose, .elementwise = true};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kRelu>(); }

}  // namespace relu_folder

ir::Value relu(ir::Builder& builder, ir::Value x) { return builder.create(relu_folder::kRelu, {x}).result(); }

}  // namespace cornu::inline v0::ops
