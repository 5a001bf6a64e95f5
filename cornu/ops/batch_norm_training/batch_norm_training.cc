#include "cornu/ops/batch_norm_training/batch_norm_training.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/ops/batch_norm_training/one_pass.h"
#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"
#include "cornu/ops/compare/compare.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/convert/convert.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/elementwise_unary/elementwise_unary.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/operands.h"
#include "cornu/ops/reduce/reduce.h"
#include "cornu/ops/reshape/reshape.h"
#include "cornu/ops/select/select.h"
#include "cornu/ops/slice/slice.h"

namespace cornu::inline v0::ops {
namespace batch_norm_training_folder {
namespace {

// Shape rules.

/// The dtype of sums and statistics: a variance of halves need not be a half.
ir::DType sum_dtype(ir::DType dtype) { return ir::bit_width(dtype) < 32 ? ir::DType::kF32 : dtype; }

void check_vector(const char* name, const ir::TensorType& vector, const ir::TensorType& x, std::int64_t axis,
                  bool is_statistic = false) {
  const ir::TensorType wanted{is_statistic ? sum_dtype(x.dtype) : x.dtype,
                              {x.dims[static_cast<std::size_t>(axis)]}};
  if (vector != wanted) invalid_argument("{} must be {}; got {}", name, wanted.str(), vector.str());
}

/// The checked axis. Operand 0 is x; the mask is the operand after the first `num_others` ones, if there is
/// one.
std::int64_t check_common(const ir::InferContext& context, std::size_t num_others) {
  const ir::TensorType& x = context.type(0);
  check_float(x);
  const auto epsilon = context.attributes.get<double>("epsilon");
  if (!(epsilon >= 0))
    invalid_argument({.argument = "epsilon"}, "epsilon must not be negative; got epsilon = {}", epsilon);
  const std::int64_t axis = normalized_axis(context.attributes.get<std::int64_t>("axis"), x.rank());
  if (context.operands.size() > num_others) {
    const ir::TensorType& mask = context.type(num_others);
    bool fits = mask.dtype == ir::DType::kI1 && mask.rank() == x.rank();
    for (std::size_t d = 0; fits && d < mask.dims.size(); ++d)
      fits = mask.dims[d] == 1 || mask.dims[d] == x.dims[d];
    if (!fits)
      invalid_argument("the mask must be i1 and have x's extents or 1; got a mask {} for x {}", mask.str(),
                       x.str());
  }
  return axis;
}

std::vector<ir::TensorType> infer_training(const ir::InferContext& context) {
  check_operands(context, 3, 4);
  const std::int64_t axis = check_common(context, 3);
  check_vector("gamma", context.type(1), context.type(0), axis);
  check_vector("beta", context.type(2), context.type(0), axis);
  const ir::TensorType statistics{sum_dtype(context.type(0).dtype), context.type(1).dims};
  return {context.type(0), statistics, statistics};
}

std::vector<ir::TensorType> infer_gradient(const ir::InferContext& context) {
  check_operands(context, 5, 6);
  const std::int64_t axis = check_common(context, 5);
  check_vector("gamma", context.type(1), context.type(0), axis);
  check_vector("mean", context.type(2), context.type(0), axis, true);
  check_vector("variance", context.type(3), context.type(0), axis, true);
  if (context.type(4) != context.type(0))
    invalid_argument("dy must be {}; got {}", context.type(0).str(), context.type(4).str());
  return {context.type(0), context.type(1), context.type(1)};
}

// Decompositions.

/// The inputs of both decompositions: x's shape, the channels' axis, the elements that count.
class Channels {
 public:
  Channels(ir::Builder& builder, const ir::TensorType& x, const ir::Attributes& attributes, ir::Value mask)
      : builder_(builder),
        dims_(x.dims),
        axis_(normalized_axis(attributes.get<std::int64_t>("axis"), x.rank())),
        epsilon_(attributes.get<double>("epsilon")),
        dtype_(x.dtype),
        sum_dtype_(sum_dtype(x.dtype)),
        mask_(mask) {}

