#include "cornu/keras/layers/attention/projection_support.h"

#include <functional>
#include <numeric>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/keras/layers/core/axes_initializer_support.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::layers {

Projection::Projection(const std::string& name, std::size_t num_contracted, const ProjectionOptions& options,
                       bool is_gate)
    : WithCalibration(LayerSettings{.class_name = "EinsumDense",
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
  input_rank_ = input_shape.size();
  Dims kernel = contracted;
  kernel.insert(kernel.end(), output_dims_.begin(), output_dims_.end());
  std::vector<std::size_t> axes(kernel.size());
  std::iota(axes.begin(), axes.end(), std::size_t{0});
  const auto outputs_from = axes.begin() + static_cast<std::ptrdiff_t>(num_contracted_);
  kernel_shape_ = kernel;
  if (is_quantized())
    add_quantized_kernel(kernel, {});
  else if (!is_calibrated())
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
  if (is_calibrated()) add_calibrated_kernel(kernel, {});
}

void Projection::quantize(const std::shared_ptr<QuantizationConfig>& config) {
  check_may_quantize(*config);
  if (config->mode() == QuantizationMode::kFloat8)
    fail(ErrorCode::kUnimplemented, {.layer = name()},
         "[quantize] projections of attention layers have no form of float8");
  const Dims shape = kernel_.shape();
  const auto [rows, columns] = matrix_extents(shape);
  const Tensor kernel = ops::reshape(weight_on_host(kernel_), {rows, columns});
  QuantizedValues values = config->mode() == QuantizationMode::kInt8
                               ? int8_values(kernel, config.get(), 0)
                               : int4_values(kernel, nullptr, config->block_size().value_or(0));
  remove_weight(kernel_);
  kernel_ = Variable();
  become_quantized(config);
  add_quantized_kernel(shape, std::move(values));
}

std::pair<std::int64_t, std::int64_t> Projection::matrix_extents(const Dims& kernel) const {
  const auto product = [](auto from, auto to) {
    return std::accumulate(from, to, std::int64_t{1}, std::multiplies<>());
  };
  const auto first_output = kernel.begin() + static_cast<std::ptrdiff_t>(num_contracted_);
  return {product(kernel.begin(), first_output), product(first_output, kernel.end())};
}

/// int8 kernels keep their shape, and their scale has the rank of the output, as in Keras.
void Projection::add_quantized_kernel(const Dims& kernel, QuantizedValues values) {
  const auto [rows, columns] = matrix_extents(kernel);
  QuantizedForm form = int4_form(rows, columns, block_size());
  if (!is_int4()) {
    form = {.values = kernel, .scale = Dims(input_rank_ - num_contracted_, 1)};
    form.scale.insert(form.scale.end(), kernel.begin() + static_cast<std::ptrdiff_t>(num_contracted_),
                      kernel.end());
    if (values.values.defined()) values.values = ops::reshape(values.values, form.values);
    if (values.scale.defined()) values.scale = ops::reshape(values.scale, form.scale);
  }
  quantized_ = add_quantized_weights("kernel", form, values);
}

std::vector<Variable> Projection::weights_in_file_order() const {
  if (is_calibrated()) return calibrated_in_file_order(bias_);
  return is_quantized() ? quantized_.in_file_order(bias_) : std::vector<Variable>();
}

/// The contracted axes as one, and the output's as one.
Tensor Projection::quantized_product(const Tensor& input) const {
  std::int64_t columns = 1;
  for (const std::int64_t extent : output_dims_) columns *= extent;
  Dims dims(input.shape().begin(), input.shape().end() - static_cast<std::ptrdiff_t>(num_contracted_));
  Dims flat = dims;
  std::int64_t rows = 1;
  for (std::size_t d = dims.size(); d < input.shape().size(); ++d) rows *= input.shape()[d];
  flat.push_back(rows);
  QuantizedTensors matrix(quantized_, is_int4() ? columns : 0);
  if (!is_int4()) {
    matrix.values = ops::reshape(matrix.values, {rows, columns});
    matrix.scale = ops::reshape(matrix.scale, {columns});
  }
  const Tensor product =
      quantized_matmul(ops::reshape(input, flat), matrix, columns, activation_quantizer(!is_int4()));
  dims.insert(dims.end(), output_dims_.begin(), output_dims_.end());
  return ops::reshape(product, dims);
}

Tensor Projection::calibrated_product(const Tensor& input) const {
  const auto [rows, columns] = matrix_extents(kernel_shape_);
  const auto floats = [matrix = calibrated_kernel(), rows = rows, columns = columns, dtype = input.dtype()] {
    return ops::reshape(ops::transpose(matrix.floats(dtype)), {rows, columns});
  };
  const auto batch_end = input.shape().end() - static_cast<std::ptrdiff_t>(num_contracted_);
  Dims flat(input.shape().begin(), batch_end), dims = flat;
  flat.push_back(rows);
  const Tensor product = with_input_gradient(
      ops::reshape(input, flat), [&](const Tensor& x) { return ops::matmul(x, floats()); },
      [floats](const Tensor& dy) { return ops::matmul(dy, ops::transpose(floats())); });
  dims.insert(dims.end(), output_dims_.begin(), output_dims_.end());
  return ops::reshape(product, dims);
}

Tensor Projection::call(const Tensor& input, const CallContext&) {
  observe(input);
  const ops::TensordotOptions axes{.axes = static_cast<std::int64_t>(num_contracted_)};
  Tensor output = is_quantized()    ? quantized_product(input)
                  : is_calibrated() ? calibrated_product(input)
                                    : ops::tensordot(input, kernel_, axes);
  if (bias_.defined()) output = output + bias_;
  return is_gate_ ? ops::sigmoid(output) : output;
}

}  // namespace cornu::inline v0::keras::layers
