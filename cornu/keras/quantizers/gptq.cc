#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "cornu/keras/quantizers/calibration_support.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::quantizers {
namespace {

constexpr std::size_t kBlock = 128;  // rows between two products over all later rows, as in Keras

/// Rounds a kernel. Weights are stored by columns: those of a column do not depend on other columns, except by
/// shared scales.
class GptqRounding {
 public:
  /// `weights`: [columns, rows]. `inverse`: of the Hessian, [rows, rows]. `group`: rows that share a scale.
  GptqRounding(std::vector<float> weights, std::vector<float> inverse, std::size_t rows, std::size_t group,
               const GPTQConfigOptions& options)
      : weights_(std::move(weights)),
        inverse_(std::move(inverse)),
        rows_(rows),
        columns_(weights_.size() / rows),
        group_(group),
        options_(options),
        num_groups_((rows + group - 1) / group),
        grids_(columns_ * num_groups_),
        integers_(weights_.size()) {
    for (std::size_t begin = 0; begin < rows_; begin += kBlock) round_block(begin);
  }

  const std::vector<std::uint8_t>& integers() const { return integers_; }
  std::size_t columns() const { return columns_; }
  std::size_t num_groups() const { return num_groups_; }
  const IntegerGrid& grid(std::size_t column, std::size_t group) const {
    return grids_[column * num_groups_ + group];
  }

 private:
  void round_block(std::size_t begin) {
    const std::size_t end = std::min(begin + kBlock, rows_);
    for (std::size_t row = begin; row < end; ++row)
      if (row % group_ == 0) set_grids(row / group_);
    std::vector<float> errors(columns_ * (end - begin));
    for (std::size_t column = 0; column < columns_; ++column)
      round_column(column, begin, end, &errors[column * (end - begin)]);
    if (end < rows_) spread(errors, begin, end);
  }

  /// The grids of a group by its weights at the beginning of the block.
  void set_grids(std::size_t group) {
    const std::size_t first = group * group_, count = std::min(group_, rows_ - first);
    std::vector<std::pair<float, float>> bounds;
    for (std::size_t column = 0; column < columns_; ++column) {
      const float* const weights = &weights_[column * rows_ + first];
      const auto [low, high] = std::minmax_element(weights, weights + count);
      bounds.emplace_back(*low, *high);
    }
    if (!options_.per_channel) {
      std::pair<float, float> all = bounds.front();
      for (const auto& [low, high] : bounds) all = {std::min(all.first, low), std::max(all.second, high)};
      std::fill(bounds.begin(), bounds.end(), all);
    }
    for (std::size_t column = 0; column < columns_; ++column)
      grids_[column * num_groups_ + group] = IntegerGrid::of(bounds[column].first, bounds[column].second,
                                                             options_.weight_bits, options_.symmetric);
  }

  void round_column(std::size_t column, std::size_t begin, std::size_t end, float* errors) {
    std::vector<float> left(&weights_[column * rows_ + begin],
                            &weights_[column * rows_ + begin] + (end - begin));
    for (std::size_t i = 0; i < left.size(); ++i) {
      const std::size_t row = begin + i;
      const IntegerGrid& grid = grids_[column * num_groups_ + row / group_];
      const float integer = grid.quantize(left[i]);
      integers_[column * rows_ + row] = static_cast<std::uint8_t>(integer);
      const float* const influence = &inverse_[row * rows_ + begin];
      errors[i] = (left[i] - grid.dequantize(integer)) / influence[i];
      for (std::size_t later = i + 1; later < left.size(); ++later)
        left[later] -= errors[i] * influence[later];
    }
  }

  /// Subtracts errors . inverse[begin:end, end:] from the rows after the block.
  void spread(const std::vector<float>& errors, std::size_t begin, std::size_t end) {
    std::vector<float> influence;
    for (std::size_t row = begin; row < end; ++row)
      influence.insert(influence.end(), &inverse_[row * rows_ + end], &inverse_[row * rows_] + rows_);
    const auto block = static_cast<std::int64_t>(end - begin), after = static_cast<std::int64_t>(rows_ - end);
    const std::vector<float> update =
        ops::matmul(Tensor::from<float>({static_cast<std::int64_t>(columns_), block}, errors),
                    Tensor::adopt({block, after}, std::move(influence)))
            .to_vector<float>();
    for (std::size_t column = 0; column < columns_; ++column)
      for (std::size_t i = 0; i < rows_ - end; ++i)
        weights_[column * rows_ + end + i] -= update[column * (rows_ - end) + i];
  }

