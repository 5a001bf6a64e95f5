#include "cornu/tensor/ops/shape.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <string>

#include "cornu/base/check.h"
#include "cornu/base/memory_allowance.h"
#include "cornu/tensor/ops/elementwise.h"
#include "cornu/tensor/ops/index.h"
#include "cornu/tensor/ops/reduce.h"
#include "cornu/tensor/ops/support.h"
#include "cornu/tensor/trace/trace.h"

namespace cornu::inline v0::ops {
using namespace internal;

Dims shape(const Tensor& x) { return x.shape(); }
std::int64_t size(const Tensor& x) {
  Trace::note_count("size()", x, dimensions_between(0, x.rank()));
  return x.num_elements();
}
std::int64_t ndim(const Tensor& x) { return x.rank(); }

namespace {

/// Each given axis in [0, rank), in the order given. Errors: InvalidArgument when one occurs twice.
Dims axes_in_order(const Axes& axes, std::int64_t rank, const char* op) {
  Dims result;
  (void)axes.normalized(rank, op);  // its errors
  for (const std::int64_t axis : axes.given()) result.push_back(normalized_axis(axis, rank, op));
  return result;
}

/// Elements [begin, end) along an axis.
Tensor part(const Tensor& x, std::int64_t axis, std::int64_t begin, std::int64_t end) {
  Dims start(x.shape().size(), 0), limit = x.shape();
  extent(start, axis) = begin;
  extent(limit, axis) = end;
  if (limit == x.shape() && begin == 0) return x;
  return run_op(OpKey("part", start, limit), {&x, 1}, [&](ir::Builder& b, Values v) {
    return slice(b, v[0], start, limit, Dims(start.size(), 1));
  });
}

}  // namespace

Tensor reshape(const Tensor& x, const Dims& newshape) {
  Dims dims = newshape;
  const auto open = std::find(dims.begin(), dims.end(), -1);
  CheckedSize size = 1;
  for (auto it = dims.begin(); it != dims.end(); ++it)
    if (it != open) size = size * *it;
  const std::int64_t known = size.is_beyond() ? -1 : size.value("the size");  // no tensor has so many
  if (open != dims.end()) {
    if (known <= 0 || x.num_elements() % known != 0)
      invalid_argument("[reshape] shape {} does not fit {} elements", ir::shape_str(newshape),
                       x.num_elements());
    *open = x.num_elements() / known;
  } else if (known != x.num_elements()) {
    invalid_argument("[reshape] shape {} does not fit a tensor of shape {}", ir::shape_str(newshape),
                     ir::shape_str(x.shape()));
  }
  if (dims == x.shape()) return x.with_mask({});  // as every operation's result
  return run_op(OpKey("reshape", dims), {&x, 1},
                [&](ir::Builder& b, Values v) { return reshape(b, v[0], dims); });
}
Tensor ravel(const Tensor& x) { return reshape(x, {-1}); }

Tensor transpose(const Tensor& x, const TransposeOptions& options) {
  Dims dims;
  if (options.axes.empty())
    for (std::int64_t i = x.rank(); i-- > 0;) dims.push_back(i);
  for (const std::int64_t axis : options.axes) dims.push_back(normalized_axis(axis, x.rank(), "transpose"));
  return run_op(OpKey("transpose", dims), {&x, 1},
                [&](ir::Builder& b, Values v) { return transpose(b, v[0], dims); });
}

Tensor swapaxes(const Tensor& x, std::int64_t axis1, std::int64_t axis2) {
  Dims order(x.shape().size());
  std::iota(order.begin(), order.end(), 0);
  std::swap(extent(order, normalized_axis(axis1, x.rank(), "swapaxes")),
            extent(order, normalized_axis(axis2, x.rank(), "swapaxes")));
  return order.empty() ? x : transpose(x, order);
}

Tensor moveaxis(const Tensor& x, const Axes& source, const Axes& destination) {
  const Dims from = axes_in_order(source, x.rank(), "moveaxis"),
             to = axes_in_order(destination, x.rank(), "moveaxis");
  if (from.size() != to.size())
    invalid_argument(
        {.argument = "source"},
        "[moveaxis] there must be as many destinations as sources; got source = {} and destination = {}",
        from, to);
  Dims order(x.shape().size(), -1);
  for (std::size_t i = 0; i < from.size(); ++i) extent(order, to[i]) = from[i];
  std::int64_t next = 0;
  for (std::int64_t& axis : order) {
    if (axis >= 0) continue;
    while (std::find(from.begin(), from.end(), next) != from.end()) ++next;
    axis = next++;
  }
  return order.empty() ? x : transpose(x, order);
}

Tensor broadcast_to(const Tensor& x, const Dims& shape) {
  if (x.shape() == shape) return x.with_mask({});
  if (x.shape().size() > shape.size() || broadcast_shapes(x.shape(), shape, "broadcast_to") != shape)
    invalid_argument("[broadcast_to] shape {} cannot be broadcast to {}", ir::shape_str(x.shape()),
                     ir::shape_str(shape));
  return run_op(OpKey("broadcast_to", shape), {&x, 1},
                [&](ir::Builder& b, Values v) { return broadcast_to(b, v[0], shape); });
}

Tensor expand_dims(const Tensor& x, const Axes& axis) {
  const std::int64_t rank = x.rank() + static_cast<std::int64_t>(axis.given().size());
  Dims dims = x.shape();
  for (const std::int64_t place : axis.all() ? Dims{} : axis.normalized(rank, "expand_dims"))
    dims.insert(dims.begin() + place, 1);
  return reshape(x, dims);
}

Tensor squeeze(const Tensor& x, const SqueezeOptions& options) {
  Dims dims = x.shape();
  if (options.axis.all()) {
    std::erase(dims, 1);
    return reshape(x, dims);
  }
  Dims axes = options.axis.normalized(x.rank(), "squeeze");
  for (auto it = axes.rbegin(); it != axes.rend(); ++it) {
    if (extent(dims, *it) != 1)
      invalid_argument("[squeeze] axis {} of shape {} is not 1", *it, ir::shape_str(x.shape()));
    dims.erase(dims.begin() + *it);
  }
  return reshape(x, dims);
}

Tensor concatenate(std::span<const Tensor> tensors, std::int64_t axis) {
  const DType dtype = promote_all(tensors, "concatenate");
  const std::int64_t dimension = normalized_axis(axis, tensors[0].rank(), "concatenate");
  std::vector<Tensor> inputs;
  for (const Tensor& tensor : tensors) {
    bool fits = tensor.rank() == tensors[0].rank();
    for (std::int64_t d = 0; fits && d < tensor.rank(); ++d)
      fits = d == dimension || extent(tensor.shape(), d) == extent(tensors[0].shape(), d);
    if (!fits)
      invalid_argument("[concatenate] shapes {} and {} differ in more than axis {}",
                       ir::shape_str(tensors[0].shape()), ir::shape_str(tensor.shape()), axis);
    inputs.push_back(as_dtype(tensor, dtype));
  }
  return run_op(OpKey("concatenate", dimension), inputs, [&](ir::Builder& b, Values v) {
    return concatenate(b, std::vector<ir::Value>(v.begin(), v.end()), dimension);
  });
}
Tensor concatenate(std::initializer_list<Tensor> tensors, std::int64_t axis) {
  return concatenate(std::span(tensors.begin(), tensors.size()), axis);
}

Tensor stack(std::span<const Tensor> tensors, std::int64_t axis) {
  std::vector<Tensor> expanded;
  for (const Tensor& tensor : tensors) {
    if (tensor.shape() != tensors[0].shape())
      invalid_argument("[stack] shapes {} and {} differ", ir::shape_str(tensors[0].shape()),
                       ir::shape_str(tensor.shape()));
    expanded.push_back(expand_dims(tensor, axis));
  }
  if (expanded.empty()) invalid_argument("[stack] there is no tensor");
  return concatenate(expanded, axis);
}
Tensor stack(std::initializer_list<Tensor> tensors, std::int64_t axis) {
  return stack(std::span(tensors.begin(), tensors.size()), axis);
}

Tensor hstack(const TensorList& tensors) {
  std::vector<Tensor> inputs;
  for (const Tensor& tensor : tensors.span())
    inputs.push_back(tensor.rank() == 0 ? reshape(tensor, {1}) : tensor);
  if (inputs.empty()) invalid_argument("[hstack] there is no tensor");
  return concatenate(inputs, inputs[0].rank() == 1 ? 0 : 1);
}
Tensor vstack(const TensorList& tensors) {
  std::vector<Tensor> inputs;
  for (const Tensor& tensor : tensors.span())
    inputs.push_back(tensor.rank() < 2 ? reshape(tensor, {1, -1}) : tensor);
  if (inputs.empty()) invalid_argument("[vstack] there is no tensor");
  return concatenate(inputs, 0);
}
Tensor append(const Tensor& x, const Tensor& y, const AppendOptions& options) {
  return options.axis ? concatenate({x, y}, *options.axis) : concatenate({ravel(x), ravel(y)}, 0);
}

namespace {

/// Claims the memory for a list of tensors, each an operation of its own in a graph, before it is made.
void claim_parts(const char* op, std::int64_t count) {
  constexpr std::size_t kTensorBytes = 256;  // approximate size of a tensor without its elements
  claim_memory(CheckedSize(count) * kTensorBytes,
               [&] { return fmt::format("[{}] a list of {} tensors", op, count); });
}

}  // namespace

std::vector<Tensor> unstack(const Tensor& x, std::int64_t axis) {
  const std::int64_t dimension = normalized_axis(axis, x.rank(), "unstack");
  const std::int64_t count = extent(x.shape(), dimension);
  Trace::note_count("number of parts (unstack())", x, {&dimension, 1});
  claim_parts("unstack", count);
  std::vector<Tensor> parts;
  parts.reserve(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) parts.push_back(squeeze(part(x, dimension, i, i + 1), dimension));
  return parts;
}

namespace {

std::vector<Tensor> split_at(const Tensor& x, const Dims& indices, std::int64_t dimension) {
  const std::int64_t n = extent(x.shape(), dimension);
  std::vector<Tensor> parts;
  std::int64_t begin = 0;
  const auto bounded = [n](std::int64_t index) {
    return std::clamp<std::int64_t>(index < 0 ? index + n : index, 0, n);
  };
  for (const std::int64_t index : indices) {
    parts.push_back(part(x, dimension, begin, std::max(begin, bounded(index))));
    begin = bounded(index);
  }
  parts.push_back(part(x, dimension, begin, n));
  return parts;
}

std::vector<Tensor> split_in(const Tensor& x, std::int64_t sections, std::int64_t dimension, const char* op) {
  const std::int64_t n = extent(x.shape(), dimension);
  if (sections < 1)
    invalid_argument({.argument = "indices_or_sections"},
                     "[{}] there must be at least one section; got indices_or_sections = {}", op, sections);
  claim_parts(op, sections);
  Dims indices;
  for (std::int64_t i = 1; i < sections; ++i)
    indices.push_back(i * (n / sections) + std::min(i, n % sections));
  return split_at(x, indices, dimension);
}

}  // namespace

std::vector<Tensor> split(const Tensor& x, const IntOrInts& indices_or_sections, std::int64_t axis) {
  const std::int64_t dimension = normalized_axis(axis, x.rank(), "split");
  if (indices_or_sections.is_list()) return split_at(x, indices_or_sections.values(), dimension);
  const std::int64_t sections = indices_or_sections.values()[0];
  if (sections > 0 && extent(x.shape(), dimension) % sections != 0)
    invalid_argument("[split] axis {} of shape {} cannot be split in {} equal parts", axis,
                     ir::shape_str(x.shape()), sections);
  return split_in(x, sections, dimension, "split");
}
std::vector<Tensor> array_split(const Tensor& x, const IntOrInts& indices_or_sections, std::int64_t axis) {
  const std::int64_t dimension = normalized_axis(axis, x.rank(), "array_split");
  if (indices_or_sections.is_list()) return split_at(x, indices_or_sections.values(), dimension);
  return split_in(x, indices_or_sections.values()[0], dimension, "array_split");
}

Tensor tile(const Tensor& x, const IntOrInts& repeats) {
  Dims times = repeats.values(), dims = x.shape();
  if (times.size() < dims.size()) times.insert(times.begin(), dims.size() - times.size(), 1);
  if (dims.size() < times.size()) dims.insert(dims.begin(), times.size() - dims.size(), 1);
  // [n0, n1] -> [1, n0, 1, n1] -> [r0, n0, r1, n1] -> [r0 * n0, r1 * n1]
  Dims apart, repeated, joined;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if (times[d] < 0)
      invalid_argument({.argument = "repeats"}, "[tile] repeats must not be negative; got repeats = {}",
                       repeats.values());
    apart.insert(apart.end(), {1, dims[d]});
    repeated.insert(repeated.end(), {times[d], dims[d]});
    joined.push_back(checked_extent("tile", CheckedSize(times[d]) * dims[d]));
  }
  check_result("tile", {x.dtype(), joined});
  return reshape(broadcast_to(reshape(x, apart), repeated), joined);
}

