#pragma once

#include <string_view>

#include "cornu/base/check.h"
#include "cornu/keras/layer/layer.h"
#include "cornu/tensor/ops.h"

/// Code shared by the normalization layers; not part of the interface.
namespace cornu::inline v0::keras::layers::normalization {

/// `axis` as a non-negative index; its extent is known. Errors: InvalidArgument naming the layer's class.
inline std::int64_t known_axis(const char* layer, std::int64_t axis, const Dims& input_shape) {
  const auto rank = static_cast<std::int64_t>(input_shape.size());
  if (axis < -rank || axis >= rank)
    invalid_argument({.argument = "axis"},
                     "[{}] axis must be in [{}, {}) for an input of shape {}; got axis = {}", layer, -rank,
                     rank, shape_with_none_str(input_shape), axis);
  const std::int64_t at = axis < 0 ? axis + rank : axis;
  if (input_shape[static_cast<std::size_t>(at)] == kUnknown)
    invalid_argument("[{}] the extent of axis {} must be known; got an input of shape {}", layer, axis,
                     shape_with_none_str(input_shape));
  return at;
}

/// The dtype in which normalization computes.
inline DType wide_dtype(DType dtype) {
  return ir::is_float(dtype) && ir::bit_width(dtype) >= 32 ? dtype : DType::kF32;
}

inline Tensor as_dtype(const Tensor& x, DType dtype) { return x.dtype() == dtype ? x : ops::cast(x, dtype); }

/// A layer that multiplies its result by gamma and adds beta, as far as its options ask for these weights.
class ScalingLayer : public Layer {
 public:
  using Layer::Layer;
  Dims compute_output_shape(const Dims& input_shape) const override { return input_shape; }

 protected:
  /// Errors: InvalidArgument naming the option.
  template <typename Options>
  void check_scaling(const Options& options) const {
    if (!(options.epsilon >= 0))
      option_error("epsilon", "must not be negative", fmt::format("{}", options.epsilon));
    check_initializer("beta_initializer", options.beta_initializer);
    check_initializer("gamma_initializer", options.gamma_initializer);
    check_regularizer("beta_regularizer", options.beta_regularizer);
    check_regularizer("gamma_regularizer", options.gamma_regularizer);
    check_constraint("beta_constraint", options.beta_constraint);
    check_constraint("gamma_constraint", options.gamma_constraint);
  }

  template <typename Options>
  void add_gamma(const Options& options, const Dims& shape) {
    gamma_ = add_weight({.name = "gamma",
                         .shape = shape,
                         .initializer = options.gamma_initializer,
                         .autocast = false,
                         .regularizer = options.gamma_regularizer,
                         .constraint = options.gamma_constraint});
  }
  template <typename Options>
  void add_beta(const Options& options, const Dims& shape) {
    beta_ = add_weight({.name = "beta",
                        .shape = shape,
                        .initializer = options.beta_initializer,
                        .autocast = false,
                        .regularizer = options.beta_regularizer,
                        .constraint = options.beta_constraint});
  }
  void unbuild() override { set_input_spec({}); }

  Variable gamma_;
  Variable beta_;
};

}  // namespace cornu::inline v0::keras::layers::normalization
