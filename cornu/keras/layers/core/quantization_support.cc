#include "cornu/keras/layers/core/quantization_support.h"

#include <array>
#include <span>

#include "cornu/ops/int4_dot/int4_dot.h"
#include "cornu/tensor/device.h"
#include "cornu/tensor/run/run_op.h"
#include "cornu/tensor/trace.h"
#include "cornu/tensor/trace/variable_fill.h"

namespace cornu::inline v0::keras::layers {

std::vector<Variable> QuantizedWeights::in_file_order(const Variable& bias) const {
  std::vector<Variable> all = {values, bias, scale, zero_point, group_of};
  std::erase_if(all, [](const Variable& variable) { return !variable.defined(); });
  return all;
}

std::vector<std::pair<Variable, Tensor>> merged_with(const QuantizedWeights& weights,
                                                     const QuantizedValues& values) {
  std::vector<std::pair<Variable, Tensor>> merged = {{weights.values, values.values},
                                                     {weights.scale, values.scale}};
  if (weights.zero_point.defined()) merged.emplace_back(weights.zero_point, values.zero_point);
  return merged;
}

Tensor weight_on_host(const Variable& weight) { return cornu::detail::host_value(weight); }

QuantizedValues int8_values(const Tensor& kernel, const QuantizationConfig* config, const ops::Axes& axes) {
  const EagerScope outside_of_traces;
  const cornu::detail::HostScope on_host;
  const std::shared_ptr<Quantizer> own = config == nullptr ? nullptr : config->weight_quantizer();
  const quantizers::QuantizedTensor quantized =
      own != nullptr ? (*own)(kernel, std::nullopt) : quantizers::abs_max_quantize(kernel, {.axis = axes});
  return {quantized.values, quantized.scale, Tensor()};
}

namespace {

/// A matrix of four bits, not yet packed.
QuantizedValues unpacked_int4(const Tensor& matrix, const QuantizationConfig* config,
                              std::int64_t block_size) {
  if (block_size > 0) {
    const quantizers::GroupedQuantizedTensor grouped = quantizers::abs_max_quantize_grouped_with_zero_point(
        matrix, {.block_size = block_size, .to_numpy = true});
    return {grouped.values, grouped.scale, grouped.zero_point};
  }
  const std::shared_ptr<Quantizer> own = config == nullptr ? nullptr : config->weight_quantizer();
  const quantizers::QuantizedTensor quantized =
      own != nullptr ? (*own)(matrix, std::nullopt)
                     : quantizers::abs_max_quantize(matrix, {.axis = 0, .value_range = {-8, 7}});
  return {quantized.values, ops::squeeze(quantized.scale, {.axis = 0}), Tensor()};
}

QuantizedValues int4_values_along(std::int64_t axis, const Tensor& matrix, const QuantizationConfig* config,
                                  std::int64_t block_size) {
  const EagerScope outside_of_traces;
  const cornu::detail::HostScope on_host;
  QuantizedValues values = unpacked_int4(matrix, config, block_size);
  values.values = quantizers::pack_int4(values.values, {.axis = axis}).packed;
  return values;
}

}  // namespace

QuantizedValues int4_values(const Tensor& matrix, const QuantizationConfig* config, std::int64_t block_size) {
  return int4_values_along(-1, matrix, config, block_size);
}
QuantizedValues int4_values_by_rows(const Tensor& matrix, const QuantizationConfig* config,
                                    std::int64_t block_size) {
  return int4_values_along(0, matrix, config, block_size);
}

QuantizedForm int4_form(std::int64_t rows, std::int64_t columns, std::int64_t block_size) {
  QuantizedForm form{.values = {rows, (columns + 1) / 2}, .scale = {columns}};
  if (block_size == 0) return form;
  form.scale = {(rows + block_size - 1) / block_size, columns};
  form.block_size = block_size;
  form.num_rows = rows;
  return form;
}

QuantizedTensors::QuantizedTensors(const QuantizedWeights& weights, std::int64_t columns)
    : values(weights.values), scale(weights.scale), packed_columns(columns), block_size(weights.block_size) {
  if (weights.zero_point.defined()) zero_point = weights.zero_point;
  if (weights.group_of.defined()) group_of = weights.group_of;
}

Tensor QuantizedTensors::integers() const {
  return packed_columns == 0 ? values : quantizers::unpack_int4(values, packed_columns, {.axis = -1});
}

Tensor QuantizedTensors::floats(DType dtype) const {
  if (!zero_point.defined()) return ops::cast(integers(), dtype) / ops::cast(scale, dtype);
  return ops::cast(quantizers::dequantize_by_groups(integers(), scale, zero_point, group_of, 0), dtype);
}

namespace {

/// Every second column of a matrix or vector, from column `which` on; one more of 0 if the number is odd.
Tensor half_of_columns(const Tensor& x, int which) {
  const std::int64_t columns = x.shape().back();
  Dims pairs = x.shape();
  pairs.back() = (columns + 1) / 2;
  pairs.push_back(2);
  std::vector<std::pair<std::int64_t, std::int64_t>> padding(x.shape().size());
  padding.back().second = columns % 2;
  const Tensor even = columns % 2 == 0 ? x : ops::pad(x, padding);
  return ops::take(ops::reshape(even, pairs), Tensor(std::int64_t{which}), {.axis = -1});
}

}  // namespace

Tensor QuantizedTensors::integers_of_half(int which) const {
  const Tensor four = ops::full({}, 4, {.dtype = values.dtype()});
  // Shifts to the right repeat the sign.
  return ops::bitwise_right_shift(which == 0 ? ops::bitwise_left_shift(values, four) : values, four);
}

Tensor QuantizedTensors::floats_of_half(int which, DType dtype) const {
  const Tensor zeros = half_of_columns(ops::cast(zero_point, scale.dtype()), which);
  return ops::cast(quantizers::dequantize_by_groups(integers_of_half(which), half_of_columns(scale, which),
                                                    zeros, group_of, 0),
                   dtype);
}

Tensor product_by_halves(const Tensor& x, std::int64_t columns, const std::function<Tensor(int)>& half) {
  const Tensor pairs = ops::stack({ops::matmul(x, half(0)), ops::matmul(x, half(1))}, {.axis = -1});
  Dims dims = x.shape();
  dims.back() = pairs.shape()[static_cast<std::size_t>(x.rank() - 1)] * 2;
  const Tensor whole = ops::reshape(pairs, dims);
  if (dims.back() == columns) return whole;
  dims.back() = columns;
  return ops::slice(whole, Dims(dims.size(), 0), dims);
}

namespace {

/// x . matrix before the division by the scale, of integers that are converted to x's dtype.
Tensor integer_product(const Tensor& x, const QuantizedTensors& matrix, std::int64_t columns) {
  if (matrix.packed_columns == 0) return ops::matmul(x, ops::cast(matrix.values, x.dtype()));
  return product_by_halves(x, columns,
                           [&](int which) { return ops::cast(matrix.integers_of_half(which), x.dtype()); });
}

/// x . matrix of four bits in f32, whose integers become floats inside the kernel.
Tensor int4_product(const Tensor& x, const QuantizedTensors& matrix) {
  const std::int64_t rows = matrix.values.shape()[0];
  const bool has_groups = matrix.zero_point.defined();
  const std::int64_t group = has_groups ? matrix.block_size : rows;
  const Dims shape = has_groups ? matrix.scale.shape() : Dims{1, matrix.packed_columns};
  const std::array operands = {
      ops::reshape(x, {-1, rows}), matrix.values, has_groups ? matrix.scale : ops::ones(shape, DType::kF32),
      has_groups ? ops::cast(matrix.zero_point, DType::kF32) : ops::zeros(shape, DType::kF32)};
  const Tensor product = cornu::detail::run_op(cornu::detail::OpKey("int4_dot", group), operands,
                                               [group](ir::Builder& b, std::span<const ir::Value> v) {
                                                 return ops::int4_dot(b, v[0], v[1], v[2], v[3], group);
                                               });
  Dims dims = x.shape();
  dims.back() = matrix.packed_columns;
  const Tensor y = ops::reshape(product, dims);
  return has_groups ? y : y / matrix.scale;
}

Tensor matmul_without_gradient(const Tensor& x, const QuantizedTensors& matrix, std::int64_t columns,
                               const std::shared_ptr<Quantizer>& quantizer) {
  const DType dtype = x.dtype();
  const bool is_f32 = dtype == DType::kF32 && matrix.scale.dtype() == DType::kF32;
  const bool keeps_inputs = quantizer == nullptr || matrix.zero_point.defined();
  if (is_f32 && matrix.packed_columns > 0 && keeps_inputs) return int4_product(x, matrix);
  if (matrix.zero_point.defined())
    return product_by_halves(x, columns, [&](int which) { return matrix.floats_of_half(which, dtype); });
  if (quantizer == nullptr) return integer_product(x, matrix, columns) / matrix.scale;
  const quantizers::QuantizedTensor rows = (*quantizer)(x, ops::Axes(-1));
  return ops::cast(integer_product(rows.values, matrix, columns), dtype) / (matrix.scale * rows.scale);
}

}  // namespace

Tensor quantized_matmul(const Tensor& x, const QuantizedTensors& matrix, std::int64_t columns,
                        const std::shared_ptr<Quantizer>& quantizer) {
  return with_input_gradient(
      x, [&](const Tensor& input) { return matmul_without_gradient(input, matrix, columns, quantizer); },
      [matrix, dtype = x.dtype()](const Tensor& dy) {
        return ops::matmul(dy, ops::transpose(matrix.floats(dtype)));
      });
}

std::vector<Variable> Float8State::in_file_order(const Variable& kernel_weight, const Variable& bias) const {
  std::vector<Variable> all = {kernel_weight};
  if (bias.defined()) all.push_back(bias);
  for (const Float8Weights* weights : {&inputs, &kernel, &outputs_grad}) {
    all.push_back(weights->scale);
    all.push_back(weights->amax_history);
  }
  return all;
}

namespace {

/// x rounded by the scale before this step; the state moves on.
Tensor float8_step(const Tensor& x, const Float8Weights& weights, DType dtype, bool training) {
  const Tensor scale = weights.scale, history = weights.amax_history;
  const Tensor rounded = quantizers::quantize_and_dequantize(x, scale, dtype, x.dtype());
  if (!training) return rounded;
  const Tensor largest(static_cast<float>(quantizers::largest_small_float(dtype)));
  weights.scale.assign(quantizers::compute_float8_scale(ops::max(history), scale, largest));
  weights.amax_history.assign(quantizers::compute_float8_amax_history(x, history));
  return rounded;
}

}  // namespace

Tensor float8_operand(const Tensor& x, const Float8Weights& weights, bool training) {
  const Tensor rounded = float8_step(x, weights, DType::kF8E4M3FN, training);
  return with_input_gradient(x, [&](const Tensor&) { return rounded; }, [](const Tensor& dy) { return dy; });
}

Tensor with_float8_gradient(const Tensor& y, const Float8Weights& weights, bool training) {
  return with_input_gradient(
      y, [](const Tensor& x) { return x; },
      [weights, training](const Tensor& dy) { return float8_step(dy, weights, DType::kF8E5M2, training); });
}

Tensor float8_bias(const Tensor& bias) {
  return bias.dtype() == DType::kF32 ? ops::cast(ops::cast(bias, DType::kBF16), DType::kF32) : bias;
}

}  // namespace cornu::inline v0::keras::layers
