#include "cornu/keras/layers/core/calibration_support.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/keras/base/shapes.h"

namespace cornu::inline v0::keras::layers {

std::vector<Variable> CalibratedWeights::in_file_order(const Variable& bias) const {
  std::vector<Variable> all = {bias, kernel, scale, zero_point, row_scale, group_of};
  std::erase_if(all, [](const Variable& variable) { return !variable.defined(); });
  return all;
}

std::pair<std::int64_t, std::int64_t> calibrated_extents(const Dims& kernel) {
  if (kernel.size() == 2) return {kernel[0], kernel[1]};
  if (kernel.size() != 3)
    invalid_argument("[quantize] GPTQ and AWQ need a kernel of two or three axes; its shape is {}",
                     shape_with_none_str(kernel));
  if (kernel[0] >= std::max(kernel[1], kernel[2])) return {kernel[0], kernel[1] * kernel[2]};
  return {kernel[0] * kernel[1], kernel[2]};
}

CalibratedTensors::CalibratedTensors(const CalibratedWeights& weights, std::int64_t columns)
    : kernel(weights.kernel),
      scale(weights.scale),
      zero_point(weights.zero_point),
      group_of(weights.group_of),
      packed_columns(columns) {
  if (weights.row_scale.defined()) row_scale = weights.row_scale;
}

namespace {

/// scale * (integers - zero_point), divided by the scales of the rows.
Tensor floats_of(const CalibratedTensors& from, const Tensor& integers, const Tensor& scale,
                 const Tensor& zero_point, DType dtype) {
  const Tensor zeros = ops::cast(zero_point, scale.dtype());
  const Tensor floats = quantizers::dequantize_by_groups(integers, scale, zeros, from.group_of, -1);
  return ops::cast(from.row_scale.defined() ? floats / from.row_scale : floats, dtype);
}

/// Every second line of a matrix, from line `which` on; one more of zeros if the number of lines is odd.
Tensor half_of_lines(const Tensor& x, int which) {
  const std::int64_t lines = x.shape()[0], width = x.shape()[1];
  const Tensor even = lines % 2 == 0 ? x : ops::pad(x, {{0, 1}, {0, 0}});
  const Tensor pairs = ops::reshape(even, {(lines + 1) / 2, 2, width});
  return ops::take(pairs, Tensor(std::int64_t{which}), {.axis = 1});
}

Tensor floats_of_half(const CalibratedTensors& from, int which, DType dtype) {
  const auto number = [](int value) { return ops::full({}, value, {.dtype = DType::kU8}); };
  const Tensor integers = which == 0 ? ops::bitwise_and(from.kernel, number(15))
                                     : ops::bitwise_right_shift(from.kernel, number(4));
  return floats_of(from, integers, half_of_lines(from.scale, which), half_of_lines(from.zero_point, which),
                   dtype);
}

Tensor product_without_gradient(const CalibratedTensors& from, const Tensor& x, std::int64_t columns) {
  if (from.packed_columns == 0) return ops::matmul(x, ops::transpose(from.floats(x.dtype())));
  return product_by_halves(x, columns,
                           [&](int which) { return ops::transpose(floats_of_half(from, which, x.dtype())); });
}

}  // namespace

Tensor CalibratedTensors::floats(DType dtype) const {
  const Tensor integers =
      packed_columns == 0 ? kernel
                          : quantizers::unpack_int4(kernel, packed_columns, {.axis = 0, .dtype = DType::kU8});
  return floats_of(*this, integers, scale, zero_point, dtype);
}

Tensor CalibratedTensors::product(const Tensor& x, std::int64_t columns) const {
  return with_input_gradient(
      x, [&](const Tensor& input) { return product_without_gradient(*this, input, columns); },
      [matrix = *this, dtype = x.dtype()](const Tensor& dy) {
        return ops::matmul(dy, matrix.floats(dtype));
      });
}

}  // namespace cornu::inline v0::keras::layers
