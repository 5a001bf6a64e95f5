#include "cornu/keras/layers/preprocessing/normalization.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/keras/layer/layer_settings_support.h"
#include "cornu/keras/layers/preprocessing/element_layer_support.h"
#include "cornu/tensor/ops/epsilon.h"
#include "cornu/tensor/trace/variable_fill.h"

namespace cornu::inline v0::keras::layers {
namespace {

class NormalizationLayer : public Layer, public AdaptableLayer {
 public:
  explicit NormalizationLayer(NormalizationOptions options)
      : Layer(layer_settings("Normalization", options)), options_(std::move(options)) {
    if (options_.mean.defined() != options_.variance.defined())
      option_error("mean and variance are given together, or neither");
    if (options_.mean.defined()) {
      if (options_.mean.is_symbolic() || options_.variance.is_symbolic())
        option_error("mean and variance must be concrete tensors");
      if (options_.mean.shape() != options_.variance.shape())
        option_error("variance",
                     fmt::format("must have the mean's shape {}", ir::shape_str(options_.mean.shape())),
                     ir::shape_str(options_.variance.shape()));
      if (options_.mean.shape().size() > options_.axis.given().size())
        option_error("mean", fmt::format("must have no more than {} axes", options_.axis.given().size()),
                     ir::shape_str(options_.mean.shape()));
    }
    set_supports_masking(true);
    set_type_rule(TypeRule::kCast);
  }

  Dims compute_output_shape(const Dims& input_shape) const override { return input_shape; }

  bool is_adaptable() const override { return !options_.mean.defined(); }
  void begin_adapt() override {
    if (options_.mean.defined())
      fail(ErrorCode::kFailedPrecondition, {.layer = name()},
           "[normalization] the options give mean and variance: there is nothing to adapt");
    seen_ = {};
  }

  void see(const Tensor& data) {
    build_once(data.shape());
    const Dims reduced = reduced_axes(data);
    std::int64_t count = 1;
    for (const std::int64_t axis : reduced) count *= data.shape()[static_cast<std::size_t>(axis)];
    if (count == 0) return;
    // In the data's precision; the dtype of calls may have only 16 bits.
    const bool is_double = data.dtype() == DType::kF64 || variable_dtype() == DType::kF64;
    const Tensor x = ops::cast(data, is_double ? DType::kF64 : DType::kF32);
    const bool is_whole = reduced.empty();
    add(static_cast<double>(count), ops::cast(is_whole ? x : ops::mean(x, {.axis = reduced}), DType::kF64),
        ops::cast(is_whole ? x * 0.0 : ops::var(x, {.axis = reduced}), DType::kF64));
  }

  void adapt_batch(const data::Element& batch) override { see(batch.tensor()); }
  void end_adapt() override {
    if (seen_.count == 0) invalid_argument({.layer = name()}, "[normalization] adapt() got no values");
    cornu::detail::VariableUpdate update;
    update.set(mean_, ops::cast(seen_.mean, mean_.dtype()));
    update.set(variance_, ops::cast(seen_.variance, variance_.dtype()));
    update.commit();
    seen_ = {};
  }

 protected:
  void build(const Dims& input_shape) override {
    kept_.clear();
    const auto rank = static_cast<std::int64_t>(input_shape.size());
    for (const std::int64_t axis : options_.axis.given()) {
      if (axis < -rank || axis >= rank)
        invalid_argument("[normalization] axis must be in [{}, {}) for an input of shape {}; got {}", -rank,
                         rank, shape_with_none_str(input_shape), axis);
      kept_.push_back(static_cast<std::size_t>(axis < 0 ? axis + rank : axis));
    }
    std::sort(kept_.begin(), kept_.end());
    Dims shape;
    broadcast_shape_.assign(input_shape.size(), 1);
    for (const std::size_t axis : kept_) {
      if (input_shape[axis] == kUnknown)
        invalid_argument("[normalization] the extent along axis {} must be known; the input's shape is {}",
                         axis, shape_with_none_str(input_shape));
      shape.push_back(broadcast_shape_[axis] = input_shape[axis]);
    }
    if (options_.mean.defined()) {
      given_mean_ = given(options_.mean);
      given_variance_ = given(options_.variance);
      return;
    }
    mean_ = add_weight({.name = "mean", .shape = shape, .initializer = "zeros", .trainable = false});
    variance_ = add_weight({.name = "variance", .shape = shape, .initializer = "ones", .trainable = false});
    add_weight(
        {.name = "count", .shape = {}, .initializer = "zeros", .trainable = false, .dtype = DType::kI32});
  }

