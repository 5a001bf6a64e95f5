#pragma once

#include <memory>
#include <string>
#include <utility>

#include "cornu/keras/layers/core/calibration_support.h"

/// Code shared by the attention layers with several heads; not part of the interface.
namespace cornu::inline v0::keras::layers {

/// The options of a layer's projections.
struct ProjectionOptions {
  bool use_bias = true;
  InitializerSpec kernel_initializer;
  InitializerSpec bias_initializer;
  RegularizerSpec kernel_regularizer;
  RegularizerSpec bias_regularizer;
  RegularizerSpec activity_regularizer;
  ConstraintSpec kernel_constraint;
  ConstraintSpec bias_constraint;
  std::optional<DTypePolicy> dtype;
};

/// A dense layer that contracts the last axes of its input and adds new ones, for which Keras uses
/// EinsumDense: [..., i, j] . kernel [i, j, k, l] + bias [k, l] -> [..., k, l].
class Projection : public WithCalibration<Layer> {
 public:
  /// `num_contracted`: the number of contracted axes of the input. `is_gate`: a logistic function follows.
  Projection(const std::string& name, std::size_t num_contracted, const ProjectionOptions& options,
             bool is_gate = false);

  /// Call it before the layer is built.
  void set_output_dims(Dims dims) { output_dims_ = std::move(dims); }

  void quantize(const std::shared_ptr<QuantizationConfig>& config) override;

 protected:
  void build(const Dims& input_shape) override;
  Tensor call(const Tensor& input, const CallContext& context) override;
  std::vector<Variable> weights_in_file_order() const override;
  const Variable& float_kernel() const override { return kernel_; }

 private:
  /// The rows and columns of the kernel as a matrix.
  std::pair<std::int64_t, std::int64_t> matrix_extents(const Dims& kernel) const;
  void add_quantized_kernel(const Dims& kernel, QuantizedValues values);
  Tensor quantized_product(const Tensor& input) const;
  Tensor calibrated_product(const Tensor& input) const;

  std::size_t num_contracted_;
  ProjectionOptions options_;
  bool is_gate_;
  Dims output_dims_;
  Dims kernel_shape_;
  std::size_t input_rank_ = 0;
  Variable kernel_;  // undefined if it is of integers
  QuantizedWeights quantized_;
  Variable bias_;
};

/// The options that layers with projections have under the same names.
template <typename Options>
ProjectionOptions projection_options(const Options& options) {
  return {.use_bias = options.use_bias,
          .kernel_initializer = options.kernel_initializer,
          .bias_initializer = options.bias_initializer,
          .kernel_regularizer = options.kernel_regularizer,
          .bias_regularizer = options.bias_regularizer,
          .activity_regularizer = options.activity_regularizer,
          .kernel_constraint = options.kernel_constraint,
          .bias_constraint = options.bias_constraint,
          .dtype = options.dtype};
}

}  // namespace cornu::inline v0::keras::layers
