#include "cornu/transform/simplify_scatter.h"

#include <algorithm>

#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/dynamic_update_slice/dynamic_update_slice.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/gather/gather.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/reduce/scalar_body.h"
#include "cornu/ops/reshape/reshape.h"
#include "cornu/ops/scatter/scatter.h"
#include "cornu/ops/select/select.h"
#include "cornu/ops/slice/slice.h"

namespace cornu::inline v0::transform {
namespace {

// patterns: a scatter at constants

/// The dimension along which the scatter puts whole slices, one for each scalar index; -1 for another
/// scatter.
std::int64_t slice_dimension(const Candidate& c) {
  if (c.operands.size() != 3 || c.operands[1].rank() != 1 || !splat_value(c.operands[0]) ||
      ops::simple_body_kind(c.op.region(0)) != "add")
    return -1;
  const ops::ScatterDimensions s = ops::scatter_dimensions(c.op);
  if (s.inserted_window_dims.size() != 1 || s.scatter_dims_to_operand_dims != s.inserted_window_dims ||
      s.index_vector_dim != 1)
    return -1;
  const ir::Dims others = ops::remaining_dimensions(c.operands[0].rank(), s.inserted_window_dims);
  const bool are_whole =
      ops::extents(c.operands[2].dims(), s.update_window_dims) == ops::extents(c.operands[0].dims(), others);
  return are_whole ? s.inserted_window_dims[0] : -1;
}

/// For each position of a dimension, the number of the index that equals it, or -1. Empty if two indices are
/// equal.
std::vector<std::int64_t> index_at_each_position(const ir::Literal& indices, std::int64_t extent) {
  std::vector<std::int64_t> at(static_cast<std::size_t>(extent), -1);
  for (std::int64_t i = 0; i < indices.type().num_elements(); ++i) {
    const double position = indices.at(i);
    if (position < 0 || position >= static_cast<double>(extent)) continue;  // a scatter skips it
    std::int64_t& index = at[static_cast<std::size_t>(position)];
    if (index >= 0) return {};
    index = i;
  }
  return at;
}

/// The elements of a constant, or the one that they all equal.
std::optional<ir::Literal> splat_or_constant(ir::Value value) {
  if (ops::is_constant(value)) return value.op()->attributes().get<ir::Literal>("value");
  return splat_value(value);
}

}  // namespace

ir::Value scatter_at_distinct_constants(const Candidate& c) {
  const std::int64_t dimension = slice_dimension(c);
  if (dimension < 0 || !ops::is_constant(c.operands[1])) return {};
  const ir::Value zeros = c.operands[0], updates = c.operands[2];
  const std::int64_t extent = zeros.dims()[static_cast<std::size_t>(dimension)];
  if (4 * updates.type().num_elements() < zeros.type().num_elements() || updates.type().num_elements() == 0)
    return {};
  const auto& indices = c.operands[1].op()->attributes().get<ir::Literal>("value");
  const std::vector<std::int64_t> at = index_at_each_position(indices, extent);
  if (at.empty()) return {};

  ir::Literal sources(ir::TensorType{ir::DType::kI32, {extent}}),
      is_there(ir::TensorType{ir::DType::kI1, {extent}});
  for (std::size_t i = 0; i < at.size(); ++i) {
    sources.mutable_data<std::int32_t>()[i] = static_cast<std::int32_t>(std::max<std::int64_t>(at[i], 0));
    is_there.mutable_data<bool>()[i] = at[i] >= 0;
  }
  const ir::Dims windows = ops::scatter_dimensions(c.op).update_window_dims;
  const ir::Dims along = ops::remaining_dimensions(updates.rank(), windows);
  ir::Dims sizes = updates.dims();
  sizes[static_cast<std::size_t>(along[0])] = 1;
  const ir::Value gathered = ops::gather(c.builder, updates, ops::constant(c.builder, sources),
                                         {.offset_dims = ops::remaining_dimensions(zeros.rank(), {dimension}),
                                          .collapsed_slice_dims = along,
                                          .start_index_map = along,
                                          .index_vector_dim = 1},
                                         sizes);
  const ir::Value mask =
      ops::broadcast_in_dim(c.builder, make_constant(c.builder, is_there), zeros.dims(), {dimension});
  return ops::select(c.builder, mask, ops::add(c.builder, zeros, gathered), zeros);
}

ir::Value scatter_of_one_window(const Candidate& c) {
  if (c.operands.size() != 3 || !splat_or_constant(c.operands[1])) return {};
  const ir::Value x = c.operands[0], update = c.operands[2];
  const ir::Block& body = c.op.region(0);
  const bool overwrites = body.ops().empty() && body.results()[0] == body.arguments()[1];
  const bool combines =
      !ops::simple_body_kind(body).empty() && body.ops()[0]->operand(0) == body.arguments()[0];
  const ops::ScatterDimensions s = ops::scatter_dimensions(c.op);
  if ((!overwrites && !combines) || !s.input_batching_dims.empty() || update.type().num_elements() == 0)
    return {};
  const ir::Dims batch = ops::remaining_dimensions(update.rank(), s.update_window_dims);
  const ir::Dims batch_extents = ops::extents(update.dims(), batch);
  if (std::any_of(batch_extents.begin(), batch_extents.end(), [](std::int64_t n) { return n != 1; }))
    return {};
  const ir::Dims kept = ops::remaining_dimensions(x.rank(), s.inserted_window_dims);
  ir::Dims box(x.dims().size(), 1), first(x.dims().size(), 0);
  for (std::size_t i = 0; i < kept.size(); ++i)
    box[static_cast<std::size_t>(kept[i])] = update.dims()[static_cast<std::size_t>(s.update_window_dims[i])];
  const ir::Literal indices = *splat_or_constant(c.operands[1]);
  for (std::size_t i = 0; i < s.scatter_dims_to_operand_dims.size(); ++i) {
    const auto d = static_cast<std::size_t>(s.scatter_dims_to_operand_dims[i]);
    const std::int64_t at = static_cast<std::int64_t>(i);
    first[d] = ops::integer_at(indices, indices.type().num_elements() == 1 ? 0 : at);
    if (first[d] < 0 || first[d] > x.dims()[d] - box[d]) return {};  // a scatter skips what is outside
  }
  ir::Dims limit = first;
  for (std::size_t d = 0; d < box.size(); ++d) limit[d] += box[d];
  ir::Value window = ops::reshape(c.builder, update, box);
  if (combines) {
    const ir::Value old = ops::slice(c.builder, x, first, limit, ir::Dims(box.size(), 1));
    window = c.builder.create(body.ops()[0]->def(), {old, window}, body.ops()[0]->attributes()).result();
  }
  std::vector<ir::Value> starts;
  for (const std::int64_t start : first)
    starts.push_back(ops::scalar(c.builder, ir::DType::kI64, static_cast<double>(start)));
  return ops::dynamic_update_slice(c.builder, x, window, starts);
}

}  // namespace cornu::inline v0::transform