  Tensor call(const Tensor& input, const CallContext&) override {
    const Tensor x = ops::cast(input, compute_dtype());
    const Tensor mean = options_.mean.defined() ? given_mean_ : ops::reshape(mean_, broadcast_shape_);
    const Tensor variance =
        options_.mean.defined() ? given_variance_ : ops::reshape(variance_, broadcast_shape_);
    const Tensor deviation = ops::maximum(ops::sqrt(variance), cornu::detail::small_number());
    return options_.invert ? mean + x * deviation : (x - mean) / deviation;
  }

  void add_to_config(Config& fields) const override {
    Config axes{Config::List()};
    for (const std::int64_t axis : options_.axis.given()) axes.append(axis);
    fields.set("axis", std::move(axes));
  }

 private:
  /// The moments of the batches so far, in f64.
  struct Moments {
    double count = 0;
    Tensor mean;
    Tensor variance;
  };

  /// The axes without a mean of their own. Errors: InvalidArgument for data of another shape than the layer
  /// was built for.
  Dims reduced_axes(const Tensor& data) const {
    Dims reduced;
    bool fits = data.shape().size() == broadcast_shape_.size();
    for (std::size_t axis = 0; fits && axis < broadcast_shape_.size(); ++axis) {
      if (!is_kept(axis)) reduced.push_back(static_cast<std::int64_t>(axis));
      fits = !is_kept(axis) || data.shape()[axis] == broadcast_shape_[axis];
    }
    if (!fits)
      invalid_argument({.layer = name()},
                       "[normalization] the layer was built for other data than those of shape {}",
                       ir::shape_str(data.shape()));
    return reduced;
  }

  /// Merges the mean and variance of another part into those of all values so far.
  void add(double count, const Tensor& mean, const Tensor& variance) {
    if (seen_.count == 0) {
      seen_ = {.count = count, .mean = mean, .variance = variance};
      return;
    }
    const double share = count / (seen_.count + count);
    const Tensor all = seen_.mean * (1 - share) + mean * share;
    seen_.variance = (seen_.variance + ops::square(seen_.mean - all)) * (1 - share) +
                     (variance + ops::square(mean - all)) * share;
    seen_.mean = all;
    seen_.count += count;
  }

  bool is_kept(std::size_t axis) const { return std::find(kept_.begin(), kept_.end(), axis) != kept_.end(); }

  /// Reshapes an option's value: its axes become the last of the kept axes.
  Tensor given(const Tensor& value) const {
    Dims shape(broadcast_shape_.size(), 1);
    for (std::size_t i = 0; i < value.shape().size(); ++i)
      shape[kept_[kept_.size() - value.shape().size() + i]] = value.shape()[i];
    return ops::broadcast_to(ops::reshape(ops::cast(value, compute_dtype()), shape), broadcast_shape_);
  }

  NormalizationOptions options_;
  std::vector<std::size_t> kept_;
  Dims broadcast_shape_;
  Tensor given_mean_, given_variance_;
  Variable mean_, variance_;
  Moments seen_;
};

NormalizationLayer& layer_of(const Normalization& handle) {
  return static_cast<NormalizationLayer&>(*handle.operator->());
}

}  // namespace

Normalization::Normalization(NormalizationOptions options)
    : LayerHandle(std::make_shared<NormalizationLayer>(std::move(options))) {}

void Normalization::adapt(const Tensor& data) const {
  begin_adapt();
  layer_of(*this).see(data);
  end_adapt();
}
void Normalization::begin_adapt() const { layer_of(*this).begin_adapt(); }
void Normalization::adapt_batch(const Tensor& batch) const {
  layer_of(*this).see(batch.rank() == 1 ? ops::expand_dims(batch, 0) : batch);
}
void Normalization::end_adapt() const { layer_of(*this).end_adapt(); }

}  // namespace cornu::inline v0::keras::layers
