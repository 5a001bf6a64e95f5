#include "cornu/keras/layers/activation/rectifiers.h"

#include <algorithm>
#include <cmath>

#include "cornu/base/check.h"
#include "cornu/keras/layer/layer_settings_support.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::layers {
namespace {

class ReLULayer : public Layer {
 public:
  explicit ReLULayer(const ReLUOptions& options) : Layer(layer_settings("ReLU", options)), options_(options) {
    const auto check = [&](const char* option, double value) {
      if (!(value >= 0)) option_error(option, "must not be negative", fmt::format("{}", value));
    };
    check("max_value", options_.max_value.value_or(0));
    check("negative_slope", options_.negative_slope);
    check("threshold", options_.threshold);
    set_supports_masking(true);
    set_type_rule(TypeRule::kComputed);
  }

  Dims compute_output_shape(const Dims& input_shape) const override { return input_shape; }

 protected:
  void build_for(std::span<const Dims>) override {}
  Tensor call(const Tensor& x, const CallContext&) override {
    return activations::relu(x, {.negative_slope = options_.negative_slope,
                                 .max_value = options_.max_value,
                                 .threshold = options_.threshold});
  }

 private:
  ReLUOptions options_;
};

class LeakyReLULayer : public Layer {
 public:
  explicit LeakyReLULayer(const LeakyReLUOptions& options)
      : Layer(layer_settings("LeakyReLU", options)), negative_slope_(options.negative_slope) {
    if (!(negative_slope_ >= 0))
      option_error("negative_slope", "must not be negative", fmt::format("{}", negative_slope_));
    set_supports_masking(true);
    set_type_rule(TypeRule::kComputed);
  }

  Dims compute_output_shape(const Dims& input_shape) const override { return input_shape; }

 protected:
  Tensor call(const Tensor& x, const CallContext&) override {
    return activations::leaky_relu(x, negative_slope_);
  }

 private:
  double negative_slope_;
};

class PReLULayer : public Layer {
 public:
  explicit PReLULayer(PReLUOptions options)
      : Layer(layer_settings("PReLU", options)), options_(std::move(options)) {
    check_initializer("alpha_initializer", options_.alpha_initializer);
    check_regularizer("alpha_regularizer", options_.alpha_regularizer);
    check_constraint("alpha_constraint", options_.alpha_constraint);
    set_supports_masking(true);
    set_type_rule(TypeRule::kComputed);
  }

  Dims compute_output_shape(const Dims& input_shape) const override { return input_shape; }

 protected:
  void build(const Dims& input_shape) override {
    const auto rank = static_cast<std::int64_t>(input_shape.size());
    Dims shape = input_shape;
    if (!shape.empty()) shape.erase(shape.begin());  // also for a scalar shape ()
    for (const std::int64_t axis : options_.shared_axes) {
      if (axis < 1 || axis >= rank)
        invalid_argument("[p_re_lu] shared_axes must be in [1, {}); got {} for the input shape {}", rank,
                         axis, shape_with_none_str(input_shape));
      shape[static_cast<std::size_t>(axis - 1)] = 1;
    }
    InputSpec spec{.ndim = rank};
    for (std::int64_t axis = 1; axis < rank; ++axis) {
      const std::int64_t extent = shape[static_cast<std::size_t>(axis - 1)];
      if (extent == kUnknown)
        invalid_argument(
            "[p_re_lu] the extents of the input shape {} must be known, except the batch and those of "
            "shared_axes",
            shape_with_none_str(input_shape));
      const bool is_shared = std::find(options_.shared_axes.begin(), options_.shared_axes.end(), axis) !=
                             options_.shared_axes.end();
      if (!is_shared) spec.axes.emplace_back(axis, extent);
    }
    alpha_ = add_weight({.name = "alpha",
                         .shape = shape,
                         .initializer = options_.alpha_initializer,
                         .regularizer = options_.alpha_regularizer,
                         .constraint = options_.alpha_constraint});
    set_input_spec(spec);
  }
  void unbuild() override { set_input_spec({}); }
  Tensor call(const Tensor& x, const CallContext&) override { return ops::relu(x) - alpha_ * ops::relu(-x); }

 private:
  PReLUOptions options_;
  Variable alpha_;
};

class ELULayer : public Layer {
 public:
  explicit ELULayer(const ELUOptions& options)
      : Layer(layer_settings("ELU", options)), alpha_(options.alpha) {
    if (!std::isfinite(alpha_)) option_error("alpha", "must be finite", fmt::format("{}", alpha_));
    set_supports_masking(true);
    set_type_rule(TypeRule::kComputed);
  }

  Dims compute_output_shape(const Dims& input_shape) const override { return input_shape; }

 protected:
  Tensor call(const Tensor& x, const CallContext&) override { return activations::elu(x, alpha_); }

 private:
  double alpha_;
};

}  // namespace

ReLU::ReLU(ReLUOptions options) : LayerHandle(std::make_shared<ReLULayer>(options)) {}
LeakyReLU::LeakyReLU(LeakyReLUOptions options) : LayerHandle(std::make_shared<LeakyReLULayer>(options)) {}
PReLU::PReLU(PReLUOptions options) : LayerHandle(std::make_shared<PReLULayer>(std::move(options))) {}
ELU::ELU(ELUOptions options) : LayerHandle(std::make_shared<ELULayer>(options)) {}

}  // namespace cornu::inline v0::keras::layers
