#include "cornu/ops/clamp/clamp.h"

#include "cornu/base/check.h"
#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"
#include "cornu/ops/compare/compare.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/dtype_set.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/extrema.h"
#include "cornu/ops/operands.h"
#include "cornu/ops/reduce/reduce.h"
#include "cornu/ops/select/select.h"

namespace cornu::inline v0::ops {
namespace clamp_folder {
namespace {

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  check_operands(context, 3);
  const ir::TensorType &min = context.type(0), &operand = context.type(1), &max = context.type(2);
  if (min.rank() != 0 && min.dims != operand.dims)
    invalid_argument("(C1) min must be a scalar or have operand's shape {}; got {}",
                     ir::shape_str(operand.dims), min.str());
  if (max.rank() != 0 && max.dims != operand.dims)
    invalid_argument("(C2) max must be a scalar or have operand's shape {}; got {}",
                     ir::shape_str(operand.dims), max.str());
  if (min.dtype != operand.dtype || max.dtype != operand.dtype)
    invalid_argument("(C3) min, operand and max must have one dtype; got {}, {} and {}", min.str(),
                     operand.str(), max.str());
  return {operand};
}

/// A bound in the operand's shape.
ir::Value spread(ir::Builder& b, ir::Value bound, const ir::TensorType& type) {
  return bound.rank() == type.rank() ? bound : broadcast_scalar(b, bound, type.dims);
}

/// The gradient of a bound: the sum over all that it limited when it is a scalar.
ir::Value gather_bound(ir::Builder& b, ir::Value gradient, ir::Value bound) {
  if (bound.rank() == gradient.rank()) return gradient;
  ir::Dims all;
  for (std::int64_t i = 0; i < gradient.rank(); ++i) all.push_back(i);
  return reduce_sum(b, gradient, all);
}

std::vector<ir::Value> gradient(const ir::GradientContext& context) {
  const ir::Value g = context.result_gradients[0];
  if (!g) return std::vector<ir::Value>(3);
  ir::Builder& b = context.builder;
  const ir::Value operand = context.op.operand(1);
  const ir::Value min = spread(b, context.op.operand(0), operand.type());
  const ir::Value max = spread(b, context.op.operand(2), operand.type());
  const ir::Value zero = full(b, g.type(), 0);
  const ir::Value above_min = compare(b, operand, min, ComparisonDirection::kGt);
  const ir::Value below_max = compare(b, operand, max, ComparisonDirection::kLt);
  const ir::Value min_gradient = select(b, compare(b, operand, min, ComparisonDirection::kLt), g, zero);
  const ir::Value max_gradient = select(b, compare(b, operand, max, ComparisonDirection::kGt), g, zero);
  return {gather_bound(b, min_gradient, context.op.operand(0)),
          select(b, and_(b, above_min, below_max), g, zero),
          gather_bound(b, max_gradient, context.op.operand(2))};
}

std::vector<ir::Literal> reference(const ir::ReferenceContext& context) {
  ir::Literal result(context.op.result().type());
  visit_reference_dtype(context.op, result.type().dtype, [&]<typename T>() {
    const std::span<const T> min = context.operands[0].data<T>(), x = context.operands[1].data<T>(),
                             max = context.operands[2].data<T>();
    const std::span<T> out = result.mutable_data<T>();
    const bool one_min = context.operands[0].type().rank() == 0,
               one_max = context.operands[2].type().rank() == 0;
    for (std::size_t i = 0; i < out.size(); ++i) {
      const T low = min[one_min ? 0 : i], high = max[one_max ? 0 : i];
      out[i] = smaller_of(larger_of(x[i], low), high);
    }
  });
  return {result};
}

// Not marked elementwise: the bounds may be scalars beside a tensor.
const ir::OpDef kClamp = {.name = "clamp",
                          .infer = &infer,
                          .gradient = &gradient,
                          .reference = &reference,
                          .reference_by_f32 = true};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kClamp>(); }

}  // namespace clamp_folder

ir::Value clamp(ir::Builder& b, ir::Value min, ir::Value operand, ir::Value max) {
  return b.create(clamp_folder::kClamp, {min, operand, max}).result();
}

}  // namespace cornu::inline v0::ops
