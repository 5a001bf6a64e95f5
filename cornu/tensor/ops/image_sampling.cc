#include "cornu/tensor/ops/image_support.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/ops/sample_pixels/sample_pixels.h"
#include "cornu/tensor/ops/decompositions.h"
#include "cornu/tensor/ops/elementwise.h"
#include "cornu/tensor/ops/image_geometry.h"
#include "cornu/tensor/ops/index.h"
#include "cornu/tensor/ops/shape.h"
#include "cornu/tensor/ops/support.h"

/// Images as batches, and their elements at positions between pixels.
namespace cornu::inline v0::ops::internal {

std::int64_t image_channels(const char* op, const Tensor& images, std::string_view data_format) {
  if (data_format != "channels_last" && data_format != "channels_first")
    invalid_argument(
        {.argument = "data_format"},
        "[{}] data_format must be \"channels_last\" or \"channels_first\"; got data_format = \"{}\"", op,
        data_format);
  if (images.rank() != 3 && images.rank() != 4)
    invalid_argument("[{}] images must have 3 or 4 axes; got shape {}", op, ir::shape_str(images.shape()));
  return data_format == "channels_last" ? images.rank() - 1 : images.rank() - 3;
}

ImageBatch::ImageBatch(const char* op, const Tensor& images, std::string_view data_format)
    : is_single_(images.rank() == 3), is_channels_first_(data_format == "channels_first") {
  image_channels(op, images, data_format);
  images_ = is_single_ ? expand_dims(images, 0) : images;
  if (is_channels_first_) images_ = moveaxis(images_, 1, 3);
}

Tensor ImageBatch::restored(const Tensor& images) const {
  const Tensor result = is_channels_first_ ? moveaxis(images, 3, 1) : images;
  return is_single_ ? squeeze(result, 0) : result;
}

std::int64_t interpolation_order(const char* op, std::string_view interpolation) {
  if (interpolation == "nearest") return 0;
  if (interpolation == "bilinear") return 1;
  invalid_argument({.argument = "interpolation"},
                   "[{}] interpolation must be \"nearest\" or \"bilinear\"; got interpolation = \"{}\"", op,
                   interpolation);
}

namespace {

Tensor rounded_away(const Tensor& x) { return sign(x) * floor(abs(x) + 0.5); }

/// Numbers of fill modes, for keys of operations.
constexpr std::array kFillModes = {"constant", "nearest", "wrap", "mirror", "reflect"};

}  // namespace

Tensor sampled(const char* op, const Tensor& x, const Tensor& positions, const Sampling& sampling) {
  const auto mode = std::find(kFillModes.begin(), kFillModes.end(), sampling.fill_mode);
  if (mode == kFillModes.end())
    invalid_argument(
        {.argument = "fill_mode"},
        "[{}] fill_mode must be \"constant\", \"nearest\", \"wrap\", \"mirror\" or \"reflect\"; got "
        "fill_mode = \"{}\"",
        op, sampling.fill_mode);
  const bool is_linear = sampling.order != 0, is_float = ir::is_float(positions.dtype());
  const DType dtype = accumulation_dtype(is_linear && !is_float ? DType::kF32 : positions.dtype());
  Tensor places = as_dtype(positions, dtype);
  if (x.rank() == extent(places.shape(), 0) + 2) {
    Dims shape = places.shape();
    shape[1] = x.shape()[0];
    places = broadcast_to(places, shape);
  }
  const std::array inputs = {is_linear ? as_dtype(x, promote(x, places)) : x, places};
  // A double's bits: keys are of integers.
  const OpKey key("sample_pixels", sampling.order, mode - kFillModes.begin(),
                  std::bit_cast<std::int64_t>(sampling.fill_value));
  const Tensor result = run_op(key, inputs, [&](ir::Builder& b, Values v) {
    return sample_pixels(b, v[0], v[1], {sampling.order, *mode, sampling.fill_value});
  });
  const bool is_rounded = ir::is_integer(x.dtype()) && ir::is_float(result.dtype());
  return as_dtype(is_rounded ? rounded_away(result) : result, x.dtype());
}

}  // namespace cornu::inline v0::ops::internal