Tensor repeat(const Tensor& x, const IntOrInts& repeats, const RepeatOptions& options) {
  if (!options.axis) return repeat(ravel(x), repeats, {.axis = 0});
  const std::int64_t axis = normalized_axis(*options.axis, x.rank(), "repeat");
  const Dims& times = repeats.values();
  for (const std::int64_t count : times)
    if (count < 0)
      invalid_argument({.argument = "repeats"}, "[repeat] repeats must not be negative; got repeats = {}",
                       times);
  if (times.size() != 1 && static_cast<std::int64_t>(times.size()) != extent(x.shape(), axis))
    invalid_argument(
        {.argument = "repeats"},
        "[repeat] there must be one number, or one for each element of axis {} of shape {}; got repeats = {}",
        *options.axis, ir::shape_str(x.shape()), times);
  const CheckedSize total = times.size() == 1 ? CheckedSize(extent(x.shape(), axis)) * times[0]
                                              : std::accumulate(times.begin(), times.end(), CheckedSize(0));
  Dims joined = x.shape();
  extent(joined, axis) = checked_extent("repeat", total);
  check_result("repeat", {x.dtype(), joined});
  if (times.size() == 1) {
    Dims apart = x.shape(), repeated = x.shape();
    apart.insert(apart.begin() + axis + 1, 1);
    repeated.insert(repeated.begin() + axis + 1, times[0]);
    return reshape(broadcast_to(reshape(x, apart), repeated), joined);
  }
  claim_memory(total * sizeof(std::int32_t), [] { return std::string("[repeat] a list of positions"); });
  std::vector<std::int32_t> rows;
  with_host_memory(total * sizeof(std::int32_t), "[repeat] a list of positions",
                   [&] { rows.reserve(static_cast<std::size_t>(extent(joined, axis))); });
  for (std::size_t i = 0; i < times.size(); ++i)
    rows.insert(rows.end(), static_cast<std::size_t>(times[i]), static_cast<std::int32_t>(i));
  const auto num_rows = static_cast<std::int64_t>(rows.size());
  return take(x, Tensor::adopt({num_rows}, std::move(rows)), {.axis = axis});
}

