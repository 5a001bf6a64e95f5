#include "cornu/keras/layers/normalization/batch_normalization.h"

#include <cmath>

#include "cornu/keras/layer/layer_settings_support.h"
#include "cornu/keras/layers/normalization/normalization_support.h"
#include "cornu/ops/batch_norm_training/batch_norm_training.h"
#include "cornu/tensor/gradient_tape.h"
#include "cornu/tensor/run/run_op.h"
#include "cornu/tensor/trace/replicas.h"

namespace cornu::inline v0::keras::layers {
namespace {

using normalization::as_dtype;

/// The square roots of another initializer's values.
class SquareRoots : public Initializer {
 public:
  explicit SquareRoots(InitializerSpec squares) : squares_(std::move(squares)) {}
  std::string class_name() const override { return "SquareRoots"; }
  ir::Literal operator()(const Dims& shape, DType dtype) const override {
    return ops::sqrt(Tensor((*squares_.get())(shape, dtype))).literal();
  }

 private:
  InitializerSpec squares_;
};

struct BatchStatistics {
  Tensor y;
  Tensor mean;
  Tensor variance;
};

BatchStatistics normalize_by_batch(const Tensor& x, const Tensor& gamma, const Tensor& beta,
                                   const Tensor& mask, std::int64_t axis, double epsilon) {
  std::vector<Tensor> inputs = {x, gamma, beta};
  if (mask.defined()) inputs.push_back(mask);
  const std::vector<Tensor> results = detail::run_op_many(
      detail::OpKey("batch_norm_training", axis, epsilon), inputs,
      [&](ir::Builder& b, std::span<const ir::Value> v) {
        const auto r = ops::batch_norm_training(b, v[0], v[1], v[2], v.size() > 3 ? v[3] : ir::Value(),
                                                {.axis = axis, .epsilon = epsilon});
        return std::vector<ir::Value>{r.y, r.mean, r.variance};
      });
  return {results[0], results[1], results[2]};
}

/// Normalizes by the statistics of all replicas' batches together.
BatchStatistics normalize_by_all(const Tensor& x, const Tensor& gamma, const Tensor& beta, const Tensor& mask,
                                 std::int64_t axis, double epsilon) {
  using detail::ReplicaReduction;
  std::vector<std::int64_t> others;
  for (std::int64_t d = 0; d < x.rank(); ++d)
    if (d != axis) others.push_back(d);
  Dims along(x.shape().size(), 1);
  along[static_cast<std::size_t>(axis)] = gamma.num_elements();
  const auto spread = [&](const Tensor& channels) { return ops::reshape(channels, along); };
  const Tensor counts = mask.defined() ? ops::cast(ops::broadcast_to(mask, x.shape()), x.dtype())
                                       : ops::ones(x.shape(), x.dtype());
  const auto sum = [&](const Tensor& values) {
    return ops::sum(mask.defined() ? ops::where(ops::greater(counts, 0), values, 0) : values,
                    {.axis = others});
  };
  const Tensor first[] = {sum(x), sum(counts)};
  const std::vector<Tensor> all = detail::all_reduce(first, ReplicaReduction::kSum);
  const Tensor count = ops::maximum(all[1], 1), mean = all[0] / count;
  const Tensor centered = x - spread(mean);
  const Tensor variance = detail::all_reduce(sum(ops::square(centered)), ReplicaReduction::kSum) / count;
  const Tensor y = centered * spread(ops::rsqrt(variance + epsilon) * gamma) + spread(beta);
  return {y, ops::stop_gradient(mean), ops::stop_gradient(variance)};
}

class BatchNormalizationLayer : public normalization::ScalingLayer {
 public:
  explicit BatchNormalizationLayer(BatchNormalizationOptions options)
      : ScalingLayer(layer_settings("BatchNormalization", options)), options_(std::move(options)) {
    const auto check_share = [&](const char* option, double value) {
      if (!(value >= 0 && value <= 1)) option_error(option, "must be in [0, 1]", fmt::format("{}", value));
    };
    check_share("momentum", options_.momentum);
    check_share("renorm_momentum", options_.renorm_momentum);
    check_scaling(options_);
    check_clipping(options_.renorm_clipping);
    check_initializer("moving_mean_initializer", options_.moving_mean_initializer);
    check_initializer("moving_variance_initializer", options_.moving_variance_initializer);
    set_supports_masking(true);
    set_type_rule(TypeRule::kCast);
  }

