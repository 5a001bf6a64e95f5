#include <algorithm>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/tensor/ops/conv.h"
#include "cornu/tensor/ops/elementwise.h"
#include "cornu/tensor/ops/index.h"
#include "cornu/tensor/ops/linalg.h"
#include "cornu/tensor/ops/reduce.h"
#include "cornu/tensor/ops/shape.h"
#include "cornu/tensor/ops/support.h"

namespace cornu::inline v0::ops {
namespace {

/// The windows along one axis.
struct AdaptiveWindows {
  std::int64_t extent, num;

  std::int64_t begin(std::int64_t i) const { return i * extent / num; }
  std::int64_t end(std::int64_t i) const { return ((i + 1) * extent + num - 1) / num; }
  std::int64_t largest() const {
    std::int64_t size = 1;
    for (std::int64_t i = 0; i < num; ++i) size = std::max(size, end(i) - begin(i));
    return size;
  }
};

struct SpatialWindows {
  std::int64_t first_axis;
  std::vector<AdaptiveWindows> axes;
  bool are_equal = true;  // of one size, without shared elements
  Dims sizes = {};        // if they are equal
};

SpatialWindows adaptive_windows(const char* op, const Tensor& inputs, const IntOrInts& output_size,
                                const AdaptivePoolOptions& options) {
  const bool is_last = options.data_format == "channels_last";
  if (!is_last && options.data_format != "channels_first")
    invalid_argument(
        {.argument = "data_format"},
        "[{}] data_format must be \"channels_last\" or \"channels_first\"; got data_format = \"{}\"", op,
        options.data_format);
  const std::int64_t num_spatial = inputs.rank() - 2;
  Dims sizes = output_size.values();
  if (!output_size.is_list())
    sizes.resize(static_cast<std::size_t>(std::max<std::int64_t>(num_spatial, 1)), sizes[0]);
  if (num_spatial < 1 || static_cast<std::int64_t>(sizes.size()) != num_spatial)
    invalid_argument(
        {.argument = "output_size"},
        "[{}] output_size must be one number, or one for each spatial axis; got {} and inputs of shape {}",
        op, ir::shape_str(output_size.values()), ir::shape_str(inputs.shape()));
  SpatialWindows windows = {.first_axis = is_last ? 1 : 2};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::int64_t extent =
        internal::extent(inputs.shape(), windows.first_axis + static_cast<std::int64_t>(i));
    if (sizes[i] < 1 || sizes[i] > extent)
      invalid_argument(
          {.argument = "output_size"},
          "[{}] output_size must be positive and at most the extents; got output_size = {} for inputs of "
          "shape {}",
          op, ir::shape_str(output_size.values()), ir::shape_str(inputs.shape()));
    windows.axes.push_back({.extent = extent, .num = sizes[i]});
    windows.are_equal = windows.are_equal && extent % sizes[i] == 0;
    windows.sizes.push_back(extent / sizes[i]);
  }
  return windows;
}

/// [extent, windows]: 1 / size where an element is in a window, else 0.
Tensor window_shares(const AdaptiveWindows& windows, DType dtype) {
  std::vector<double> shares(static_cast<std::size_t>(windows.extent * windows.num), 0);
  for (std::int64_t i = 0; i < windows.num; ++i)
    for (std::int64_t k = windows.begin(i); k < windows.end(i); ++k)
      shares[static_cast<std::size_t>(k * windows.num + i)] =
          1 / static_cast<double>(windows.end(i) - windows.begin(i));
  return cast(Tensor::adopt({windows.extent, windows.num}, std::move(shares)), dtype);
}

/// The elements of each window, [windows * largest size]; the last one is repeated in smaller windows.
Tensor window_elements(const AdaptiveWindows& windows) {
  std::vector<std::int32_t> elements;
  for (std::int64_t i = 0; i < windows.num; ++i)
    for (std::int64_t k = 0; k < windows.largest(); ++k)
      elements.push_back(static_cast<std::int32_t>(std::min(windows.begin(i) + k, windows.end(i) - 1)));
  const auto count = static_cast<std::int64_t>(elements.size());
  return Tensor::adopt({count}, std::move(elements));
}

}  // namespace

Tensor adaptive_average_pool(const Tensor& inputs, const IntOrInts& output_size,
                             const AdaptivePoolOptions& options) {
  const SpatialWindows windows = adaptive_windows("adaptive_average_pool", inputs, output_size, options);
  if (windows.are_equal) return average_pool(inputs, windows.sizes, {.data_format = options.data_format});
  Tensor x = internal::as_float(inputs);
  for (std::size_t i = 0; i < windows.axes.size(); ++i) {
    const std::int64_t axis = windows.first_axis + static_cast<std::int64_t>(i);
    x = moveaxis(matmul(moveaxis(x, axis, -1), window_shares(windows.axes[i], x.dtype())), -1, axis);
  }
  return x;
}

Tensor adaptive_max_pool(const Tensor& inputs, const IntOrInts& output_size,
                         const AdaptivePoolOptions& options) {
  const SpatialWindows windows = adaptive_windows("adaptive_max_pool", inputs, output_size, options);
  if (windows.are_equal) return max_pool(inputs, windows.sizes, {.data_format = options.data_format});
  Tensor x = inputs;
  for (std::size_t i = 0; i < windows.axes.size(); ++i) {
    const std::int64_t axis = windows.first_axis + static_cast<std::int64_t>(i);
    Dims apart = x.shape();
    internal::extent(apart, axis) = windows.axes[i].num;
    apart.insert(apart.begin() + axis + 1, windows.axes[i].largest());
    x = max(reshape(take(x, window_elements(windows.axes[i]), {.axis = axis}), apart), {.axis = axis + 1});
  }
  return x;
}

}  // namespace cornu::inline v0::ops
