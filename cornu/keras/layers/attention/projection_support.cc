#include "cornu/keras/layers/attention/projection_support.h"

#include <numeric>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/keras/layers/core/axes_initializer_support.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::layers {

Projection::Projection(const std::string& name, std::size_t num_contracted, const ProjectionOptions& options,
                       bool is_gate)
    : Layer(LayerSettings{.class_name = "EinsumDense",
                          .name = name,
                          .dtype = options.dtype,
                          .activity_regularizer = options.activity_regularizer}),
      num_contracted_(num_contracted),
      options_(options),
      is_gate_(is_gate) {
  set_supports_masking(true);
}

void Projection::build(const Dims& input_shape) {
  if (input_shape.size() <= num_contracted_)
    invalid_argument("the projection needs a batch and {} further axes; the input's shape is {}",
                     num_contracted_, shape_with_none_str(input_shape));
  const Dims contracted(input_shape.end() - static_cast<std::ptrdiff_t>(num_contracted_), input_shape.end());
  for (const std::int64_t extent : contracted)
    if (extent == kUnknown)
      invalid_argument("the last {} of the input's extents {} must be known", num_contracted_,
                       shape_with_none_str(input_shape));
  Dims kernel = contracted;
  kernel.insert(kernel.end(), output_dims_.begin(), output_dims_.end());
  std::vector<std::size_t> axes(kernel.size());
  std::iota(axes.begin(), axes.end(), std::size_t{0});
  const auto outputs_from = axes.begin() + static_cast<std::ptrdiff_t>(num_contracted_);
  kernel_ =
      add_weight({.name = "kernel",
                  .shape = kernel,
                  .initializer = for_kernel_axes(options_.kernel_initializer, {axes.begin(), outputs_from},
                                                 {outputs_from, axes.end()}),
                  .regularizer = options_.kernel_regularizer,
                  .constraint = options_.kernel_constraint});
  if (options_.use_bias)
    bias_ = add_weight({.name = "bias",
                        .shape = output_dims_,
                        .initializer = options_.bias_initializer,
                        .regularizer = options_.bias_regularizer,
                        .constraint = options_.bias_constraint});
}

Tensor Projection::call(const Tensor& input, const CallContext&) {
  Tensor output = ops::tensordot(input, kernel_, {.axes = static_cast<std::int64_t>(num_contracted_)});
  if (bias_.defined()) output = output + bias_;
  return is_gate_ ? ops::sigmoid(output) : output;
}

}  // namespace cornu::inline v0::keras::layers
