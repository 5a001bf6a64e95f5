#include "cornu/ops/softmax/softmax.h"

#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/elementwise_unary/elementwise_unary.h"
#include "cornu/ops/reduce/reduce.h"
#include "cornu/ops/softmax/along_axis.h"

namespace cornu::inline v0::ops {
namespace softmax_folder {
namespace {

std::vector<ir::Value> decompose(ir::Builder& builder, std::span<const ir::Value> operands,
                                 const ir::Attributes& attributes) {
  const ir::Value x = operands[0];
  const std::int64_t axis = axis_of(attributes, x);
  const ir::Value e = exponential(
      builder, subtract(builder, x, spread_along_axis(builder, reduce_max(builder, x, {axis}), x, axis)));
  return {divide(builder, e, spread_along_axis(builder, reduce_sum(builder, e, {axis}), x, axis))};
}

std::vector<ir::Value> gradient(const ir::GradientContext& context) {
  ir::Builder& builder = context.builder;
  const ir::Value y = context.op.result(), dy = context.result_gradients[0];
  const std::int64_t axis = axis_of(context.op.attributes(), y);
  const ir::Value sum = reduce_sum(builder, multiply(builder, dy, y), {axis});
  return {multiply(builder, y, subtract(builder, dy, spread_along_axis(builder, sum, y, axis)))};
}

const ir::OpDef kSoftmax = {
    .name = "cornu.softmax", .infer = infer_along_axis, .gradient = gradient, .decompose = decompose};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kSoftmax>(); }

}  // namespace softmax_folder

ir::Value softmax(ir::Builder& builder, ir::Value x, std::int64_t axis) {
  return builder.create(softmax_folder::kSoftmax, {x}, {{"axis", axis}}).result();
}

}  // namespace cornu::inline v0::ops