  ir::Value widen(ir::Value value) const {
    return value.dtype() == sum_dtype_ ? value : convert(builder_, value, sum_dtype_);
  }
  ir::Value narrow(ir::Value value) const {
    return dtype_ == sum_dtype_ ? value : convert(builder_, value, dtype_);
  }

  /// A value a channel, repeated.
  ir::Value spread(ir::Value vector) const { return broadcast_in_dim(builder_, vector, dims_, {axis_}); }
  ir::Value sum(ir::Value value) const { return reduce_sum(builder_, value, others()); }

  /// `value` with 0 where nothing counts.
  ir::Value counted(ir::Value value) const {
    return mask_ ? select(builder_, whole_mask(), value, full(builder_, value.type(), 0)) : value;
  }

  /// dy times h; 0 where nothing counts and dy is 0, for there h may be NaN.
  ir::Value passed_on(ir::Value dy, ir::Value h) const {
    const ir::Value product = multiply(builder_, dy, h);
    if (!mask_) return product;
    const ir::Value zero = full(builder_, dy.type(), 0);
    return select(builder_,
                  or_(builder_, whole_mask(), compare(builder_, dy, zero, ComparisonDirection::kNe)), product,
                  zero);
  }

  /// 1 / how many elements of a channel count; they are divided by 1 where there are none.
  ir::Value inverse_count() const {
    double per_mask_element = 1;
    for (const std::int64_t d : others())
      if (!mask_ || mask_.dims()[at(d)] == 1) per_mask_element *= static_cast<double>(dims_[at(d)]);
    const ir::TensorType vector{sum_dtype_, {dims_[at(axis_)]}};
    if (!mask_) return full(builder_, vector, 1 / std::max(per_mask_element, 1.0));
    const ir::Value held = reduce_sum(builder_, convert(builder_, mask_, sum_dtype_), others());
    const ir::Value count =
        maximum(builder_, multiply(builder_, held, full(builder_, held.type(), per_mask_element)),
                full(builder_, held.type(), 1));
    return broadcast_in_dim(builder_, divide(builder_, full(builder_, held.type(), 1), count), vector.dims,
                            {0});
  }

  ir::Value inverse_deviation(ir::Value variance) const {
    return rsqrt(builder_, add(builder_, variance, full(builder_, variance.type(), epsilon_)));
  }

 private:
  static std::size_t at(std::int64_t d) { return static_cast<std::size_t>(d); }
  std::int64_t rank() const { return static_cast<std::int64_t>(dims_.size()); }
  ir::Value whole_mask() const {
    return mask_.dims() == dims_ ? mask_ : broadcast_in_dim(builder_, mask_, dims_, counting(rank()));
  }
  ir::Dims others() const { return remaining_dimensions(rank(), {axis_}); }

