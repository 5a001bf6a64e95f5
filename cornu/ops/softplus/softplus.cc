#include "cornu/ops/softplus/softplus.h"

#include "cornu/ops/constant/constant.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/elementwise_unary/elementwise_unary.h"
#include "cornu/ops/special_math.h"

namespace cornu::inline v0::ops {
namespace softplus_folder {
namespace {

std::vector<ir::Value> decompose(ir::Builder& builder, std::span<const ir::Value> operands,
                                 const ir::Attributes&) {
  const ir::Value x = operands[0];
  const ir::Value small = log_plus_one(builder, exponential(builder, negate(builder, abs(builder, x))));
  return {add(builder, small, maximum(builder, x, full(builder, x.type(), 0)))};
}

std::vector<ir::Value> gradient(const ir::GradientContext& context) {
  return {multiply(context.builder, context.result_gradients[0],
                   logistic(context.builder, context.op.operand(0)))};
}

const ir::OpDef kSoftplus = {.name = "cornu.softplus",
                             .infer = infer_float_function,
                             .gradient = gradient,
                             .decompose = decompose,
                             .elementwise = true};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kSoftplus>(); }

}  // namespace softplus_folder

ir::Value softplus(ir::Builder& builder, ir::Value x) {
  return builder.create(softplus_folder::kSoftplus, {x}).result();
}

}  // namespace cornu::inline v0::ops