 protected:
  void build(const Dims& input_shape) override {
    axis_ = normalization::known_axis("batch_normalization", options_.axis, input_shape);
    const std::int64_t channels = input_shape[static_cast<std::size_t>(axis_)];
    const Dims shape = {channels};
    if (options_.scale) add_gamma(options_, shape);
    if (options_.center) add_beta(options_, shape);
    const auto add_statistic = [&](const char* name, const InitializerSpec& initializer) {
      return add_weight(
          {.name = name, .shape = shape, .initializer = initializer, .trainable = false, .autocast = false});
    };
    moving_mean_ = add_statistic("moving_mean", options_.moving_mean_initializer);
    moving_variance_ = add_statistic("moving_variance", options_.moving_variance_initializer);
    if (options_.renorm) {
      const InitializerSpec roots(std::make_shared<SquareRoots>(options_.moving_variance_initializer));
      moving_stddev_ = add_statistic("moving_stddev", roots);
      renorm_mean_ = add_statistic("renorm_mean", options_.moving_mean_initializer);
      renorm_stddev_ = add_statistic("renorm_stddev", roots);
    }
    set_input_spec({.ndim = static_cast<std::int64_t>(input_shape.size()), .axes = {{axis_, channels}}});
  }

  Tensor call(const Tensor& input, const CallContext& context) override {
    const Tensor x = as_dtype(input, normalization::wide_dtype(input.dtype()));
    const Tensor mask = mask_of(input, context);  // also checks a mask that has no effect
    const Tensor gamma = gamma_.defined() ? as_dtype(gamma_, x.dtype()) : Tensor();
    const Tensor beta = beta_.defined() ? as_dtype(beta_, x.dtype()) : Tensor();
    if (context.training && trainable())
      return as_dtype(train(x, gamma, beta, mask, context.rows), compute_dtype());
    const Tensor y = ops::batch_normalization(
        x, as_dtype(moving_mean_, x.dtype()), as_dtype(moving_variance_, x.dtype()),
        {.axis = axis_, .offset = beta, .scale = gamma, .epsilon = options_.epsilon});
    return as_dtype(y, compute_dtype());
  }

 private:
  void check_clipping(const RenormClipping& clipping) const {
    if (clipping.rmin.has_value() && clipping.rmax.has_value() && !(*clipping.rmin <= *clipping.rmax))
      option_error(fmt::format("renorm_clipping's rmin must not exceed rmax; got rmin = {}, rmax = {}",
                               *clipping.rmin, *clipping.rmax));
    if (clipping.dmax.has_value() && !(*clipping.dmax >= 0))
      option_error(fmt::format("renorm_clipping's dmax must not be negative; got dmax = {}", *clipping.dmax));
  }

  /// The mask for batch_norm_training: true for elements that count; undefined: all do.
  static Tensor mask_of(const Tensor& input, const CallContext& context) {
    Tensor mask;
    if (input.mask() != nullptr) {
      const Dims &given = input.mask()->shape(), &wanted = input.shape();
      bool fits = given.size() + 1 == wanted.size();
      for (std::size_t i = 0; fits && i < given.size(); ++i) fits = given[i] == 1 || given[i] == wanted[i];
      if (!fits)
        invalid_argument(
            "[batch_normalization] the mask must have the input's shape without the last axis, or extents of "
            "1 there; got a mask of shape {} for an input of shape {}",
            ir::shape_str(input.mask()->shape()), ir::shape_str(input.shape()));
      mask = ops::expand_dims(as_dtype(*input.mask(), DType::kI1), -1);
    }
    if (!context.rows.defined() || !context.training) return mask;
    if (context.rows.valid.shape()[0] != input.shape()[0]) {
      context.rows.require_exact("a batch normalization counts rows that are not the batch's");
      return mask;
    }
    Dims dims(input.shape().size(), 1);
    dims[0] = input.shape()[0];
    const Tensor rows = ops::reshape(context.rows.valid, dims);
    return mask.defined() ? ops::logical_and(mask, rows) : rows;
  }

