#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "cornu/keras/quantizers/calibration_support.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::quantizers {
namespace {

constexpr float kLeastActivation = 1e-8F;  // smaller ones count as 1, as in Keras
constexpr float kLeastScale = 1e-4F;

class AwqCalibration : public KernelCalibration {
 public:
  AwqCalibration(AWQConfigOptions options, std::int64_t rows)
      : options_(std::move(options)), largest_(ops::zeros({rows}, DType::kF32)) {}

  /// The largest absolute input of each row.
  void add(const Tensor& inputs) override {
    largest_ = ops::maximum(largest_, ops::max(ops::abs(inputs), {.axis = 0}));
  }

  CalibratedValues quantize(const Tensor& kernel) const override {
    const std::vector<float> weights = transposed_floats(kernel);
    std::vector<float> activations = largest_.to_vector<float>();
    for (float& activation : activations)
      if (activation < kLeastActivation) activation = 1;
    std::vector<float> scales = best_scales(weights, activations);
    return values_of(weights, std::move(scales));
  }

 private:
  /// Factors of the rows, activation^exponent, of the exponent with the least error.
  std::vector<float> best_scales(const std::vector<float>& weights,
                                 const std::vector<float>& activations) const {
    std::vector<float> best;
    double least = std::numeric_limits<double>::infinity();
    for (std::int64_t point = 0; point <= options_.num_grid_points; ++point) {
      const auto exponent =
          static_cast<float>(static_cast<double>(point) / static_cast<double>(options_.num_grid_points));
      std::vector<float> scales = scales_of(activations, exponent);
      const double error = error_of(weights, activations, scales);
      if (best.empty() || error < least) {
        least = error;
        best = std::move(scales);
      }
    }
    return best;
  }

  static std::vector<float> scales_of(const std::vector<float>& activations, float exponent) {
    std::vector<float> scales;
    for (const float activation : activations)
      scales.push_back(std::max(std::pow(activation, exponent), kLeastScale));
    const auto [low, high] = std::minmax_element(scales.begin(), scales.end());
    const float mean = std::max(std::sqrt(*high * *low), kLeastActivation);
    for (float& scale : scales) scale /= mean;
    return scales;
  }

  std::size_t group(std::size_t rows) const {
    return options_.group_size == -1 ? rows : static_cast<std::size_t>(options_.group_size);
  }

  /// The grid of weights times their rows' factors. Rows that the last of several groups lacks count as zeros.
  IntegerGrid grid_of(const float* weights, const float* scales, std::size_t count, bool is_padded) const {
    float low = is_padded ? 0 : weights[0] * scales[0], high = low;
    for (std::size_t i = 0; i < count; ++i) {
      const float scaled = weights[i] * scales[i];
      low = std::min(low, scaled);
      high = std::max(high, scaled);
    }
    return IntegerGrid::of(low, high, options_.weight_bits, false);
  }

  /// Calls visit(index of the first weight, row, number of weights, grid) for each group of each column.
  template <typename Visit>
  void for_each_group(const std::vector<float>& weights, const std::vector<float>& scales,
                      const Visit& visit) const {
    const std::size_t rows = scales.size(), size = group(rows);
    for (std::size_t column = 0; column < weights.size() / rows; ++column) {
      for (std::size_t row = 0; row < rows; row += size) {
        const std::size_t first = column * rows + row, count = std::min(size, rows - row);
        const bool is_padded = rows > size && count < size;
        visit(first, row, count, grid_of(&weights[first], &scales[row], count, is_padded));
      }
    }
  }

  /// The squared error of the weights, each times the square of its activation.
  double error_of(const std::vector<float>& weights, const std::vector<float>& activations,
                  const std::vector<float>& scales) const {
    double sum = 0;
    for_each_group(
        weights, scales, [&](std::size_t first, std::size_t row, std::size_t count, const IntegerGrid& grid) {
          for (std::size_t i = 0; i < count; ++i) {
            const float weight = weights[first + i];
            const float again = grid.dequantize(grid.quantize(weight * scales[row + i])) / scales[row + i];
            const float error = (weight - again) * activations[row + i];
            sum += static_cast<double>(error) * static_cast<double>(error);
          }
        });
    return sum;
  }

  CalibratedValues values_of(const std::vector<float>& weights, std::vector<float> scales) const {
    const std::size_t rows = scales.size(), size = group(rows);
    std::vector<std::uint8_t> integers(weights.size()), zeros;
    std::vector<float> grid_scales, group_of;
    for_each_group(weights, scales,
                   [&](std::size_t first, std::size_t row, std::size_t count, const IntegerGrid& grid) {
                     grid_scales.push_back(grid.scale);
                     zeros.push_back(static_cast<std::uint8_t>(grid.zero));
                     for (std::size_t i = 0; i < count; ++i)
                       integers[first + i] =
                           static_cast<std::uint8_t>(grid.quantize(weights[first + i] * scales[row + i]));
                   });
    for (std::size_t row = 0; row < rows; ++row) group_of.push_back(static_cast<float>(row / size));
    const auto columns = static_cast<std::int64_t>(weights.size() / rows),
               extent = static_cast<std::int64_t>(rows);
    const Dims shape = {columns, static_cast<std::int64_t>((rows + size - 1) / size)};
    return {.kernel = packed_columns(integers, columns, extent, options_.weight_bits),
            .scale = Tensor::adopt(shape, std::move(grid_scales)),
            .zero_point = Tensor::adopt(shape, std::move(zeros)),
            .row_scale = Tensor::adopt({extent}, std::move(scales)),
            .group_of = Tensor::adopt({extent}, std::move(group_of))};
  }

  AWQConfigOptions options_;
  Tensor largest_;
};

}  // namespace

std::unique_ptr<KernelCalibration> awq_calibration(const AWQConfigOptions& options, std::int64_t rows) {
  return std::make_unique<AwqCalibration>(options, rows);
}

}  // namespace cornu::inline v0::keras::quantizers