  ir::Builder& builder_;
  ir::Dims dims_;
  std::int64_t axis_;
  double epsilon_;
  ir::DType dtype_;
  ir::DType sum_dtype_;
  ir::Value mask_;
};

ir::Value normalized(ir::Builder& b, const Channels& channels, std::span<const ir::Value> operands,
                     ir::Value mean, ir::Value variance) {
  const ir::Value centred = subtract(b, channels.widen(operands[0]), channels.spread(mean));
  const ir::Value factor = multiply(b, channels.inverse_deviation(variance), channels.widen(operands[1]));
  const ir::Value y =
      add(b, multiply(b, centred, channels.spread(factor)), channels.spread(channels.widen(operands[2])));
  return channels.narrow(y);
}

/// The mean of the first rows of x, a sixteenth of all: its distance from the mean of all is bounded, unlike that of a
/// single element.
ir::Value mean_of_first_rows(ir::Builder& b, const ir::Op& op, std::span<const ir::Value> operands) {
  constexpr std::int64_t kPart = 16;
  const auto first_rows = [&b](ir::Value x) {
    ir::Dims limits = x.dims();
    limits[0] = (limits[0] + kPart - 1) / kPart;
    return slice(b, x, ir::Dims(limits.size(), 0), limits, ir::Dims(limits.size(), 1));
  };
  const ir::Value x = first_rows(operands[0]);
  const Channels channels(b, x.type(), op.attributes(),
                          operands.size() > 3 ? first_rows(operands[3]) : ir::Value());
  return multiply(b, channels.sum(channels.counted(channels.widen(x))), channels.inverse_count());
}

std::vector<ir::Value> decompose_training(ir::Builder& b, std::span<const ir::Value> operands,
                                          const ir::Attributes& attributes) {
  const Channels channels(b, operands[0].type(), attributes, operands.size() > 3 ? operands[3] : ir::Value());
  const ir::Value x = channels.widen(operands[0]), inverse_count = channels.inverse_count();
  const ir::Value mean = multiply(b, channels.sum(channels.counted(x)), inverse_count);
  const ir::Value distance = channels.counted(subtract(b, x, channels.spread(mean)));
  const ir::Value variance = multiply(b, channels.sum(multiply(b, distance, distance)), inverse_count);
  return {normalized(b, channels, operands, mean, variance), mean, variance};
}

std::vector<ir::Value> decompose_gradient(ir::Builder& b, std::span<const ir::Value> operands,
                                          const ir::Attributes& attributes) {
  const Channels channels(b, operands[0].type(), attributes, operands.size() > 5 ? operands[5] : ir::Value());
  const ir::Value x = channels.widen(operands[0]), gamma = channels.widen(operands[1]),
                  mean = channels.widen(operands[2]);
  const ir::Value dy = channels.widen(operands[4]);
  const ir::Value inverse = channels.inverse_deviation(channels.widen(operands[3]));
  const ir::Value h = multiply(b, subtract(b, x, channels.spread(mean)), channels.spread(inverse));
  const ir::Value of_beta = channels.sum(dy), of_gamma = channels.sum(channels.passed_on(dy, h));
  const ir::Value inverse_count = channels.inverse_count();
  const ir::Value shift = channels.spread(multiply(b, of_beta, inverse_count));
  const ir::Value slope = channels.spread(multiply(b, of_gamma, inverse_count));
  const ir::Value of_statistics = channels.counted(add(b, shift, multiply(b, h, slope)));
  const ir::Value of_x =
      multiply(b, channels.spread(multiply(b, gamma, inverse)), subtract(b, dy, of_statistics));
  return {channels.narrow(of_x), channels.narrow(of_gamma), channels.narrow(of_beta)};
}

// Gradients.

/// The gradient of x by way of the mean's and the variance's gradients, which may be empty.
ir::Value gradient_of_statistics(ir::Builder& b, const ir::Op& op, ir::Value mean_gradient,
                                 ir::Value variance_gradient) {
  const ir::Value x = op.operand(0);
  const Channels channels(b, x.type(), op.attributes(),
                          op.operands().size() > 3 ? op.operand(3) : ir::Value());
  const ir::Value inverse_count = channels.inverse_count();
  ir::Value sum;
  if (mean_gradient) sum = channels.spread(multiply(b, channels.widen(mean_gradient), inverse_count));
  if (variance_gradient) {
    const ir::Value twice = multiply(b, inverse_count, full(b, inverse_count.type(), 2));
    const ir::Value slope = channels.spread(multiply(b, channels.widen(variance_gradient), twice));
    const ir::Value centred = subtract(b, channels.widen(x), channels.spread(channels.widen(op.result(1))));
    const ir::Value part = multiply(b, centred, slope);
    sum = sum ? add(b, sum, part) : part;
  }
  return channels.narrow(channels.counted(sum));
}

std::vector<ir::Value> gradient_of_training(const ir::GradientContext& context) {
  ir::Builder& b = context.builder;
  const ir::Op& op = context.op;
  const ir::Value dy = context.result_gradients[0], of_mean = context.result_gradients[1],
                  of_variance = context.result_gradients[2];
  std::vector<ir::Value> gradients(op.operands().size());
  if (dy) {
    const BatchNormTrainingOptions options = {.axis = op.attributes().get<std::int64_t>("axis"),
                                              .epsilon = op.attributes().get<double>("epsilon")};
    const ir::Value mask = op.operands().size() > 3 ? op.operand(3) : ir::Value();
    const BatchNormGradient made =
        batch_norm_gradient(b, op.operand(0), op.operand(1), op.result(1), op.result(2), dy, mask, options);
    gradients[0] = made.x;
    gradients[1] = made.gamma;
    gradients[2] = made.beta;
  }
  if (of_mean || of_variance) {
    const ir::Value more = gradient_of_statistics(b, op, of_mean, of_variance);
    gradients[0] = gradients[0] ? add(b, gradients[0], more) : more;
  }
  return gradients;
}

const ir::OpDef kBatchNormTraining = {.name = "cornu.batch_norm_training",
                                      .infer = infer_training,
                                      .gradient = gradient_of_training,
                                      .decompose = decompose_training};
const ir::OpDef kBatchNormGradient = {
    .name = "cornu.batch_norm_gradient", .infer = infer_gradient, .decompose = decompose_gradient};

ir::Attributes attributes_of(const BatchNormTrainingOptions& options) {
  return {{"axis", options.axis}, {"epsilon", options.epsilon}};
}

}  // namespace

std::span<const ir::OpDef* const> op_defs() {
  return ir::list_defs<kBatchNormTraining, kBatchNormGradient>();
}

}  // namespace batch_norm_training_folder

bool has_long_statistics(const ir::Op& op) {
  constexpr std::int64_t kElements = std::int64_t{1} << 18, kFewestRows = 16;
  if (op.name() != "cornu.batch_norm_training") return false;
  const ir::TensorType& x = op.operand(0).type();
  if (x.num_elements() < kElements || x.dims[0] < kFewestRows ||
      normalized_axis(op.attributes().get<std::int64_t>("axis"), x.rank()) != x.rank() - 1)
    return false;
  if (op.operands().size() < 4) return true;
  const ir::Dims& mask = op.operand(3).dims();
  return mask[0] == x.dims[0] &&
         std::all_of(mask.begin() + 1, mask.end(), [](std::int64_t extent) { return extent == 1; });
}

std::vector<ir::Value> batch_norm_training_in_one_pass(ir::Builder& b, const ir::Op& op,
                                                       std::span<const ir::Value> operands) {
  const batch_norm_training_folder::Channels channels(b, operands[0].type(), op.attributes(),
                                                      operands.size() > 3 ? operands[3] : ir::Value());
  const ir::Value shift = batch_norm_training_folder::mean_of_first_rows(b, op, operands);
  const ir::Value inverse_count = channels.inverse_count();
  const ir::Value distance =
      channels.counted(subtract(b, channels.widen(operands[0]), channels.spread(shift)));
  const ir::Value offset = multiply(b, channels.sum(distance), inverse_count);
  const ir::Value square = multiply(b, channels.sum(multiply(b, distance, distance)), inverse_count);
  const ir::Value mean = add(b, shift, offset);
  // Rounding may make it negative.
  const ir::Value variance =
      maximum(b, subtract(b, square, multiply(b, offset, offset)), full(b, square.type(), 0));
  return {batch_norm_training_folder::normalized(b, channels, operands, mean, variance), mean, variance};
}

BatchNormTraining batch_norm_training(ir::Builder& builder, ir::Value x, ir::Value gamma, ir::Value beta,
                                      ir::Value mask, const BatchNormTrainingOptions& options) {
  std::vector<ir::Value> operands = {x, gamma, beta};
  if (mask) operands.push_back(mask);
  const ir::Op& op = builder.create(batch_norm_training_folder::kBatchNormTraining, std::move(operands),
                                    batch_norm_training_folder::attributes_of(options));
  return {.y = op.result(0), .mean = op.result(1), .variance = op.result(2)};
}

BatchNormGradient batch_norm_gradient(ir::Builder& builder, ir::Value x, ir::Value gamma, ir::Value mean,
                                      ir::Value variance, ir::Value dy, ir::Value mask,
                                      const BatchNormTrainingOptions& options) {
  std::vector<ir::Value> operands = {x, gamma, mean, variance, dy};
  if (mask) operands.push_back(mask);
  const ir::Op& op = builder.create(batch_norm_training_folder::kBatchNormGradient, std::move(operands),
                                    batch_norm_training_folder::attributes_of(options));
  return {.x = op.result(0), .gamma = op.result(1), .beta = op.result(2)};
}

}  // namespace cornu::inline v0::ops
