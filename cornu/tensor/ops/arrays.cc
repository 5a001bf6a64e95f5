#include "cornu/tensor/ops/arrays.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/tensor/ops/elementwise.h"
#include "cornu/tensor/ops/index.h"
#include "cornu/tensor/ops/linalg.h"
#include "cornu/tensor/ops/reduce.h"
#include "cornu/tensor/ops/shape.h"
#include "cornu/tensor/ops/sort_support.h"
#include "cornu/tensor/ops/support.h"

namespace cornu::inline v0::ops {
namespace {

using namespace internal;

void check_rank_at_least(const char* op, const Tensor& x, std::int64_t rank) {
  if (x.rank() < rank)
    invalid_argument("[{}] needs a tensor of at least {} axes; got shape {}", op, rank,
                     ir::shape_str(x.shape()));
}

}  // namespace

std::vector<Tensor> hsplit(const Tensor& x, const IntOrInts& indices_or_sections) {
  check_rank_at_least("hsplit", x, 1);
  return split(x, indices_or_sections, {.axis = x.rank() == 1 ? 0 : 1});
}
std::vector<Tensor> vsplit(const Tensor& x, const IntOrInts& indices_or_sections) {
  check_rank_at_least("vsplit", x, 2);
  return split(x, indices_or_sections, {.axis = 0});
}
std::vector<Tensor> dsplit(const Tensor& x, const IntOrInts& indices_or_sections) {
  check_rank_at_least("dsplit", x, 3);
  return split(x, indices_or_sections, {.axis = 2});
}

Tensor dstack(const TensorList& tensors) {
  std::vector<Tensor> deep;
  for (const Tensor& x : tensors.span()) {
    if (x.rank() == 0) deep.push_back(reshape(x, {1, 1, 1}));
    if (x.rank() == 1) deep.push_back(reshape(x, {1, x.shape()[0], 1}));
    if (x.rank() == 2) deep.push_back(expand_dims(x, 2));
    if (x.rank() > 2) deep.push_back(x);
  }
  return concatenate(deep, {.axis = 2});
}

namespace {

/// The extents of images [batch, height, width, channels] or [batch, channels, height, width].
struct ImageExtents {
  std::int64_t batch, height, width, channels;
};

ImageExtents image_extents(const char* op, const Tensor& x, std::int64_t block_size, bool channels_last) {
  if (x.rank() != 4)
    invalid_argument("[{}] needs images of 4 axes; got shape {}", op, ir::shape_str(x.shape()));
  if (block_size < 1)
    invalid_argument({.argument = "block_size"}, "[{}] block_size must be positive; got block_size = {}", op,
                     block_size);
  const Dims& dims = x.shape();
  return channels_last ? ImageExtents{dims[0], dims[1], dims[2], dims[3]}
                       : ImageExtents{dims[0], dims[2], dims[3], dims[1]};
}

bool is_channels_last(const char* op, std::string_view data_format) {
  if (data_format != "channels_last" && data_format != "channels_first")
    invalid_argument(
        {.argument = "data_format"},
        "[{}] data_format must be \"channels_last\" or \"channels_first\"; got data_format = \"{}\"", op,
        data_format);
  return data_format == "channels_last";
}

}  // namespace

Tensor depth_to_space(const Tensor& x, std::int64_t block_size, const BlockOptions& options) {
  const bool is_last = is_channels_last("depth_to_space", options.data_format);
  const auto [n, h, w, c] = image_extents("depth_to_space", x, block_size, is_last);
  const std::int64_t b = block_size;
  if (c % (b * b) != 0)
    invalid_argument("[depth_to_space] block_size * block_size must divide the channels; got {} and shape {}",
                     b, ir::shape_str(x.shape()));
  const std::int64_t channels = c / (b * b);
  if (is_last)
    return reshape(transpose(reshape(x, {n, h, w, b, b, channels}), {.axes = {{0, 1, 3, 2, 4, 5}}}),
                   {n, h * b, w * b, channels});
  return reshape(transpose(reshape(x, {n, channels, b, b, h, w}), {.axes = {{0, 1, 4, 2, 5, 3}}}),
                 {n, channels, h * b, w * b});
}

Tensor space_to_depth(const Tensor& x, std::int64_t block_size, const BlockOptions& options) {
  const bool is_last = is_channels_last("space_to_depth", options.data_format);
  const auto [n, h, w, c] = image_extents("space_to_depth", x, block_size, is_last);
  const std::int64_t b = block_size;
  if (h % b != 0 || w % b != 0)
    invalid_argument("[space_to_depth] block_size must divide height and width; got {} and shape {}", b,
                     ir::shape_str(x.shape()));
  if (is_last)
    return reshape(transpose(reshape(x, {n, h / b, b, w / b, b, c}), {.axes = {{0, 1, 3, 2, 4, 5}}}),
                   {n, h / b, w / b, c * b * b});
  return reshape(transpose(reshape(x, {n, c, h / b, b, w / b, b}), {.axes = {{0, 1, 3, 5, 2, 4}}}),
                 {n, c * b * b, h / b, w / b});
}

namespace {

/// The windows of an image: kernel, distances and padding, height first.
struct PixelWindows {
  std::array<std::int64_t, 2> kernel, dilation, padding, stride;
  std::array<std::int64_t, 2> size;  // of the image
  std::array<std::int64_t, 2> num = {};

