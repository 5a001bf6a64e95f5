#include "cornu/ops/standardize/standardize.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/convert/convert.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/elementwise_unary/elementwise_unary.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/operands.h"
#include "cornu/ops/reduce/reduce.h"

namespace cornu::inline v0::ops {
namespace standardize_folder {
namespace {

/// The type of a value for each place that is not along the dimensions, which are checked.
ir::TensorType type_without(const ir::TensorType& x, const ir::Attributes& attributes) {
  const auto& dimensions = attributes.get<ir::Dims>("dimensions");
  if (!is_unique(dimensions) || !all_in_range(dimensions, x.rank()))
    invalid_argument({.argument = "dimensions"},
                     "dimensions must be in [0, {}) and must not repeat; got dimensions = {}", x.rank(),
                     dimensions);
  return {x.dtype, extents(x.dims, remaining_dimensions(x.rank(), dimensions))};
}

std::vector<ir::TensorType> infer_standardize(const ir::InferContext& context) {
  check_operands(context, 1);
  check_float(context.type(0));
  const auto epsilon = context.attributes.get<double>("epsilon");
  if (!(epsilon >= 0))
    invalid_argument({.argument = "epsilon"}, "epsilon must not be negative; got epsilon = {}", epsilon);
  return {context.type(0), type_without(context.type(0), context.attributes)};
}

std::vector<ir::TensorType> infer_standardize_gradient(const ir::InferContext& context) {
  check_operands(context, 3);
  const ir::TensorType& y = context.type(0);
  check_float(y);
  const ir::TensorType outer = type_without(y, context.attributes);
  if (context.type(1) != outer)
    invalid_argument("inverse_deviation must be {}; got {}", outer.str(), context.type(1).str());
  if (context.type(2) != y) invalid_argument("dy must be {}; got {}", y.str(), context.type(2).str());
  return {y};
}

/// Means along dimensions, in f32 for narrower floats.
class Along {
 public:
  Along(ir::Builder& builder, const ir::TensorType& x, ir::Dims dimensions)
      : builder_(builder),
        x_(x),
        dimensions_(std::move(dimensions)),
        dtype_(ir::bit_width(x.dtype) < 32 ? ir::DType::kF32 : x.dtype) {
    for (const std::int64_t d : dimensions_)
      count_ *= static_cast<double>(x.dims[static_cast<std::size_t>(d)]);
    count_ = std::max(count_, 1.0);
  }
  ir::Value widen(ir::Value value) const {
    return x_.dtype == dtype_ ? value : convert(builder_, value, dtype_);
  }
  ir::Value narrow(ir::Value value) const {
    return x_.dtype == dtype_ ? value : convert(builder_, value, x_.dtype);
  }
  ir::Value mean(ir::Value value) const {
    const ir::Value sum = reduce_sum(builder_, value, dimensions_);
    return multiply(builder_, sum, full(builder_, sum.type(), 1 / count_));
  }
  ir::Value spread(ir::Value value) const {
    return broadcast_in_dim(builder_, value, x_.dims, remaining_dimensions(x_.rank(), dimensions_));
  }
  double count() const { return count_; }

 private:
  ir::Builder& builder_;
  ir::TensorType x_;
  ir::Dims dimensions_;
  ir::DType dtype_;
  double count_ = 1;
};

std::vector<ir::Value> decompose_standardize(ir::Builder& b, std::span<const ir::Value> operands,
                                             const ir::Attributes& attributes) {
  const Along along(b, operands[0].type(), attributes.get<ir::Dims>("dimensions"));
  const ir::Value x = along.widen(operands[0]);
  const ir::Value centred = subtract(b, x, along.spread(along.mean(x)));
  const ir::Value variance = along.mean(multiply(b, centred, centred));
  const ir::Value inverse =
      rsqrt(b, add(b, variance, full(b, variance.type(), attributes.get<double>("epsilon"))));
  return {along.narrow(multiply(b, centred, along.spread(inverse))), along.narrow(inverse)};
}

std::vector<ir::Value> decompose_gradient(ir::Builder& b, std::span<const ir::Value> operands,
                                          const ir::Attributes& attributes) {
  const Along along(b, operands[0].type(), attributes.get<ir::Dims>("dimensions"));
  const ir::Value y = along.widen(operands[0]), inverse = along.widen(operands[1]),
                  dy = along.widen(operands[2]);
  const ir::Value shift = along.spread(along.mean(dy));
  const ir::Value slope = along.spread(along.mean(multiply(b, dy, y)));
  const ir::Value rest = subtract(b, subtract(b, dy, shift), multiply(b, y, slope));
  return {along.narrow(multiply(b, along.spread(inverse), rest))};
}

std::vector<ir::Value> gradient(const ir::GradientContext& context) {
  ir::Builder& b = context.builder;
  const ir::Op& op = context.op;
  const ir::Value y = op.result(0), inverse = op.result(1), dy = context.result_gradients[0],
                  of_inverse = context.result_gradients[1];
  const auto& dimensions = op.attributes().get<ir::Dims>("dimensions");
  ir::Value sum;
  if (dy) sum = standardize_gradient(b, y, inverse, dy, dimensions);
  if (of_inverse) {
    const Along along(b, y.type(), dimensions);
    const ir::Value wide = along.widen(inverse);
    const ir::Value factor =
        multiply(b, along.widen(of_inverse),
                 multiply(b, wide, multiply(b, wide, full(b, wide.type(), -1 / along.count()))));
    const ir::Value part = along.narrow(multiply(b, along.widen(y), along.spread(factor)));
    sum = sum ? add(b, sum, part) : part;
  }
  return {sum};
}

const ir::OpDef kStandardize = {.name = "cornu.standardize",
                                .infer = infer_standardize,
                                .gradient = gradient,
                                .decompose = decompose_standardize};
const ir::OpDef kStandardizeGradient = {.name = "cornu.standardize_gradient",
                                        .infer = infer_standardize_gradient,
                                        .decompose = decompose_gradient};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kStandardize, kStandardizeGradient>(); }

}  // namespace standardize_folder

Standardized standardize(ir::Builder& builder, ir::Value x, ir::Dims dimensions, double epsilon) {
  const ir::Op& op = builder.create(standardize_folder::kStandardize, {x},
                                    {{"dimensions", std::move(dimensions)}, {"epsilon", epsilon}});
  return {.y = op.result(0), .inverse_deviation = op.result(1)};
}

ir::Value standardize_gradient(ir::Builder& builder, ir::Value y, ir::Value inverse_deviation, ir::Value dy,
                               ir::Dims dimensions) {
  return builder
      .create(standardize_folder::kStandardizeGradient, {y, inverse_deviation, dy},
              {{"dimensions", std::move(dimensions)}})
      .result();
}

}  // namespace cornu::inline v0::ops
