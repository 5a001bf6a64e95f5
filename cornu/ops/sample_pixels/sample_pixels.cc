#include "cornu/ops/sample_pixels/sample_pixels.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"
#include "cornu/ops/compare/compare.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/convert/convert.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/elementwise_unary/elementwise_unary.h"
#include "cornu/ops/gather/gather.h"
#include "cornu/ops/iota/iota.h"
#include "cornu/ops/operands.h"
#include "cornu/ops/reshape/reshape.h"
#include "cornu/ops/select/select.h"
#include "cornu/ops/slice/slice.h"

namespace cornu::inline v0::ops {
namespace sample_pixels_folder {
namespace {

using ir::Builder;
using ir::DType;
using ir::Value;

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  check_operands(context, 2);
  const SamplingForm form = sampling_form(context.attributes);
  const ir::TensorType &x = context.type(0), &position = context.type(1);
  constexpr std::array kModes = {"constant", "nearest", "wrap", "mirror", "reflect"};
  if (form.order != 0 && form.order != 1)
    invalid_argument({.argument = "order"}, "order must be 0 or 1; got order = {}", form.order);
  if (std::find(kModes.begin(), kModes.end(), form.fill_mode) == kModes.end())
    invalid_argument({.argument = "fill_mode"},
                     "fill_mode must be \"constant\", \"nearest\", \"wrap\", \"mirror\" or \"reflect\"; got "
                     "fill_mode = \"{}\"",
                     form.fill_mode);
  const bool has_numbers = ir::is_float(x.dtype) || (form.order == 0 && ir::is_integer(x.dtype));
  if (!has_numbers || std::find(x.dims.begin(), x.dims.end(), 0) != x.dims.end())
    invalid_argument("x must have pixels of {}; got {}", form.order == 0 ? "numbers" : "floats", x.str());
  const bool has_positions = position.dtype == DType::kF32 || position.dtype == DType::kF64 ||
                             (form.order == 0 && ir::is_integer(position.dtype));
  if (!has_positions || position.rank() < 2)
    invalid_argument("positions must be [num_extents, d...] of {}; got {}",
                     form.order == 0 ? "f32, f64 or integers" : "f32 or f64", position.str());
  const std::int64_t num_axes = position.dims[0];
  const bool is_batch = x.rank() == num_axes + 2 && position.dims[1] == x.dims[0];
  if (num_axes < 1 || (x.rank() != num_axes && !is_batch))
    invalid_argument(
        "positions {} do not match x {}: they must be [num_extents, d...] for x [extents...], or "
        "[num_extents, batch, d...] for x [batch, extents..., channels]",
        position.str(), x.str());
  ir::TensorType result{x.dtype, ir::Dims(position.dims.begin() + 1, position.dims.end())};
  if (is_batch) result.dims.push_back(x.dims.back());
  return {result};
}

/// Integer arithmetic with constants.
class Integers {
 public:
  explicit Integers(Builder& b) : b_(b) {}
  Value number(Value like, std::int64_t value) const {
    return full(b_, like.type(), static_cast<double>(value));
  }
  Value add(Value x, std::int64_t value) const { return ops::add(b_, x, number(x, value)); }
  Value times(Value x, std::int64_t value) const { return multiply(b_, x, number(x, value)); }
  Value within(Value x, std::int64_t low, std::int64_t high) const {
    return minimum(b_, maximum(b_, x, number(x, low)), number(x, high));
  }
  /// The rest in [0, n) of a division.
  Value modulo(Value x, std::int64_t n) const {
    const Value rest = remainder(b_, x, number(x, n));
    const Value is_negative = compare(b_, rest, number(x, 0), ComparisonDirection::kLt);
    return select(b_, is_negative, add(rest, n), rest);
  }
  /// [0, size) for all integers, back and forth.
  Value mirrored(Value x, std::int64_t size) const {
    if (size == 1) return number(x, 0);
    return abs(b_, add(modulo(add(x, size - 1), 2 * (size - 1)), 1 - size));
  }

