#include "cornu/ops/log_softmax/log_softmax.h"

#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/elementwise_unary/elementwise_unary.h"
#include "cornu/ops/reduce/reduce.h"
#include "cornu/ops/softmax/along_axis.h"

namespace cornu::inline v0::ops {
namespace log_softmax_folder {
namespace {

std::vector<ir::Value> decompose(ir::Builder& builder, std::span<const ir::Value> operands,
                                 const ir::Attributes& attributes) {
  const ir::Value x = operands[0];
  const std::int64_t axis = axis_of(attributes, x);
  const ir::Value shifted =
      subtract(builder, x, spread_along_axis(builder, reduce_max(builder, x, {axis}), x, axis));
  const ir::Value sum = reduce_sum(builder, exponential(builder, shifted), {axis});
  return {subtract(builder, shifted, spread_along_axis(builder, log(builder, sum), x, axis))};
}

std::vector<ir::Value> gradient(const ir::GradientContext& context) {
  ir::Builder& builder = context.builder;
  const ir::Value y = context.op.result(), dy = context.result_gradients[0];
  const std::int64_t axis = axis_of(context.op.attributes(), y);
  const ir::Value sum = spread_along_axis(builder, reduce_sum(builder, dy, {axis}), y, axis);
  return {subtract(builder, dy, multiply(builder, exponential(builder, y), sum))};
}

const ir::OpDef kLogSoftmax = {
    .name = "cornu.log_softmax", .infer = infer_along_axis, .gradient = gradient, .decompose = decompose};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kLogSoftmax>(); }

}  // namespace log_softmax_folder

ir::Value log_softmax(ir::Builder& builder, ir::Value x, std::int64_t axis) {
  return builder.create(log_softmax_folder::kLogSoftmax, {x}, {{"axis", axis}}).result();
}

}  // namespace cornu::inline v0::ops