namespace cornu::inline v0::ops {

using namespace internal;

Tensor map_coordinates(const Tensor& inputs, const Tensor& coordinates, std::int64_t order,
                       const MapCoordinatesOptions& options) {
  if (coordinates.rank() < 2 || coordinates.shape()[0] != inputs.rank())
    invalid_argument(
        "[map_coordinates] coordinates must be [{}, d...], a row for each axis of inputs; got shape {}",
        inputs.rank(), ir::shape_str(coordinates.shape()));
  if (order != 0 && order != 1)
    invalid_argument({.argument = "order"}, "[map_coordinates] order must be 0 or 1; got order = {}", order);
  return sampled("map_coordinates", inputs, coordinates,
                 {.order = order, .fill_mode = options.fill_mode, .fill_value = options.fill_value});
}

namespace {

/// Row and column of each pixel, f32 [1, rows, 1] and [1, 1, columns].
std::pair<Tensor, Tensor> pixel_positions(const ImageBatch& batch) {
  return {reshape(arange(batch.rows(), DType::kF32), {1, -1, 1}),
          reshape(arange(batch.columns(), DType::kF32), {1, 1, -1})};
}

/// Images whose pixel (x, y) is that at ((p0 x + p1 y + p2) / k, (p3 x + p4 y + p5) / k), k = p6 x + p7 y + 1.
Tensor projected(const char* op, const ImageBatch& batch, const Tensor& transforms,
                 const Sampling& sampling) {
  const auto [y, x] = pixel_positions(batch);
  std::vector<Tensor> p;
  for (const Tensor& each : unstack(transforms, 1)) p.push_back(reshape(each, {-1, 1, 1}));
  const Tensor k = p[6] * x + p[7] * y + 1.0;
  // Rows and columns as one tensor of one formula: a tensor made of both would be a copy.
  const auto both = [&](std::size_t i) { return stack({p[i + 3], p[i]}, 0); };
  const Tensor positions = (both(0) * x + both(1) * y + both(2)) / k;
  return batch.restored(sampled(op, batch.images(), positions, sampling));
}

/// One row for all images, or one for each: [..., 8] -> [rows, 8].
Tensor rows_of_batch(const char* op, const Tensor& given, const Dims& row, const ImageBatch& batch) {
  const auto rank = static_cast<std::int64_t>(row.size());
  const bool is_one = given.rank() == rank;
  Dims expected = row;
  if (!is_one)
    expected.insert(expected.begin(), given.rank() == rank + 1 && given.shape()[0] == 1 ? 1 : batch.batch());
  if (given.shape() != expected)
    invalid_argument("[{}] needs {} for all images, or one for each of {}; got shape {}", op,
                     ir::shape_str(row), batch.batch(), ir::shape_str(given.shape()));
  const Tensor values = as_float(given);
  return is_one ? expand_dims(values, 0) : values;
}

/// The transforms that map end_points to start_points: p with (p0 x + p1 y + p2) / (p6 x + p7 y + 1) = x' and so on.
Tensor homographies(const Tensor& start_points, const Tensor& end_points) {
  const std::vector<Tensor> start = unstack(start_points, 2), end = unstack(end_points, 2);
  const Tensor &x = end[0], &y = end[1];
  const Tensor one = ones_like(x), zero = zeros_like(x);
  const Tensor of_x = stack({x, y, one, zero, zero, zero, -start[0] * x, -start[0] * y}, 2);
  const Tensor of_y = stack({zero, zero, zero, x, y, one, -start[1] * x, -start[1] * y}, 2);
  const Tensor targets = expand_dims(concatenate({start[0], start[1]}, 1), -1);
  return squeeze(solve(concatenate({of_x, of_y}, 1), targets), -1);
}

}  // namespace

Tensor affine_transform(const Tensor& images, const Tensor& transform,
                        const AffineTransformOptions& options) {
  const ImageBatch batch("affine_transform", images, options.data_format);
  const Sampling sampling = {interpolation_order("affine_transform", options.interpolation),
                             options.fill_mode, options.fill_value};
  return projected("affine_transform", batch, rows_of_batch("affine_transform", transform, {8}, batch),
                   sampling);
}

Tensor perspective_transform(const Tensor& images, const Tensor& start_points, const Tensor& end_points,
                             const PerspectiveTransformOptions& options) {
  const ImageBatch batch("perspective_transform", images, options.data_format);
  const Sampling sampling = {interpolation_order("perspective_transform", options.interpolation), "constant",
                             options.fill_value};
  const Tensor start = rows_of_batch("perspective_transform", start_points, {4, 2}, batch);
  const Tensor end = rows_of_batch("perspective_transform", end_points, {4, 2}, batch);
  if (start.shape() != end.shape())
    invalid_argument("[perspective_transform] start_points and end_points must have one shape; got {} and {}",
                     ir::shape_str(start_points.shape()), ir::shape_str(end_points.shape()));
  return projected("perspective_transform", batch, homographies(start, end), sampling);
}

}  // namespace cornu::inline v0::ops
