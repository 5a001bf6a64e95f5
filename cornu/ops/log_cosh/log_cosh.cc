#include "cornu/ops/log_cosh/log_cosh.h"

#include <numbers>

#include "cornu/ops/constant/constant.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/elementwise_unary/elementwise_unary.h"
#include "cornu/ops/softplus/softplus.h"
#include "cornu/ops/special_math.h"

namespace cornu::inline v0::ops {
namespace log_cosh_folder {
namespace {

std::vector<ir::Value> decompose(ir::Builder& builder, std::span<const ir::Value> operands,
                                 const ir::Attributes&) {
  const ir::Value x = operands[0];
  const ir::Value soft = softplus(builder, multiply(builder, x, full(builder, x.type(), -2)));
  const ir::Value sum = add(builder, x, soft);
  return {subtract(builder, sum, full(builder, x.type(), std::numbers::ln2))};
}

std::vector<ir::Value> gradient(const ir::GradientContext& context) {
  return {
      multiply(context.builder, context.result_gradients[0], tanh(context.builder, context.op.operand(0)))};
}

const ir::OpDef kLogCosh = {.name = "cornu.log_cosh",
                            .infer = infer_float_function,
                            .gradient = gradient,
                            .decompose = decompose,
                            .elementwise = true};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kLogCosh>(); }

}  // namespace log_cosh_folder

ir::Value log_cosh(ir::Builder& builder, ir::Value x) {
  return builder.create(log_cosh_folder::kLogCosh, {x}).result();
}

}  // namespace cornu::inline v0::ops
