#include "cornu/ops/scatter/scatter_gradient.h"

#include "cornu/base/check.h"
#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"
#include "cornu/ops/compare/compare.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/convert/convert.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/gather/gather.h"
#include "cornu/ops/gather/index_vectors.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/iota/iota.h"
#include "cornu/ops/pad/pad.h"
#include "cornu/ops/reduce/scalar_body.h"
#include "cornu/ops/reshape/reshape.h"
#include "cornu/ops/scatter/scatter.h"
#include "cornu/ops/select/select.h"

namespace cornu::inline v0::ops {
namespace scatter_folder {
namespace {

/// The element of `dy` at the target of each update, zero where the update was skipped: a gather inside a
/// rim of zeros.
ir::Value at_updates(ir::Builder& builder, const ir::Op& op, ir::Value dy) {
  const ScatterDimensions s = scatter_dimensions(op);
  const ir::Value update = op.operand(2);
  const ir::Dims& dims = op.operand(0).dims();
  ir::Dims sizes(dims.size(), 1);
  const ir::Dims window_dims = remaining_dimensions(
      static_cast<std::int64_t>(dims.size()), concatenated(s.inserted_window_dims, s.input_batching_dims));
  for (std::size_t i = 0; i < window_dims.size(); ++i)
    sizes[static_cast<std::size_t>(window_dims[i])] =
        update.dims()[static_cast<std::size_t>(s.update_window_dims[i])];
  ir::Dims rim(dims.size(), 0), low, high, shift;
  for (std::int64_t dimension : s.scatter_dims_to_operand_dims) {
    const auto d = static_cast<std::size_t>(dimension);
    rim[d] = sizes[d];
    low.push_back(-sizes[d]);
    high.push_back(dims[d]);
    shift.push_back(sizes[d]);
  }
  const ir::Value padded =
      pad(builder, dy, scalar(builder, dy.dtype(), 0), rim, rim, ir::Dims(dims.size(), 0));
  const ir::Value wide = convert(builder, op.operand(1), ir::DType::kI64);
  const ir::Value clamped = clamp_components(builder, wide, s.index_vector_dim, low, high);
  ir::Value offset = component_values(builder, clamped, s.index_vector_dim, shift);
  offset = offset.rank() == 0 ? broadcast_scalar(builder, offset, clamped.dims()) : offset;
  return gather(builder, padded, add(builder, clamped, offset),
                {.offset_dims = s.update_window_dims,
                 .collapsed_slice_dims = s.inserted_window_dims,
                 .operand_batching_dims = s.input_batching_dims,
                 .start_indices_batching_dims = s.scatter_indices_batching_dims,
                 .start_index_map = s.scatter_dims_to_operand_dims,
                 .index_vector_dim = s.index_vector_dim},
                sizes);
}

ScatterOptions scatter_options(const ir::Op& op) {
  return {.indices_are_sorted = op.attributes().get<bool>("indices_are_sorted"),
          .unique_indices = op.attributes().get<bool>("unique_indices")};
}

/// `updates` in the place of what is in `input`, at the op's positions.
ir::Value overwritten(ir::Builder& builder, const ir::Op& op, ir::Value input, ir::Value updates) {
  const auto second = [](ir::Builder&, std::span<const ir::Value> values) {
    return std::vector<ir::Value>{values[1]};
  };
  return scatter(builder, {input}, op.operand(1), {updates}, scatter_dimensions(op), second,
                 scatter_options(op))[0];
}

/// The gradient of scatters that overwrite: overwritten inputs get none; of several updates of one element,
/// the last gets it.
std::vector<ir::Value> overwrite_gradient(ir::Builder& builder, const ir::Op& op, ir::Value dy) {
  const ir::Value update = op.operand(2);
  ir::Value update_gradient = at_updates(builder, op, dy);
  if (!scatter_options(op).unique_indices) {
    const ir::Value line = iota(builder, {ir::DType::kI64, {update.type().num_elements()}}, 0);
    const ir::Value numbers = reshape(builder, line, update.dims());
    const ir::Value last =
        overwritten(builder, op, full(builder, {ir::DType::kI64, op.operand(0).dims()}, 0), numbers);
    const ir::Value stays =
        compare(builder, at_updates(builder, op, last), numbers, ComparisonDirection::kEq);
    update_gradient = select(builder, stays, update_gradient, full(builder, update.type(), 0));
  }
  const ir::Value input_gradient = overwritten(builder, op, dy, full(builder, update.type(), 0));
  return {input_gradient, ir::Value(), update_gradient};
}

/// All that equal the extremum in their place share its gradient.
std::vector<ir::Value> extremum_gradient(ir::Builder& builder, const ir::Op& op, ir::Value dy) {
  const ir::Value input = op.operand(0), update = op.operand(2);
  const auto ones_where_equal = [&](ir::Value x, ir::Value y) {
    return convert(builder, compare(builder, x, y, ComparisonDirection::kEq), x.dtype());
  };
  const ir::Value input_wins = ones_where_equal(input, op.result());
  const ir::Value update_wins = ones_where_equal(update, at_updates(builder, op, op.result()));
  const ir::Value winners = scatter_add(builder, input_wins, op.operand(1), update_wins,
                                        scatter_dimensions(op), scatter_options(op));
  const ir::Value share = divide(builder, dy, maximum(builder, winners, full(builder, dy.type(), 1)));
  return {multiply(builder, share, input_wins), ir::Value(),
          multiply(builder, at_updates(builder, op, share), update_wins)};
}

bool returns_update(const ir::Block& body) {
  return body.ops().empty() && body.results().size() == 1 && body.results()[0] == body.arguments()[1];
}

}  // namespace
}  // namespace scatter_folder

std::vector<ir::Value> scatter_gradient(const ir::GradientContext& context) {
  const ir::Op& op = context.op;
  const ir::Value dy = context.result_gradients[0];
  const std::string_view kind = simple_body_kind(op.region(0));
  if (op.results().size() == 1) {
    if (kind == "add") return {dy, ir::Value(), scatter_folder::at_updates(context.builder, op, dy)};
    if (kind == "maximum" || kind == "minimum")
      return scatter_folder::extremum_gradient(context.builder, op, dy);
    if (scatter_folder::returns_update(op.region(0)))
      return scatter_folder::overwrite_gradient(context.builder, op, dy);
  }
  fail(ErrorCode::kUnimplemented,
       "only a scatter of one input that adds, overwrites, or takes the maximum or minimum has a gradient");
}

}  // namespace cornu::inline v0::ops