  std::int64_t first(std::size_t axis, std::int64_t k) const { return k * dilation[axis]; }
  std::int64_t padded(std::size_t axis) const { return size[axis] + 2 * padding[axis]; }
};

std::array<std::int64_t, 2> height_and_width(const char* op, const char* argument, const IntOrInts& given,
                                             std::int64_t least) {
  const Dims& values = given.values();
  const bool fits = values.size() == 1 || values.size() == 2;
  if (!fits || *std::min_element(values.begin(), values.end()) < least)
    invalid_argument({.argument = argument},
                     "[{0}] {1} must be one or two numbers of at least {2}; got {1} = {3}", op, argument,
                     least, ir::shape_str(values));
  return {values.front(), values.back()};
}

PixelWindows pixel_windows(const char* op, const IntOrInts& kernel_size, const FoldOptions& options,
                           std::array<std::int64_t, 2> size) {
  PixelWindows windows = {.kernel = height_and_width(op, "kernel_size", kernel_size, 1),
                          .dilation = height_and_width(op, "dilation", options.dilation, 1),
                          .padding = height_and_width(op, "padding", options.padding, 0),
                          .stride = height_and_width(op, "stride", options.stride, 1),
                          .size = size};
  for (const std::size_t axis : {0, 1}) {
    const std::int64_t room = windows.padded(axis) - windows.first(axis, windows.kernel[axis] - 1) - 1;
    if (room < 0)
      invalid_argument({.argument = "kernel_size"},
                       "[{}] a kernel of {} does not fit an image of {} with padding", op,
                       windows.kernel[axis], size[axis]);
    windows.num[axis] = room / windows.stride[axis] + 1;
  }
  return windows;
}

/// x [n, c, h, w] with zeros: `low` before, `high` after (negative ones cut) and `interior` between the pixels.
Tensor padded_pixels(const Tensor& x, std::array<std::int64_t, 2> low, std::array<std::int64_t, 2> high,
                     std::array<std::int64_t, 2> interior) {
  const Dims before = {0, 0, low[0], low[1]}, after = {0, 0, high[0], high[1]};
  const Dims between = {0, 0, interior[0], interior[1]};
  return run_op(OpKey("padded_pixels", before, after, between), {&x, 1}, [&](ir::Builder& b, Values v) {
    return pad(b, v[0], full(b, {v[0].dtype(), {}}, 0), before, after, between);
  });
}

}  // namespace

Tensor unfold(const Tensor& x, const IntOrInts& kernel_size, const FoldOptions& options) {
  if (x.rank() != 4)
    invalid_argument("[unfold] needs images [batch, channels, height, width]; got shape {}",
                     ir::shape_str(x.shape()));
  const PixelWindows windows = pixel_windows("unfold", kernel_size, options, {x.shape()[2], x.shape()[3]});
  const Tensor image = padded_pixels(x, windows.padding, windows.padding, {0, 0});
  std::vector<Tensor> pixels;
  for (std::int64_t i = 0; i < windows.kernel[0]; ++i)
    for (std::int64_t j = 0; j < windows.kernel[1]; ++j) {
      const auto along = [&](std::size_t axis, std::int64_t k) {
        const std::int64_t begin = windows.first(axis, k);
        return Slice{.begin = begin,
                     .end = begin + (windows.num[axis] - 1) * windows.stride[axis] + 1,
                     .step = windows.stride[axis]};
      };
      pixels.push_back(image.slice({Slice{}, Slice{}, along(0, i), along(1, j)}));
    }
  const std::int64_t columns = x.shape()[1] * windows.kernel[0] * windows.kernel[1];
  return reshape(stack(pixels, {.axis = 2}), {x.shape()[0], columns, windows.num[0] * windows.num[1]});
}

Tensor fold(const Tensor& x, const IntOrInts& output_size, const IntOrInts& kernel_size,
            const FoldOptions& options) {
  const PixelWindows windows =
      pixel_windows("fold", kernel_size, options, height_and_width("fold", "output_size", output_size, 1));
  const auto [kh, kw] = windows.kernel;
  const auto [nh, nw] = windows.num;
  if (x.rank() != 3 || x.shape()[1] % (kh * kw) != 0 || x.shape()[2] != nh * nw)
    invalid_argument(
        "[fold] needs columns [batch, channels * {}, {}] for this image and kernel; got shape {}", kh * kw,
        nh * nw, ir::shape_str(x.shape()));
  const std::int64_t batch = x.shape()[0], channels = x.shape()[1] / (kh * kw);
  const Tensor pixels = reshape(x, {batch, channels, kh * kw, nh, nw});
  Tensor image;
  for (std::int64_t i = 0; i < kh; ++i)
    for (std::int64_t j = 0; j < kw; ++j) {
      const Tensor one = squeeze(pixels.slice({Slice{}, Slice{}, Slice{i * kw + j, i * kw + j + 1}}), 2);
      std::array<std::int64_t, 2> low = {i, j}, high = {}, interior = {};
      for (const std::size_t axis : {0, 1}) {
        low[axis] = windows.first(axis, low[axis]) - windows.padding[axis];
        interior[axis] = windows.stride[axis] - 1;
        high[axis] = windows.size[axis] - low[axis] - ((windows.num[axis] - 1) * windows.stride[axis] + 1);
      }
      const Tensor placed = padded_pixels(one, low, high, interior);
      image = image.defined() ? image + placed : placed;
    }
  return image;
}

std::vector<Tensor> unravel_index(const Tensor& indices, const Dims& shape) {
  const std::int64_t size = CheckedSize::product(shape).value("[unravel_index] the array");
  if (size < 1)
    invalid_argument({.argument = "shape"}, "[unravel_index] shape must have elements; got shape = {}",
                     ir::shape_str(shape));
  Tensor rest = clip(where(less(indices, 0), indices + size, indices), 0, size - 1);
  std::vector<Tensor> coordinates(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    coordinates[axis] = mod(rest, shape[axis]);
    rest = floor_divide(rest, shape[axis]);
  }
  return coordinates;
}

Tensor isin(const Tensor& x1, const Tensor& x2, const IsInOptions& options) {
  const DType dtype = promote(as_number(x1), as_number(x2));
  const Tensor values = as_dtype(x1, dtype);
  const auto negated = [&](const Tensor& found) { return options.invert ? logical_not(found) : found; };
  if (x2.num_elements() == 0) return negated(not_equal(values, values));
  const Tensor known = sort(as_dtype(ravel(x2), dtype));
  const Tensor at = searchsorted(known, ravel(values));
  const Tensor found = take(known, minimum(at, known.num_elements() - 1));
  return negated(equal(values, reshape(found, values.shape())));
}

Histogram histogram(const Tensor& x, const HistogramOptions& options) {
  if (options.bins < 1)
    invalid_argument({.argument = "bins"}, "[histogram] bins must be positive; got bins = {}", options.bins);
  const bool is_given = !options.range.empty();
  if (is_given && (options.range.size() != 2 || !(options.range[0] <= options.range[1])))
    invalid_argument({.argument = "range"}, "[histogram] range must be two rising numbers; got {} numbers",
                     options.range.size());
  const Tensor values = as_float(ravel(x));
  const bool is_empty = values.num_elements() == 0;
  const auto edge = [&](std::size_t i) -> Tensor {
    if (is_given) return cast(options.range[i], values.dtype());
    if (is_empty) return cast(static_cast<double>(i), values.dtype());
    return i == 0 ? min(values) : max(values);
  };
  const Tensor is_flat = equal(edge(0), edge(1));
  const Tensor low = where(is_flat, edge(0) - 0.5, edge(0)), high = where(is_flat, edge(1) + 0.5, edge(1));
  const Tensor edges = linspace(low, high, {.num = options.bins + 1});
  const Tensor bin = minimum(searchsorted(edges, values, {.side = "right"}) - 1, options.bins - 1);
  const Tensor counts = logical_and(greater_equal(values, low), less_equal(values, high));
  const Tensor in_bins = segment_sum(as_dtype(counts, DType::kI32), bin, {.num_segments = options.bins});
  return {.counts = as_dtype(in_bins, edges.dtype()), .edges = edges};
}

Tensor argpartition(const Tensor& x, std::int64_t kth, const ArgPartitionOptions& options) {
  const std::int64_t size = options.axis
                                ? extent(x.shape(), normalized_axis(*options.axis, x.rank(), "argpartition"))
                                : x.num_elements();
  if (kth < -size || kth >= size)
    invalid_argument({.argument = "kth"},
                     "[argpartition] kth must be a position of {} elements; got kth = {}", size, kth);
  return argsort(x, {.axis = options.axis});
}

namespace {

/// The number of results of a call that has `size`, or as many as there are.
std::int64_t result_size(const char* op, const std::optional<std::int64_t>& size, const Tensor& num_found) {
  if (size) {
    if (*size < 0)
      invalid_argument({.argument = "size"}, "[{}] size must not be negative; got size = {}", op, *size);
    return *size;
  }
  if (num_found.is_symbolic())
    invalid_argument({.argument = "size"}, "[{}] size must be given in a traced function", op);
  return num_found.item<std::int64_t>();
}

/// The first `size` positions at which a vector is true; its length where there are less.
Tensor true_positions(const Tensor& is_wanted, std::int64_t size) {
  const std::int64_t n = is_wanted.shape()[0];
  // A search reads few elements, but consists of many operations: too many to run one by one.
  if (is_wanted.is_symbolic() && size > 0)
    return searchsorted(cumsum(as_dtype(is_wanted, DType::kI32)), arange(1, size + 1));
  const Tensor positions = sort(where(is_wanted, arange(n), n));
  const Tensor kept = slice(positions, {0}, {std::min(size, n)});
  return size <= n ? kept : concatenate({kept, full({size - n}, n, {.dtype = DType::kI32})});
}

Tensor num_true(const Tensor& x) { return sum(as_dtype(x, DType::kI32)); }

/// The rows [n, m] in order by their first elements, then by the second ones and so on, and this order.
struct SortedRows {
  Tensor rows, order;
};
SortedRows sorted_rows(const Tensor& rows) {
  const std::int64_t n = rows.shape()[0], last = rows.shape()[1] - 1;
  if (last == 0) {
    const std::vector<Tensor> sorted = sorted_with_positions("sort", reshape(rows, {n}), 0, false);
    return {reshape(sorted[0], {n, 1}), sorted[1]};
  }
  const auto column = [&](std::int64_t i) { return reshape(slice(rows, {0, i}, {n, 1}), {n}); };
  Tensor order = argsort(column(last));  // a stable sort, as the others
  for (std::int64_t i = last - 1; i >= 0; --i) order = take(order, argsort(take(column(i), order)));
  return {take(rows, order, {.axis = 0}), order};
}

}  // namespace

Unique unique(const Tensor& x, const UniqueOptions& options) {
  const std::int64_t axis = options.axis ? normalized_axis(*options.axis, x.rank(), "unique") : 0;
  const Tensor first = options.axis ? moveaxis(x, axis, 0) : ravel(x);
  const std::int64_t n = first.shape()[0];
  if (first.num_elements() == 0)
    invalid_argument("[unique] there is no element in shape {}", ir::shape_str(x.shape()));
  const Tensor rows = reshape(first, {n, first.num_elements() / n});
  const auto [sorted, order] = sorted_rows(rows);
  const auto part = [&, &sorted = sorted](std::int64_t from) {
    return slice(sorted, {from, 0}, {n - 1, rows.shape()[1]});
  };
  const Tensor differs = any(not_equal(part(1), part(0)), {.axis = 1});
  const Tensor is_first = concatenate({ones({1}, {.dtype = DType::kI1}), differs});
  const std::int64_t size = result_size("unique", options.size, num_true(is_first));
  const Tensor at = true_positions(is_first, size + 1);  // that of the next value, too
  const Tensor here = slice(at, {0}, {size}), next = slice(at, {1}, {size});
  const Tensor is_value = less(here, n), place = minimum(here, n - 1);
  const Tensor fill = options.fill_value.defined() ? as_dtype(options.fill_value, x.dtype())
                                                   : slice(sorted, {0, 0}, {1, rows.shape()[1]});
  const Tensor rank = cumsum(as_dtype(is_first, DType::kI32)) - 1;
  const Tensor inverse = minimum(take(rank, argsort(order)), std::max<std::int64_t>(size - 1, 0));
  Dims shape = first.shape();
  shape[0] = size;
  const Tensor values =
      reshape(where(expand_dims(is_value, 1), take(sorted, place, {.axis = 0}), fill), shape);
  return {.values = options.axis ? moveaxis(values, 0, axis) : values,
          .index = take(order, where(is_value, place, 0)),
          .inverse = options.axis ? inverse : reshape(inverse, x.shape()),
          .counts = next - here};
}

std::vector<Tensor> nonzero(const Tensor& x, const NonzeroOptions& options) {
  check_rank_at_least("nonzero", x, 1);
  const Tensor is_wanted = as_bool(ravel(x));
  const std::int64_t n = is_wanted.shape()[0];
  const std::int64_t size = result_size("nonzero", options.size, num_true(is_wanted));
  if (n == 0)
    return {static_cast<std::size_t>(x.rank()), full({size}, options.fill_value, {.dtype = DType::kI32})};
  const Tensor at = true_positions(is_wanted, size);
  std::vector<Tensor> coordinates = unravel_index(at, x.shape());
  for (Tensor& along : coordinates) along = where(less(at, n), along, options.fill_value);
  return coordinates;
}

Tensor cdist(const Tensor& x, const Tensor& y) {
  check_rank_at_least("cdist", x, 2);
  check_rank_at_least("cdist", y, 2);
  if (x.shape().back() != y.shape().back())
    invalid_argument("[cdist] the last extents must be equal; got {} and {}", ir::shape_str(x.shape()),
                     ir::shape_str(y.shape()));
  const DType dtype = promote_to_float(x, y);
  const Tensor difference = expand_dims(as_dtype(x, dtype), -2) - expand_dims(as_dtype(y, dtype), -3);
  const Tensor squares = sum(square(difference), {.axis = -1});
  // The slope of the root at 0 is infinite.
  const Tensor is_zero = equal(squares, 0);
  return where(is_zero, 0, sqrt(where(is_zero, 1, squares)));
}

Tensor corrcoef(const Tensor& x) {
  if (x.rank() < 1 || x.rank() > 2)
    invalid_argument("[corrcoef] needs a vector or a matrix; got shape {}", ir::shape_str(x.shape()));
  const Tensor rows = as_float(x.rank() == 1 ? expand_dims(x, 0) : x);
  const Tensor centred = rows - mean(rows, {.axis = 1, .keepdims = true});
  const Tensor covariance = matmul(centred, transpose(centred));
  const Tensor deviation = sqrt(diag(covariance));
  const Tensor result = clip(covariance / expand_dims(deviation, 1) / deviation, -1, 1);
  return x.rank() == 1 ? reshape(result, {}) : result;
}

Tensor correlate(const Tensor& x1, const Tensor& x2, const CorrelateOptions& options) {
  if (x1.rank() != 1 || x2.rank() != 1 || x1.num_elements() == 0 || x2.num_elements() == 0)
    invalid_argument("[correlate] needs two vectors with elements; got shapes {} and {}",
                     ir::shape_str(x1.shape()), ir::shape_str(x2.shape()));
  const std::int64_t n1 = x1.shape()[0], n2 = x2.shape()[0];
  if (n1 < n2) return flip(correlate(x2, x1, options));
  std::pair<std::int64_t, std::int64_t> around;
  if (options.mode == "full") {
    around = {n2 - 1, n2 - 1};
  } else if (options.mode == "same") {
    around = {n2 / 2, n2 - n2 / 2 - 1};
  } else if (options.mode != "valid") {
    invalid_argument({.argument = "mode"},
                     "[correlate] mode must be \"valid\", \"same\" or \"full\"; got mode = \"{}\"",
                     options.mode);
  }
  const DType given = promote(as_number(x1), as_number(x2));
  const DType dtype = ir::is_float(given) ? given : given == DType::kI64 ? DType::kF64 : default_float();
  const Tensor line = pad(as_dtype(x1, dtype), {around});
  return matmul(extract_sequences(line, n2, 1), as_dtype(x2, dtype));
}

Tensor trapezoid(const Tensor& y, const TrapezoidOptions& options) {
  check_rank_at_least("trapezoid", y, 1);
  const std::int64_t axis = normalized_axis(options.axis, y.rank(), "trapezoid");
  const Tensor values = as_float(y);
  const std::int64_t n = extent(y.shape(), axis);
  const auto part = [&](const Tensor& x, std::int64_t along, std::int64_t begin) {
    std::vector<Slice> slices(static_cast<std::size_t>(x.rank()));
    slices[static_cast<std::size_t>(along)] = {.begin = begin,
                                               .end = begin + std::max<std::int64_t>(n - 1, 0)};
    return x.slice(slices);
  };
  Tensor heights = part(values, axis, 0) + part(values, axis, 1);
  if (!options.x.defined()) return sum(heights, {.axis = axis}) * (options.dx * 0.5);
  Tensor at = as_float(options.x);
  if (at.rank() == 1) {
    Dims dims(static_cast<std::size_t>(y.rank()), 1);
    extent(dims, axis) = at.shape()[0];
    at = reshape(at, dims);
  }
  if (at.rank() != y.rank() || extent(at.shape(), axis) != n)
    invalid_argument({.argument = "x"},
                     "[trapezoid] x must be a vector along the axis or of y's shape {}; got {}",
                     ir::shape_str(y.shape()), ir::shape_str(options.x.shape()));
  return sum(heights * (part(at, axis, 1) - part(at, axis, 0)), {.axis = axis}) * 0.5;
}

Tensor vander(const Tensor& x, const VanderOptions& options) {
  if (x.rank() != 1) invalid_argument("[vander] needs a vector; got shape {}", ir::shape_str(x.shape()));
  const std::int64_t n = options.n.value_or(x.shape()[0]);
  if (n < 0) invalid_argument({.argument = "n"}, "[vander] n must not be negative; got n = {}", n);
  const Tensor values = as_number(x);
  if (n == 0) return zeros({x.shape()[0], 0}, {.dtype = values.dtype()});
  std::vector<Tensor> powers = {ones_like(values)};
  while (static_cast<std::int64_t>(powers.size()) < n) powers.push_back(powers.back() * values);
  if (!options.increasing) std::reverse(powers.begin(), powers.end());
  return stack(powers, {.axis = 1});
}

}  // namespace cornu::inline v0::ops