 private:
  Builder& b_;
};

Value moved_inside(Builder& b, Value index, std::int64_t size, std::string_view fill_mode) {
  const Integers integers(b);
  if (fill_mode == "wrap") return integers.modulo(index, size);
  if (fill_mode == "mirror") return integers.mirrored(index, size);
  if (fill_mode != "reflect") return integers.within(index, 0, size - 1);
  const Value odd = integers.mirrored(integers.add(integers.times(index, 2), 1), 2 * size + 1);
  return divide(b, integers.add(odd, -1), integers.number(index, 2));
}

/// Positions (i32) along one axis with their weights; no weight: 1.
struct Neighbour {
  Value index, weight;
};
std::vector<Neighbour> neighbours(Builder& b, Value position, std::int64_t order) {
  const auto constant_like = [&](double value) { return full(b, position.type(), value); };
  if (!ir::is_float(position.dtype())) return {{convert(b, position, DType::kI32), {}}};
  if (order == 0) {
    const Value size = floor(b, add(b, abs(b, position), constant_like(0.5)));
    return {{convert(b, multiply(b, sign(b, position), size), DType::kI32), {}}};
  }
  const Value lower = floor(b, position), upper_weight = subtract(b, position, lower);
  const Value index = convert(b, lower, DType::kI32);
  return {{index, subtract(b, constant_like(1), upper_weight)}, {Integers(b).add(index, 1), upper_weight}};
}

/// The number of a pixel, the product of its neighbours' weights, and whether it is inside of x.
struct Corner {
  Value index, weight, is_inside;
};
Corner extended(Builder& b, const Corner& corner, const Neighbour& at, std::int64_t size,
                std::string_view fill_mode) {
  Corner next;
  next.index = add(b, Integers(b).times(corner.index, size), moved_inside(b, at.index, size, fill_mode));
  next.weight = !corner.weight ? at.weight : multiply(b, corner.weight, at.weight);
  if (fill_mode == "constant") {
    const Value is_inside = and_(
        b, compare(b, at.index, full(b, at.index.type(), 0), ComparisonDirection::kGe),
        compare(b, at.index, full(b, at.index.type(), static_cast<double>(size)), ComparisonDirection::kLt));
    next.is_inside = corner.is_inside ? and_(b, corner.is_inside, is_inside) : is_inside;
  }
  return next;
}

/// The positions along one axis.
Value positions_along(Builder& b, Value positions, std::int64_t axis) {
  ir::Dims starts(positions.dims().size(), 0), limits = positions.dims();
  starts[0] = axis;
  limits[0] = axis + 1;
  const Value part = slice(b, positions, starts, limits, ir::Dims(starts.size(), 1));
  return reshape(b, part, ir::Dims(limits.begin() + 1, limits.end()));
}

std::vector<Value> decompose(Builder& b, std::span<const Value> operands, const ir::Attributes& attributes) {
  const SamplingForm form = sampling_form(attributes);
  const Value x = operands[0];
  const std::int64_t num_axes = operands[1].dims()[0];
  const bool is_batch = x.rank() != num_axes;
  const ir::Dims places(operands[1].dims().begin() + 1, operands[1].dims().end());
  const ir::TensorType numbers{DType::kI32, places};
  std::vector<Corner> corners = {{is_batch ? iota(b, numbers, 0) : full(b, numbers, 0), {}, {}}};
  for (std::int64_t axis = 0; axis < num_axes; ++axis) {
    std::vector<Corner> next;
    for (const Corner& corner : corners)
      for (const Neighbour& at : neighbours(b, positions_along(b, operands[1], axis), form.order))
        next.push_back(extended(b, corner, at, x.dims()[static_cast<std::size_t>(axis + (is_batch ? 1 : 0))],
                                form.fill_mode));
    corners = std::move(next);
  }
  ir::Dims dims = places, outer, table = {1};
  for (std::int64_t d = 0; d < static_cast<std::int64_t>(places.size()); ++d) outer.push_back(d);
  for (const std::int64_t extent : x.dims()) table[0] *= extent;
  if (is_batch) {
    dims.push_back(x.dims().back());
    table = {table[0] / x.dims().back(), x.dims().back()};
  }
  const Value pixels = reshape(b, x, table);
  Value result;
  for (const Corner& corner : corners) {
    Value part = gather_rows(b, pixels, corner.index);
    if (corner.is_inside)
      part = select(b, broadcast_in_dim(b, corner.is_inside, dims, outer), part,
                    full(b, part.type(), form.fill_value));
    if (corner.weight)
      part = multiply(b, part, broadcast_in_dim(b, convert(b, corner.weight, x.dtype()), dims, outer));
    result = result ? add(b, result, part) : part;
  }
  return {result};
}

const ir::OpDef kSamplePixels = {.name = "cornu.sample_pixels", .infer = infer, .decompose = decompose};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kSamplePixels>(); }

}  // namespace sample_pixels_folder

SamplingForm sampling_form(const ir::Attributes& attributes) {
  return {.order = attributes.get<std::int64_t>("order"),
          .fill_mode = attributes.get<std::string>("fill_mode"),
          .fill_value = attributes.get<double>("fill_value")};
}

ir::Value sample_pixels(ir::Builder& builder, ir::Value x, ir::Value positions, const SamplingForm& form) {
  return builder
      .create(sample_pixels_folder::kSamplePixels, {x, positions},
              {{"order", form.order}, {"fill_mode", form.fill_mode}, {"fill_value", form.fill_value}})
      .result();
}

}  // namespace cornu::inline v0::ops
