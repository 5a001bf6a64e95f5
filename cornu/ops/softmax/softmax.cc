#include "cornu/ops/softmax/softmax.h"

#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/elementwise_unary/elementwise_unary.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/operands.h"
#include "cornu/ops/reduce/reduce.h"

namespace cornu::inline v0::ops {
namespace softmax_folder {
namespace {

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  check_operands(context, 1);
  check_float(context.type(0));
  normalized_axis(context.attributes.get<std::int64_t>("axis"), context.type(0).rank());
  return {context.type(0)};
}

/// A value a row, repeated along `axis`.
ir::Value spread(ir::Builder& builder, ir::Value value, ir::Value like, std::int64_t axis) {
  return broadcast_in_dim(builder, value, like.dims(), remaining_dimensions(like.rank(), {axis}));
}

std::vector<ir::Value> decompose(ir::Builder& builder, std::span<const ir::Value> operands,
                                 const ir::Attributes& attributes) {
  const ir::Value x = operands[0];
  const std::int64_t axis = normalized_axis(attributes.get<std::int64_t>("axis"), x.rank());
  const ir::Value e =
      exponential(builder, subtract(builder, x, spread(builder, reduce_max(builder, x, {axis}), x, axis)));
  return {divide(builder, e, spread(builder, reduce_sum(builder, e, {axis}), x, axis))};
}

std::vector<ir::Value> gradient(const ir::GradientContext& context) {
  ir::Builder& builder = context.builder;
  const ir::Value y = context.op.result(), dy = context.result_gradients[0];
  const std::int64_t axis = normalized_axis(context.op.attributes().get<std::int64_t>("axis"), y.rank());
  const ir::Value sum = reduce_sum(builder, multiply(builder, dy, y), {axis});
  return {multiply(builder, y, subtract(builder, dy, spread(builder, sum, y, axis)))};
}

const ir::OpDef kSoftmax = {
    .name = "cornu.softmax", .infer = infer, .gradient = gradient, .decompose = decompose};

}  // namespace

std::span<const ir::OpDef* const> op_defs() {
  static const ir::OpDef* const defs[] = {&kSoftmax};
  return defs;
}

}  // namespace softmax_folder

ir::Value softmax(ir::Builder& builder, ir::Value x, std::int64_t axis) {
  return builder.create(softmax_folder::kSoftmax, {x}, {{"axis", axis}}).result();
}

}  // namespace cornu::inline v0::ops
