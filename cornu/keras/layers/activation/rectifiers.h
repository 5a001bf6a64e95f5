#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"

namespace cornu::inline v0::keras::layers {

struct ReLUOptions {
  std::optional<double> max_value = {};
  double negative_slope = 0.0;
  double threshold = 0.0;
  RegularizerSpec activity_regularizer = {};
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
  OptionalDims input_shape = {};
};
CORNU_FIELDS(ReLUOptions, max_value, negative_slope, threshold, activity_regularizer, name, trainable, dtype,
             input_shape)
/// max_value from there on, x above the threshold, negative_slope * (x - threshold) below.
/// Errors: InvalidArgument when an option is negative.
class ReLU : public LayerHandle {
 public:
  explicit ReLU(ReLUOptions options = {});
  explicit ReLU(NoOptions) : ReLU() {}
};

struct LeakyReLUOptions {
  double negative_slope = 0.3;
  RegularizerSpec activity_regularizer = {};
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
  OptionalDims input_shape = {};
};
CORNU_FIELDS(LeakyReLUOptions, negative_slope, activity_regularizer, name, trainable, dtype, input_shape)
/// x, and negative_slope * x below 0. Errors: InvalidArgument when negative_slope is negative.
class LeakyReLU : public LayerHandle {
 public:
  explicit LeakyReLU(LeakyReLUOptions options = {});
  explicit LeakyReLU(NoOptions) : LeakyReLU() {}
};

struct PReLUOptions {
  InitializerSpec alpha_initializer = "zeros";
  RegularizerSpec alpha_regularizer = {};
  ConstraintSpec alpha_constraint = {};
  std::vector<std::int64_t> shared_axes = {};  // from 1: those along which all elements share one slope
  RegularizerSpec activity_regularizer = {};
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
  OptionalDims input_shape = {};
};
CORNU_FIELDS(PReLUOptions, alpha_initializer, alpha_regularizer, alpha_constraint, shared_axes,
             activity_regularizer, name, trainable, dtype, input_shape)
/// x, and alpha * x below 0; alpha is a weight of the input's shape without the batch.
class PReLU : public LayerHandle {
 public:
  explicit PReLU(PReLUOptions options = {});
  explicit PReLU(NoOptions) : PReLU() {}
};

struct ELUOptions {
  double alpha = 1.0;
  RegularizerSpec activity_regularizer = {};
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
  OptionalDims input_shape = {};
};
CORNU_FIELDS(ELUOptions, alpha, activity_regularizer, name, trainable, dtype, input_shape)
/// x, and alpha * (exp(x) - 1) below 0.
class ELU : public LayerHandle {
 public:
  explicit ELU(ELUOptions options = {});
  explicit ELU(NoOptions) : ELU() {}
};

}  // namespace cornu::inline v0::keras::layers
