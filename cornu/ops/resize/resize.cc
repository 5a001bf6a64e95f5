#include "cornu/ops/resize/resize.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/dot_general/dot_general.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/gather/gather.h"
#include "cornu/ops/operands.h"
#include "cornu/ops/resize/interpolation_taps.h"
#include "cornu/ops/transpose/transpose.h"

namespace cornu::inline v0::ops {
namespace resize_folder {
namespace {

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  check_operands(context, 1);
  ir::TensorType images = context.type(0);
  const auto& size = context.attributes.get<ir::Dims>("size");
  if ((images.dtype != ir::DType::kF32 && images.dtype != ir::DType::kF64) || images.rank() != 4 ||
      images.dims[1] < 1 || images.dims[2] < 1)
    invalid_argument("images must be [batch, rows, columns, channels] of f32 or f64 with pixels; got {}",
                     images.str());
  if (size.size() != 2 || size[0] < 1 || size[1] < 1)
    invalid_argument({.argument = "size"}, "size must be two positive numbers; got size = {}",
                     ir::shape_str(size));
  constexpr std::array kNames = {"nearest", "bilinear", "bicubic", "lanczos3", "lanczos5"};
  const ResizeForm form = resize_form(context.attributes);
  if (std::find(kNames.begin(), kNames.end(), form.interpolation) == kNames.end())
    invalid_argument({.argument = "interpolation"},
                     "interpolation must be \"nearest\", \"bilinear\", \"bicubic\", \"lanczos3\" or "
                     "\"lanczos5\"; got interpolation = \"{}\"",
                     form.interpolation);
  images.dims[1] = size[0];
  images.dims[2] = size[1];
  return {images};
}

ir::Literal literal_of(ir::DType dtype, const ir::Dims& dims, const std::vector<double>& values) {
  if (dtype == ir::DType::kF64) return ir::Literal::of<double>(dims, std::span<const double>(values));
  const std::vector<float> narrow(values.begin(), values.end());
  return ir::Literal::of<float>(dims, std::span<const float>(narrow));
}

/// The taps' elements number k along an axis.
ir::Value tap_elements(ir::Builder& b, ir::Value x, std::int64_t axis, const Taps& taps, std::int64_t k) {
  std::vector<std::int32_t> places;
  for (std::int64_t i = 0; i < taps.num_results(); ++i)
    places.push_back(taps.places[static_cast<std::size_t>(i * taps.count + k)]);
  GatherDimensions dimensions = {
      .collapsed_slice_dims = {axis}, .start_index_map = {axis}, .index_vector_dim = 1};
  for (std::int64_t d = 0; d < x.rank(); ++d)
    if (d != axis) dimensions.offset_dims.push_back(d);
  ir::Dims sizes = x.dims();
  sizes[static_cast<std::size_t>(axis)] = 1;
  const ir::Value at =
      constant(b, ir::Literal::of<std::int32_t>({taps.num_results()}, std::span<const std::int32_t>(places)));
  return gather(b, x, at, dimensions, std::move(sizes));
}

ir::Value sum_of_taps(ir::Builder& b, ir::Value x, std::int64_t axis, const Taps& taps) {
  if (!taps.has_shares()) return tap_elements(b, x, axis, taps, 0);
  ir::Value sum;
  for (std::int64_t k = 0; k < taps.count; ++k) {
    const ir::Value elements = tap_elements(b, x, axis, taps, k);
    std::vector<double> shares;
    for (std::int64_t i = 0; i < taps.num_results(); ++i)
      shares.push_back(taps.shares[static_cast<std::size_t>(i * taps.count + k)]);
    const ir::Value line = constant(b, literal_of(x.dtype(), {taps.num_results()}, shares));
    const ir::Value wide = broadcast_in_dim(b, line, elements.dims(), {axis});
    const ir::Value term = multiply(b, elements, wide);
    sum = sum ? add(b, sum, term) : term;
  }
  return sum;
}

/// The same as a product with a matrix.
ir::Value product_of_taps(ir::Builder& b, ir::Value x, std::int64_t axis, const Taps& taps) {
  const std::int64_t from = x.dims()[static_cast<std::size_t>(axis)], to = taps.num_results();
  std::vector<double> matrix(static_cast<std::size_t>(from * to), 0.0);
  for (std::size_t tap = 0; tap < taps.places.size(); ++tap) {
    const std::int64_t i = static_cast<std::int64_t>(tap) / taps.count;
    matrix[static_cast<std::size_t>(taps.places[tap] * to + i)] += taps.shares[tap];
  }
  const ir::Value product = dot_general(b, x, constant(b, literal_of(x.dtype(), {from, to}, matrix)),
                                        {.lhs_contracting = {axis}, .rhs_contracting = {0}});
  ir::Dims order = {0, 1, 2};
  order.insert(order.begin() + axis, 3);
  return transpose(b, product, order);
}

std::vector<ir::Value> decompose(ir::Builder& b, std::span<const ir::Value> operands,
                                 const ir::Attributes& attributes) {
  constexpr std::int64_t kFewTaps = 6;  // a product with a matrix takes less time than the sum of more taps
  const auto& size = attributes.get<ir::Dims>("size");
  const ResizeForm form = resize_form(attributes);
  ir::Value x = operands[0];
  for (const std::int64_t axis : {1, 2}) {
    const std::int64_t from = x.dims()[static_cast<std::size_t>(axis)],
                       to = size[static_cast<std::size_t>(axis - 1)];
    if (from == to) continue;
    const Taps taps = resize_taps(form, from, to, x.dtype());
    x = taps.count <= kFewTaps ? sum_of_taps(b, x, axis, taps) : product_of_taps(b, x, axis, taps);
  }
  return {x};
}

std::vector<ir::Value> gradient(const ir::GradientContext& context) {
  const ir::Value g = context.result_gradients[0];
  if (!g) return {g};
  ResizeForm form = resize_form(context.op.attributes());
  form.transposed = !form.transposed;
  const ir::Dims& dims = context.op.operand(0).dims();
  return {resize(context.builder, g, {dims[1], dims[2]}, form)};
}

const ir::OpDef kResize = {
    .name = "cornu.resize", .infer = infer, .gradient = gradient, .decompose = decompose};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kResize>(); }

}  // namespace resize_folder

ResizeForm resize_form(const ir::Attributes& attributes) {
  return {.interpolation = attributes.get<std::string>("interpolation"),
          .antialias = attributes.get<bool>("antialias"),
          .transposed = attributes.get<bool>("transposed")};
}

ir::Value resize(ir::Builder& builder, ir::Value images, ir::Dims size, const ResizeForm& form) {
  return builder
      .create(resize_folder::kResize, {images},
              {{"size", std::move(size)},
               {"interpolation", form.interpolation},
               {"antialias", form.antialias},
               {"transposed", form.transposed}})
      .result();
}

}  // namespace cornu::inline v0::ops