Tensor flip(const Tensor& x, const FlipOptions& options) {
  const Dims axes = options.axis.normalized(x.rank(), "flip");
  if (axes.empty()) return x;
  return run_op(OpKey("flip", axes), {&x, 1},
                [&](ir::Builder& b, Values v) { return reverse(b, v[0], axes); });
}
Tensor flipud(const Tensor& x) { return flip(x, 0); }
Tensor fliplr(const Tensor& x) { return flip(x, 1); }

Tensor rot90(const Tensor& x, const Rot90Options& options) {
  const std::int64_t first = normalized_axis(options.axes.first, x.rank(), "rot90");
  const std::int64_t second = normalized_axis(options.axes.second, x.rank(), "rot90");
  if (first == second)
    invalid_argument({.argument = "axes"}, "[rot90] the axes must differ; got axes = ({}, {})",
                     options.axes.first, options.axes.second);
  switch ((options.k % 4 + 4) % 4) {
    case 0: return x;
    case 1: return flip(swapaxes(x, first, second), first);
    case 2: return flip(x, {first, second});
    default: return swapaxes(flip(x, first), first, second);
  }
}

Tensor roll(const Tensor& x, const IntOrInts& shift, const RollOptions& options) {
  if (options.axis.all()) {
    const std::int64_t n = std::max<std::int64_t>(x.num_elements(), 1);
    std::int64_t total = 0;
    for (const std::int64_t by : shift.values()) total = (total + by % n) % n;
    return reshape(roll(ravel(x), total, {.axis = 0}), x.shape());
  }
  const std::vector<std::int64_t>& axes = options.axis.given();
  const Dims& shifts = shift.values();
  if (shifts.size() != axes.size() && shifts.size() != 1 && axes.size() != 1)
    invalid_argument({.argument = "shift"},
                     "[roll] there must be one shift for each axis; got shift = {} and axis = {}", shifts,
                     axes);
  if (shifts.empty() || axes.empty()) return x;
  Tensor result = x;
  for (std::size_t i = 0; i < std::max(shifts.size(), axes.size()); ++i) {
    const std::int64_t dimension = normalized_axis(axes[axes.size() == 1 ? 0 : i], x.rank(), "roll");
    const std::int64_t n = extent(x.shape(), dimension);
    if (n == 0) continue;
    const std::int64_t by = shifts[shifts.size() == 1 ? 0 : i];
    const std::int64_t cut = n - (by % n + n) % n;
    if (cut < n)
      result = concatenate({part(result, dimension, cut, n), part(result, dimension, 0, cut)}, dimension);
  }
  return result;
}

