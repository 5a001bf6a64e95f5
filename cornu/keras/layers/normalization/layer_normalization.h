#pragma once

#include "cornu/keras/layer.h"
#include "cornu/tensor/ops/types.h"

namespace cornu::inline v0::keras::layers {

struct LayerNormalizationOptions {
  ops::Axes axis = -1;
  double epsilon = 1e-3;
  bool center = true;
  bool scale = true;
  InitializerSpec beta_initializer = "zeros";
  InitializerSpec gamma_initializer = "ones";
  RegularizerSpec beta_regularizer = {};
  RegularizerSpec gamma_regularizer = {};
  ConstraintSpec beta_constraint = {};
  ConstraintSpec gamma_constraint = {};
  std::string name = {};
  bool trainable = true;
  std::optional<DType> dtype = {};
  std::optional<Dims> input_shape = {};
};

/// (x - mean) / sqrt(variance + epsilon) * gamma + beta with the mean and variance along the axes, a pair for everything else.
///
/// Shapes:  the output is the input's; gamma, beta: the extents along the axes.
/// Errors:  InvalidArgument when epsilon is negative, no axis is given, or one is outside the input's rank, repeats or has an unknown
/// extent.
class LayerNormalization : public LayerHandle {
 public:
  explicit LayerNormalization(LayerNormalizationOptions options = {});
  explicit LayerNormalization(NoOptions) : LayerNormalization() {}
};

struct RMSNormalizationOptions {
  ops::Axes axis = -1;
  double epsilon = 1e-6;
  std::string name = {};
  bool trainable = true;
  std::optional<DType> dtype = {};
  std::optional<Dims> input_shape = {};
};

/// x / sqrt(mean(x * x) + epsilon) * scale with the mean along the axes; scale begins with ones.
///
/// Shapes:  the output is the input's; scale: the extents along the axes.
/// Errors:  as LayerNormalization's.
class RMSNormalization : public LayerHandle {
 public:
  explicit RMSNormalization(RMSNormalizationOptions options = {});
  explicit RMSNormalization(NoOptions) : RMSNormalization() {}
};

}  // namespace cornu::inline v0::keras::layers