  std::vector<float> weights_, inverse_;
  std::size_t rows_, columns_, group_;
  const GPTQConfigOptions& options_;
  std::size_t num_groups_;
  std::vector<IntegerGrid> grids_;
  std::vector<std::uint8_t> integers_;
};

class GptqCalibration : public KernelCalibration {
 public:
  GptqCalibration(GPTQConfigOptions options, std::int64_t rows)
      : options_(std::move(options)), rows_(rows), hessian_(ops::zeros({rows, rows}, DType::kF32)) {}

  /// The mean of 2 x . x over all inputs.
  void add(const Tensor& inputs) override {
    const auto before = static_cast<double>(num_inputs_);
    num_inputs_ += inputs.shape()[0];
    const auto all = static_cast<double>(num_inputs_);
    hessian_ = hessian_ * (before / all) + ops::matmul(ops::transpose(inputs), inputs) * (2.0 / all);
  }

  CalibratedValues quantize(const Tensor& kernel) const override {
    const auto rows = static_cast<std::size_t>(rows_);
    std::vector<float> hessian = hessian_.to_vector<float>();
    dampen(hessian);
    const std::vector<std::size_t> order = order_of(hessian);
    const std::vector<float> weights = transposed_floats(kernel);
    const std::vector<float> inverse =
        ops::inv(Tensor::adopt({rows_, rows_}, std::move(hessian))).to_vector<float>();
    const std::size_t columns = weights.size() / rows;
    std::vector<float> ordered(weights.size()), ordered_inverse(inverse.size());
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t column = 0; column < columns; ++column)
        ordered[column * rows + i] = weights[column * rows + order[i]];
      for (std::size_t j = 0; j < rows; ++j)
        ordered_inverse[i * rows + j] = inverse[order[i] * rows + order[j]];
    }
    const std::size_t group =
        options_.group_size == -1 ? rows : static_cast<std::size_t>(options_.group_size);
    return values_of(GptqRounding(std::move(ordered), std::move(ordered_inverse), rows, group, options_),
                     order, group);
  }

 private:
  /// Rows that no input reached count as one; the diagonal grows by a part of its mean.
  void dampen(std::vector<float>& hessian) const {
    const auto rows = static_cast<std::size_t>(rows_);
    double sum = 0;
    for (std::size_t i = 0; i < rows; ++i) {
      float& element = hessian[i * rows + i];
      if (element == 0) element = 1;
      sum += element;
    }
    const auto damping = static_cast<float>(options_.hessian_damping * sum / static_cast<double>(rows));
    for (std::size_t i = 0; i < rows; ++i) hessian[i * rows + i] += damping;
  }

  /// The rows in the order of their rounding.
  std::vector<std::size_t> order_of(const std::vector<float>& hessian) const {
    const auto rows = static_cast<std::size_t>(rows_);
    std::vector<std::size_t> order(rows);
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto importance = [&](std::size_t row) { return hessian[row * rows + row]; };
    if (options_.activation_order)
      std::stable_sort(order.begin(), order.end(),
                       [&](std::size_t a, std::size_t b) { return importance(a) > importance(b); });
    return order;
  }

  CalibratedValues values_of(const GptqRounding& rounding, const std::vector<std::size_t>& order,
                             std::size_t group) const {
    const std::size_t rows = order.size(), columns = rounding.columns(), groups = rounding.num_groups();
    std::vector<std::uint8_t> integers(columns * rows), zeros;
    std::vector<float> scales, group_of(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      group_of[order[i]] = static_cast<float>(i) / static_cast<float>(group);
      for (std::size_t column = 0; column < columns; ++column)
        integers[column * rows + order[i]] = rounding.integers()[column * rows + i];
    }
    for (std::size_t column = 0; column < columns; ++column) {
      for (std::size_t each = 0; each < groups; ++each) {
        scales.push_back(rounding.grid(column, each).scale);
        zeros.push_back(static_cast<std::uint8_t>(rounding.grid(column, each).zero));
      }
    }
    const Dims shape = {static_cast<std::int64_t>(columns), static_cast<std::int64_t>(groups)};
    return {.kernel = packed_columns(integers, shape[0], rows_, options_.weight_bits),
            .scale = Tensor::adopt(shape, std::move(scales)),
            .zero_point = Tensor::adopt(shape, std::move(zeros)),
            .row_scale = {},
            .group_of = Tensor::adopt({rows_}, std::move(group_of))};
  }

  GPTQConfigOptions options_;
  std::int64_t rows_;
  std::int64_t num_inputs_ = 0;
  Tensor hessian_;
};

}  // namespace

std::unique_ptr<KernelCalibration> gptq_calibration(const GPTQConfigOptions& options, std::int64_t rows) {
  return std::make_unique<GptqCalibration>(options, rows);
}

}  // namespace cornu::inline v0::keras::quantizers