namespace {

/// One axis padded by elements of its own: index i of the result reads x at the folded position.
Tensor pad_axis(const Tensor& x, std::int64_t axis, std::pair<std::int64_t, std::int64_t> width,
                std::string_view mode) {
  const std::int64_t n = extent(x.shape(), axis), total = width.first + n + width.second;
  if (total == n) return x;
  if (n == 0)
    invalid_argument("[pad] mode \"{}\" needs elements; axis {} of shape {} has none", mode, axis,
                     ir::shape_str(x.shape()));
  const auto positions = [&] {
    const EagerScope known;  // a constant of the program that is traced
    const Tensor i =
        arange(total, index_dtype(checked_extent("pad", CheckedSize(n) * 2 + total))) - width.first;
    if (mode == "wrap") return mod(i, n);
    if (mode == "symmetric") return minimum(mod(i, 2 * n), 2 * n - 1 - mod(i, 2 * n));
    if (mode == "reflect" && n > 1) return minimum(mod(i, 2 * n - 2), 2 * n - 2 - mod(i, 2 * n - 2));
    return minimum(maximum(i, 0), n - 1);  // edge
  };
  return take(x, positions(), {.axis = axis});
}

}  // namespace

Tensor pad(const Tensor& x, const std::vector<std::pair<std::int64_t, std::int64_t>>& pad_width,
           const PadOptions& options) {
  std::vector<std::pair<std::int64_t, std::int64_t>> widths = pad_width;
  if (widths.size() == 1) widths.resize(x.shape().size(), widths[0]);
  if (widths.size() != x.shape().size())
    invalid_argument("[pad] there must be one pair for each of {} axes; got {} pairs", x.rank(),
                     pad_width.size());
  for (const auto& [before, after] : widths)
    if (before < 0 || after < 0)
      invalid_argument("[pad] pad_width must not be negative; got ({}, {})", before, after);
  Dims padded;
  for (std::size_t d = 0; d < widths.size(); ++d)
    padded.push_back(checked_extent("pad", CheckedSize(x.shape()[d]) + widths[d].first + widths[d].second));
  check_result("pad", {x.dtype(), padded});
  if (options.mode == "constant") {
    const std::array inputs = {
        x, as_dtype(options.constant_values.defined() ? options.constant_values : Tensor(0), x.dtype())};
    Dims low, high;
    for (const auto& [before, after] : widths) low.push_back(before), high.push_back(after);
    return run_op(OpKey("pad", low, high), inputs, [&](ir::Builder& b, Values v) {
      return pad(b, v[0], v[1], low, high, Dims(low.size(), 0));
    });
  }
  if (options.constant_values.defined())
    invalid_argument({.argument = "mode"},
                     "[pad] constant_values is for mode \"constant\"; got mode = \"{}\"", options.mode);
  constexpr std::array<std::string_view, 4> kModes = {"reflect", "symmetric", "edge", "wrap"};
  if (std::find(kModes.begin(), kModes.end(), options.mode) == kModes.end())
    invalid_argument(
        {.argument = "mode"},
        "[pad] mode must be \"constant\", \"reflect\", \"symmetric\", \"edge\" or \"wrap\"; got mode = "
        "\"{}\"",
        options.mode);
  Tensor result = x;
  for (std::size_t axis = 0; axis < widths.size(); ++axis)
    result = pad_axis(result, static_cast<std::int64_t>(axis), widths[axis], options.mode);
  return result;
}
Tensor pad(const Tensor& x, std::int64_t pad_width, const PadOptions& options) {
  return pad(x, {x.shape().size(), std::pair(pad_width, pad_width)}, options);
}

}  // namespace cornu::inline v0::ops