  /// Merges the statistics of replicas: the mean over those that have rows.
  static Tensor of_replicas(const Tensor& value, const RowMask& rows) {
    if (detail::current_replica_trace() == nullptr) return value;
    if (!rows.defined()) return detail::all_reduce(value, detail::ReplicaReduction::kMean);
    const Tensor has_rows = ops::greater(rows.num_valid, 0);
    const Tensor both[] = {ops::where(has_rows, value, 0), ops::cast(has_rows, value.dtype())};
    const std::vector<Tensor> sums = detail::all_reduce(both, detail::ReplicaReduction::kSum);
    return sums[0] / ops::maximum(sums[1], 1);
  }

  static void move(const Variable& statistic, const Tensor& value, double momentum) {
    const Tensor old = as_dtype(statistic, value.dtype());
    statistic.assign(as_dtype(old * momentum + value * (1 - momentum), statistic.dtype()));
  }

  Tensor train(const Tensor& x, const Tensor& gamma, const Tensor& beta, const Tensor& mask,
               const RowMask& rows) {
    const Tensor ones = ops::ones(moving_mean_.shape(), x.dtype()),
                 zeros = ops::zeros(moving_mean_.shape(), x.dtype());
    const bool plain = !options_.renorm;
    const Tensor &scale = plain && gamma.defined() ? gamma : ones,
                 &offset = plain && beta.defined() ? beta : zeros;
    const bool is_joint = options_.synchronized && detail::current_replica_trace() != nullptr;
    BatchStatistics batch = is_joint ? normalize_by_all(x, scale, offset, mask, axis_, options_.epsilon)
                                     : normalize_by_batch(x, scale, offset, mask, axis_, options_.epsilon);
    if (options_.renorm) return renormalize(batch, gamma, beta, rows);
    move(moving_mean_, of_replicas(batch.mean, rows), options_.momentum);
    move(moving_variance_, of_replicas(batch.variance, rows), options_.momentum);
    return batch.y;
  }

  /// (y * r + d) * gamma + beta, where r and d correct the batch's statistics to the running ones and have no
  /// gradient.
  Tensor renormalize(const BatchStatistics& batch, const Tensor& gamma, const Tensor& beta,
                     const RowMask& rows) {
    const Tensor stddev = ops::sqrt(batch.variance + options_.epsilon);
    const Tensor mean_of_all = of_replicas(batch.mean, rows), stddev_of_all = of_replicas(stddev, rows);
    const Tensor running =
        ops::maximum(as_dtype(renorm_stddev_, stddev.dtype()), std::sqrt(options_.epsilon));
    Tensor r = stddev / running, d = (batch.mean - as_dtype(renorm_mean_, stddev.dtype())) / running;
    const RenormClipping& clipping = options_.renorm_clipping;
    if (clipping.rmin.has_value()) r = ops::maximum(r, *clipping.rmin);
    if (clipping.rmax.has_value()) r = ops::minimum(r, *clipping.rmax);
    if (clipping.dmax.has_value()) d = ops::clip(d, -*clipping.dmax, *clipping.dmax);
    Tensor scale = ops::stop_gradient(r), offset = ops::stop_gradient(d);
    if (gamma.defined()) {
      scale = scale * gamma;
      offset = offset * gamma;
    }
    if (beta.defined()) offset = offset + beta;
    move(renorm_mean_, mean_of_all, options_.renorm_momentum);
    move(renorm_stddev_, stddev_of_all, options_.renorm_momentum);
    move(moving_mean_, mean_of_all, options_.momentum);
    move(moving_stddev_, stddev_of_all, options_.momentum);
    const Tensor moved = as_dtype(moving_stddev_, stddev.dtype());
    moving_variance_.assign(as_dtype(ops::relu(moved * moved - options_.epsilon), moving_variance_.dtype()));
    Dims along(batch.y.shape().size(), 1);
    along[static_cast<std::size_t>(axis_)] = scale.num_elements();
    return batch.y * ops::reshape(scale, along) + ops::reshape(offset, along);
  }

  BatchNormalizationOptions options_;
  std::int64_t axis_ = 0;
  Variable moving_mean_;
  Variable moving_variance_;
  Variable moving_stddev_;
  Variable renorm_mean_;
  Variable renorm_stddev_;
};

}  // namespace

BatchNormalization::BatchNormalization(BatchNormalizationOptions options)
    : LayerHandle(std::make_shared<BatchNormalizationLayer>(std::move(options))) {}

}  // namespace cornu::inline v0::keras::layers
