#include "cornu/tensor/ops/index.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/tensor/ops/elementwise.h"
#include "cornu/tensor/ops/reduce.h"
#include "cornu/tensor/ops/shape.h"
#include "cornu/tensor/ops/support.h"

namespace cornu::inline v0::ops {
using namespace internal;

namespace {

void check_indices(const char* op, const Tensor& indices) {
  if (!ir::is_integer(indices.dtype()))
    invalid_argument("[{}] indices must be integers; got {}", op, type_str(indices.type()));
}

/// Negative indices counted from the end of `n` elements. Narrow integers are widened, since they may not
/// represent `n`.
Tensor wrapped(const char* op, const Tensor& indices, const Tensor& n) {
  check_indices(op, indices);
  const bool is_narrow =
      ir::is_signed_integer(indices.dtype()) && ir::size_bytes(indices.dtype()) < ir::size_bytes(DType::kI32);
  const Tensor strong =
      is_narrow || indices.is_weak() ? as_dtype(indices, is_narrow ? DType::kI32 : indices.dtype()) : indices;
  return ir::is_unsigned_integer(strong.dtype()) ? strong : where(less(strong, 0), strong + n, strong);
}

/// The first `count` extents as a vector, in the dtype of positions.
Tensor extents(const Dims& shape, std::int64_t count) {
  const Dims first(shape.begin(), shape.begin() + count);
  const std::int64_t largest = first.empty() ? 0 : *std::max_element(first.begin(), first.end());
  if (index_dtype(largest) == DType::kI64) return Tensor::from<std::int64_t>({count}, first);
  std::vector<std::int32_t> narrow;
  for (const std::int64_t n : first) narrow.push_back(static_cast<std::int32_t>(n));
  return Tensor::from<std::int32_t>({count}, narrow);
}

void check_not_empty(const char* op, const Tensor& x, std::int64_t axis, const Tensor& indices) {
  if (extent(x.shape(), axis) == 0 && indices.num_elements() > 0)
    invalid_argument("[{}] there is nothing to read along axis {} of shape {}", op, axis,
                     ir::shape_str(x.shape()));
}

}  // namespace

Tensor take(const Tensor& x, const Tensor& indices, const TakeOptions& options) {
  if (!options.axis) return take(ravel(x), indices, {.axis = 0});
  const std::int64_t axis = normalized_axis(*options.axis, x.rank(), "take");
  check_not_empty("take", x, axis, indices);
  const std::array inputs = {x, wrapped("take", indices, extent(x.shape(), axis))};
  return run_op(OpKey("take", axis), inputs, [&](ir::Builder& b, Values v) {
    Dims sizes = v[0].dims();
    extent(sizes, axis) = std::min<std::int64_t>(extent(sizes, axis), 1);
    Dims offset_dims = dimensions_between(0, axis);
    for (const std::int64_t d : dimensions_between(axis + v[1].rank(), v[0].rank() - 1 + v[1].rank()))
      offset_dims.push_back(d);
    return gather(b, v[0], v[1],
                  {.offset_dims = offset_dims,
                   .collapsed_slice_dims = {axis},
                   .start_index_map = {axis},
                   .index_vector_dim = v[1].rank()},
                  sizes);
  });
}

Tensor take_along_axis(const Tensor& x, const Tensor& indices, const TakeOptions& options) {
  if (!options.axis) return take_along_axis(ravel(x), ravel(indices), {.axis = 0});
  const std::int64_t axis = normalized_axis(*options.axis, x.rank(), "take_along_axis");
  if (x.rank() != indices.rank())
    invalid_argument("[take_along_axis] x and indices must have one rank; got shapes {} and {}",
                     ir::shape_str(x.shape()), ir::shape_str(indices.shape()));
  check_not_empty("take_along_axis", x, axis, indices);
  Dims x_dims = x.shape(), index_dims = indices.shape();
  extent(x_dims, axis) = extent(index_dims, axis) = 1;
  const Dims dims = broadcast_shapes(x_dims, index_dims, "take_along_axis");
  x_dims = index_dims = dims;
  extent(x_dims, axis) = extent(x.shape(), axis);
  extent(index_dims, axis) = extent(indices.shape(), axis);
  const Tensor at = wrapped("take_along_axis", indices, extent(x.shape(), axis));
  const std::array inputs = {broadcast_to(x, x_dims), broadcast_to(at, index_dims)};
  return run_op(OpKey("take_along_axis", axis), inputs, [&](ir::Builder& b, Values v) {
    Dims others = dimensions_between(0, v[0].rank()), sizes = v[0].dims();
    others.erase(others.begin() + axis);
    for (std::int64_t& size : sizes) size = std::min<std::int64_t>(size, 1);
    return gather(b, v[0], v[1],
                  {.collapsed_slice_dims = {axis},
                   .operand_batching_dims = others,
                   .start_indices_batching_dims = others,
                   .start_index_map = {axis},
                   .index_vector_dim = v[0].rank()},
                  sizes);
  });
}

namespace {

void check_starts(const char* op, const Tensor& x, const StartIndices& starts) {
  if (starts.is_static() && starts.starts().size() != x.shape().size())
    invalid_argument({.argument = "start_indices"},
                     "[{}] start_indices must be {} integers, one an axis; got start_indices = {}", op,
                     x.rank(), starts.starts());
  if (starts.is_static()) return;
  if (!ir::is_integer(starts.tensor().dtype()) || starts.tensor().shape() != Dims{x.rank()})
    invalid_argument("[{}] start_indices must be {} integers; got {}", op, x.rank(),
                     type_str(starts.tensor().type()));
}

void check_sizes(const char* op, const Tensor& x, const Dims& sizes) {
  bool fits = sizes.size() == x.shape().size();
  for (std::size_t d = 0; fits && d < sizes.size(); ++d) fits = sizes[d] >= 0 && sizes[d] <= x.shape()[d];
  if (!fits)
    invalid_argument("[{}] shape {} does not fit into a tensor of shape {}", op, ir::shape_str(sizes),
                     ir::shape_str(x.shape()));
}

/// The sizes, with -1 replaced by the number of elements from the start on.
Dims known_sizes(const Tensor& x, const StartIndices& starts, const Dims& shape) {
  Dims sizes = shape;
  for (std::size_t d = 0; d < std::min(sizes.size(), x.shape().size()); ++d) {
    if (sizes[d] != -1) continue;
    if (!starts.is_static() && starts.tensor().is_symbolic())
      invalid_argument({.argument = "shape"},
                       "[slice] shape must have no -1 where the starts are symbolic; got shape = {}",
                       ir::shape_str(shape));
    const std::int64_t n = x.shape()[d];
    const double start = starts.is_static() ? static_cast<double>(starts.starts()[d])
                                            : starts.tensor().at(static_cast<std::int64_t>(d));
    const double begin = start < 0 ? start + static_cast<double>(n) : start;
    if (!(begin >= 0 && begin <= static_cast<double>(n)))
      invalid_argument({.argument = "start_indices"},
                       "[slice] start_indices must be in [{}, {}] where the shape has -1; got {} for axis {}",
                       -n, n, start, d);
    sizes[d] = n - static_cast<std::int64_t>(begin);
  }
  return sizes;
}

/// Known starts as nonnegative positions, moved so that the slice fits.
Dims moved_starts(const Tensor& x, const Dims& starts, const Dims& sizes) {
  Dims moved;
  for (std::size_t d = 0; d < starts.size(); ++d) {
    const std::int64_t n = x.shape()[d];
    moved.push_back(std::clamp<std::int64_t>(starts[d] < 0 ? starts[d] + n : starts[d], 0, n - sizes[d]));
  }
  return moved;
}

/// The starts as a vector of nonnegative positions; dynamic_slice moves them so that they fit.
Tensor start_vector(const char* op, const Tensor& x, const StartIndices& starts, const Dims& sizes) {
  if (!starts.is_static()) return wrapped(op, starts.tensor(), extents(x.shape(), x.rank()));
  return Tensor::from<std::int64_t>({x.rank()}, moved_starts(x, starts.starts(), sizes));
}

std::vector<ir::Value> start_scalars(ir::Builder& b, ir::Value starts) {
  std::vector<ir::Value> scalars;
  scalars.reserve(static_cast<std::size_t>(starts.dims()[0]));
  for (std::int64_t d = 0; d < starts.dims()[0]; ++d)
    scalars.push_back(reshape(b, slice(b, starts, {d}, {d + 1}, {1}), {}));
  return scalars;
}

}  // namespace

Tensor slice(const Tensor& inputs, const StartIndices& start_indices, const Dims& shape) {
  check_starts("slice", inputs, start_indices);
  const Dims sizes = known_sizes(inputs, start_indices, shape);
  check_sizes("slice", inputs, sizes);
  if (start_indices.is_static()) {
    const Dims starts = moved_starts(inputs, start_indices.starts(), sizes);
    Dims limits = sizes;
    for (std::size_t d = 0; d < limits.size(); ++d) limits[d] += starts[d];
    return run_op(OpKey("slice", starts, limits), {&inputs, 1}, [&](ir::Builder& b, Values v) {
      return slice(b, v[0], starts, limits, Dims(limits.size(), 1));
    });
  }
  const std::array operands = {inputs, start_vector("slice", inputs, start_indices, sizes)};
  return run_op(OpKey("dynamic_slice", sizes), operands, [&](ir::Builder& b, Values v) {
    return dynamic_slice(b, v[0], start_scalars(b, v[1]), sizes);
  });
}

Tensor slice_update(const Tensor& inputs, const StartIndices& start_indices, const Tensor& updates) {
  check_starts("slice_update", inputs, start_indices);
  check_sizes("slice_update", inputs, updates.shape());
  const std::array operands = {inputs, as_dtype(updates, inputs.dtype()),
                               start_vector("slice_update", inputs, start_indices, updates.shape())};
  return run_op(OpKey("slice_update"), operands, [&](ir::Builder& b, Values v) {
    return dynamic_update_slice(b, v[0], v[1], start_scalars(b, v[2]));
  });
}

namespace {

/// The indices of a scatter as nonnegative positions: shape [n0, ...], indices [i..., depth], updates [i...,
/// n_depth, ...].
Tensor checked_indices(const char* op, const Dims& shape, const Tensor& indices, const Tensor& updates) {
  check_indices(op, indices);
  const std::int64_t depth = indices.rank() > 0 ? indices.shape().back() : -1;
  bool fits = depth >= 0 && depth <= static_cast<std::int64_t>(shape.size());
  if (fits) {
    Dims expected(indices.shape().begin(), indices.shape().end() - 1);
    expected.insert(expected.end(), shape.begin() + depth, shape.end());
    fits = expected == updates.shape();
  }
  if (!fits)
    invalid_argument(
        "[{}] updates must have the indices' extents without the last, then the rest of the shape; got shape "
        "{}, indices {} and updates {}",
        op, ir::shape_str(shape), ir::shape_str(indices.shape()), ir::shape_str(updates.shape()));
  return wrapped(op, indices, extents(shape, depth));
}

using CombineFn = ir::Value (*)(ir::Builder&, ir::Value, ir::Value);

Tensor scatter_combine(const char* name, const Tensor& inputs, const Tensor& indices, const Tensor& updates,
                       CombineFn combine) {
  const std::array operands = {inputs, indices, updates};
  return run_op(OpKey(name), operands, [&](ir::Builder& b, Values v) {
    const std::int64_t depth = v[1].dims().back(), batch = v[1].rank() - 1;
    return scatter(
        b, {v[0]}, v[1], {v[2]},
        {.update_window_dims = dimensions_between(batch, v[2].rank()),
         .inserted_window_dims = dimensions_between(0, depth),
         .scatter_dims_to_operand_dims = dimensions_between(0, depth),
         .index_vector_dim = batch},
        [&](ir::Builder& body, Values at) { return std::vector<ir::Value>{combine(body, at[0], at[1])}; })[0];
  });
}

/// The source of each element of a tensor of this shape: the number of the last update that writes it, or -1.
Tensor last_writer(const Tensor& inputs, const Tensor& indices, const Tensor& updates) {
  const DType dtype = index_dtype(updates.num_elements());
  const Tensor numbers = reshape(arange(updates.num_elements(), dtype), updates.shape());
  return scatter_combine("scatter_last_writer", full_like(inputs, -1, dtype), indices, numbers, &maximum);
}

}  // namespace

Tensor scatter(const Tensor& indices, const Tensor& values, const Dims& shape) {
  const Tensor at = checked_indices("scatter", shape, indices, values);
  return scatter_combine("scatter_add", zeros(shape, values.dtype()), at, values, &add);
}

Tensor scatter_update(const Tensor& inputs, const Tensor& indices, const Tensor& updates,
                      const ScatterUpdateOptions& options) {
  const Tensor at = checked_indices("scatter_update", inputs.shape(), indices, updates);
  const Tensor values = as_dtype(updates, inputs.dtype());
  if (options.reduction == "add") return scatter_combine("scatter_add", inputs, at, values, &add);
  if (options.reduction == "mul") return scatter_combine("scatter_mul", inputs, at, values, &multiply);
  if (options.reduction == "max") return scatter_combine("scatter_max", inputs, at, values, &maximum);
  if (options.reduction == "min") return scatter_combine("scatter_min", inputs, at, values, &minimum);
  if (!options.reduction.empty())
    invalid_argument(
        {.argument = "reduction"},
        "[scatter_update] reduction must be empty, \"add\", \"mul\", \"max\" or \"min\"; got reduction = "
        "\"{}\"",
        options.reduction);
  if (values.num_elements() == 0) return inputs;
  // Gathering the last update of each element, instead of scattering, has a gradient also for equal indices.
  const Tensor writer = last_writer(inputs, at, values);
  return where(less(writer, 0), inputs, take(values, maximum(writer, 0)));
}

namespace {

/// The largest id plus one.
std::int64_t num_ids(const char* op, const Tensor& ids) {
  const Tensor largest = max(ids);
  const bool is_unsigned = ir::is_unsigned_integer(ids.dtype());
  const CheckedSize id =
      is_unsigned ? CheckedSize(largest.item<std::uint64_t>()) : CheckedSize(largest.item<std::int64_t>());
  return checked_extent(op, id + 1);
}

std::int64_t num_segments(const char* op, const Tensor& data, const Tensor& ids,
                          const SegmentOptions& options) {
  check_indices(op, ids);
  if (ids.rank() != 1 || data.rank() < 1 || data.shape()[0] != ids.shape()[0])
    invalid_argument(
        "[{}] segment_ids must be a vector with an id for each row; got data {} and segment_ids {}", op,
        ir::shape_str(data.shape()), ir::shape_str(ids.shape()));
  if (options.num_segments) {
    if (*options.num_segments < 0)
      invalid_argument({.argument = "num_segments"},
                       "[{}] num_segments must not be negative; got num_segments = {}", op,
                       *options.num_segments);
    return *options.num_segments;
  }
  if (ids.is_symbolic()) invalid_argument("[{}] num_segments must be given in a traced function", op);
  return ids.num_elements() == 0 ? 0 : num_ids(op, ids);
}

Tensor segment(const char* name, const Tensor& data, const Tensor& ids, const SegmentOptions& options,
               CombineFn combine, ir::Value (*neutral)(ir::Builder&, ir::Value, Dims)) {
  Dims dims = data.shape();
  const std::int64_t n = num_segments(name, data, ids, options);
  dims[0] = n;
  check_result(name, {data.dtype(), dims});
  // The neutral element is the reduction of no elements.
  const Tensor none =
      run_op(OpKey("neutral", std::string_view(name), data.dtype()), {},
             [&](ir::Builder& b, Values) { return neutral(b, full(b, {data.dtype(), {0}}, 0), {0}); });
  return scatter_combine(name, broadcast_to(none, dims), expand_dims(ids, -1), data, combine);
}

}  // namespace

Tensor segment_sum(const Tensor& data, const Tensor& segment_ids, const SegmentOptions& options) {
  return segment("segment_sum", as_number(data), segment_ids, options, &add, &reduce_sum);
}
Tensor segment_max(const Tensor& data, const Tensor& segment_ids, const SegmentOptions& options) {
  return segment("segment_max", data, segment_ids, options, &maximum, &reduce_max);
}
Tensor segment_min(const Tensor& data, const Tensor& segment_ids, const SegmentOptions& options) {
  return segment("segment_min", data, segment_ids, options, &minimum, &reduce_min);
}
Tensor segment_prod(const Tensor& data, const Tensor& segment_ids, const SegmentOptions& options) {
  return segment("segment_prod", as_number(data), segment_ids, options, &multiply, &reduce_product);
}

namespace {

/// Replaces 64-bit ids outside the classes by values outside the classes that i32 can represent: narrowing
/// might turn the originals into classes.
Tensor held_by_i32(const Tensor& ids, std::int64_t num_classes) {
  if (!ir::is_integer(ids.dtype()) || ir::bit_width(ids.dtype()) <= 32 || ids.is_weak()) return ids;
  const Tensor below = minimum(ids, num_classes);
  return ir::is_signed_integer(ids.dtype()) ? maximum(below, -1) : below;
}

}  // namespace

Tensor one_hot(const Tensor& x, std::int64_t num_classes, const OneHotOptions& options) {
  if (num_classes < 0)
    invalid_argument({.argument = "num_classes"},
                     "[one_hot] num_classes must not be negative; got num_classes = {}", num_classes);
  const DType dtype = index_dtype(num_classes);
  const Tensor ids = as_dtype(dtype == DType::kI32 ? held_by_i32(x, num_classes) : x, dtype);
  const std::int64_t axis = normalized_axis(options.axis, x.rank() + 1, "one_hot");
  Dims dims = x.shape();
  dims.insert(dims.begin() + axis, num_classes);
  return run_op(OpKey("one_hot", num_classes, options.dtype, axis), {&ids, 1}, [&](ir::Builder& b, Values v) {
    const ir::Value classes = iota(b, {dtype, dims}, axis);
    Dims places = dimensions_between(0, static_cast<std::int64_t>(dims.size()));
    places.erase(places.begin() + axis);
    return convert(b, compare(b, broadcast_in_dim(b, v[0], dims, places), classes, ComparisonDirection::kEq),
                   options.dtype);
  });
}
Tensor one_hot(const Tensor& x, std::int64_t num_classes, DType dtype) {
  return one_hot(x, num_classes, OneHotOptions{.dtype = dtype});
}

Tensor multi_hot(const Tensor& x, std::int64_t num_classes, const OneHotOptions& options) {
  if (x.rank() < 1)
    invalid_argument("[multi_hot] x must have at least one axis; got shape {}", ir::shape_str(x.shape()));
  return amax(one_hot(x, num_classes, options), {.axis = x.rank() > 1 ? 1 : 0});
}

Tensor in_top_k(const Tensor& targets, const Tensor& predictions, std::int64_t k) {
  if (predictions.rank() != targets.rank() + 1 ||
      !std::equal(targets.shape().begin(), targets.shape().end(), predictions.shape().begin()))
    invalid_argument(
        "[in_top_k] predictions must have the targets' shape and an axis of classes; got targets {} and "
        "predictions {}",
        ir::shape_str(targets.shape()), ir::shape_str(predictions.shape()));
  const std::int64_t num_classes = predictions.shape().back();
  check_indices("in_top_k", targets);
  const Tensor wide = ir::bit_width(targets.dtype()) < 32 ? as_dtype(targets, DType::kI32) : targets;
  const Tensor labels = wrapped("in_top_k", wide, num_classes);
  const Tensor own = nan_to_num(take_along_axis(predictions, expand_dims(labels, -1), {.axis = -1}),
                                {.nan = -HUGE_VAL, .posinf = HUGE_VAL});
  const Tensor is_class = logical_and(greater_equal(labels, 0), less(labels, num_classes));
  return logical_and(is_class, less(count_nonzero(greater(predictions, own), -1), k));
}

Tensor searchsorted(const Tensor& sorted_sequence, const Tensor& values, StringViewArgument side) {
  if (side != "left" && side != "right")
    invalid_argument({.argument = "side"},
                     "[searchsorted] side must be \"left\" or \"right\"; got side = \"{}\"", side);
  if (sorted_sequence.rank() != 1)
    invalid_argument("[searchsorted] sorted_sequence must be a vector; got shape {}",
                     ir::shape_str(sorted_sequence.shape()));
  const std::int64_t n = sorted_sequence.num_elements();
  const DType dtype = promote(sorted_sequence, values);
  const Tensor sequence = as_dtype(sorted_sequence, dtype), wanted = as_dtype(values, dtype);
  // The result is in [low, high]; each step halves this interval.
  const DType positions = index_dtype(n);
  Tensor low = zeros(values.shape(), positions), high = full(values.shape(), n, positions);
  for (std::int64_t left = n; left > 0; left /= 2) {
    const Tensor middle = low + floor_divide(high - low, 2);
    const Tensor element = take(sequence, minimum(middle, n - 1), {.axis = 0});
    const Tensor is_before =
        logical_and(less(low, high), side == "left" ? less(element, wanted) : less_equal(element, wanted));
    high = where(is_before, high, minimum(high, maximum(low, middle)));
    low = where(is_before, middle + 1, low);
  }
  if (!ir::is_float(dtype)) return low;
  // NaN is above all numbers in the order, as in NumPy, but comparisons with NaN are false.
  const Tensor place_of_nan =
      side == "left" ? sum(cast(logical_not(isnan(sequence)), positions)) : full({}, n, positions);
  return where(isnan(wanted), place_of_nan, low);
}

Tensor digitize(const Tensor& x, std::span<const double> bins) {
  const Tensor values = as_number(x);
  const DType dtype = ir::is_float(values.dtype()) ? values.dtype() : default_float();
  std::vector<double> ascending(bins.begin(), bins.end());
  const bool falls = !ascending.empty() && ascending.front() > ascending.back();
  if (falls) std::reverse(ascending.begin(), ascending.end());
  if (!std::is_sorted(ascending.begin(), ascending.end()))
    invalid_argument({.argument = "bins"},
                     "[digitize] bins must be in ascending or descending order; got bins = {}",
                     std::vector<double>(bins.begin(), bins.end()));
  const auto num_bins = static_cast<std::int64_t>(ascending.size());
  const Tensor place =
      searchsorted(cast(Tensor::from<double>({num_bins}, ascending), dtype), values, "right");
  return falls ? num_bins - place : place;
}

Tensor bincount(const Tensor& x, const BincountOptions& options) {
  check_indices("bincount", x);
  if (x.rank() != 1)
    invalid_argument("[bincount] x must be a vector; got shape {}", ir::shape_str(x.shape()));
  if (options.minlength < 0)
    invalid_argument({.argument = "minlength"},
                     "[bincount] minlength must not be negative; got minlength = {}", options.minlength);
  const Tensor numbers = ir::is_signed_integer(x.dtype()) ? maximum(x, 0) : x;
  std::int64_t length = options.minlength;
  if (!x.is_symbolic() && x.num_elements() > 0) length = std::max(length, num_ids("bincount", numbers));
  if (x.is_symbolic() && length <= 0)
    invalid_argument("[bincount] minlength must be given in a traced function: the values are not known");
  const Tensor weights = options.weights.defined() ? options.weights : ones(x.shape(), DType::kI32);
  return segment_sum(weights, numbers, {.num_segments = length});
}

Tensor extract_sequences(const Tensor& x, std::int64_t sequence_length, std::int64_t sequence_stride) {
  if (x.rank() < 1 || sequence_length < 1 || sequence_stride < 1)
    invalid_argument(
        "[extract_sequences] x must have an axis, and the sequences' length and stride must be positive; got "
        "shape {}, sequence_length = {}, sequence_stride = {}",
        ir::shape_str(x.shape()), sequence_length, sequence_stride);
  if (sequence_length > x.shape().back())
    return take(x, zeros({0, sequence_length}, DType::kI32), {.axis = -1});
  const std::int64_t num_sequences = 1 + (x.shape().back() - sequence_length) / sequence_stride;
  const DType dtype = index_dtype(x.shape().back());
  const std::int64_t stride = std::min(sequence_stride, x.shape().back());  // beyond it there is one sequence
  const Tensor starts = reshape(arange(num_sequences, dtype) * stride, {num_sequences, 1});
  return take(x, starts + arange(sequence_length, dtype), {.axis = -1});
}

}  // namespace cornu::inline v0::ops
