#include <array>
#include <optional>

#include "cornu/ops/gather/index_vectors.h"
#include "cornu/ops/scatter/scatter.h"
#include "cornu/transform/op_rules.h"

namespace cornu::inline v0::transform::scatter_folder {
namespace {

/// The dimensions of the updates that go through indices.
ir::Dims dims_through_indices(const RowRuleContext& c, const ops::ScatterDimensions& dims) {
  ir::Dims through;
  for (std::int64_t d = 0; d < c.op.operand(2).rank(); ++d)
    if (!contains(dims.update_window_dims, d)) through.push_back(d);
  return through;
}

/// The rows in batching dimension i of all three operands; nothing if they are in another dimension.
std::optional<BatchDependence> rows_of_batching(const RowRuleContext& c, const ops::ScatterDimensions& dims,
                                                std::size_t i) {
  const BatchDependence &input = c.operands[0], &indices = c.operands[1], &updates = c.operands[2];
  const std::int64_t of_input = dims.input_batching_dims[i],
                     of_indices = dims.scatter_indices_batching_dims[i];
  const std::int64_t of_updates =
      dims_through_indices(c, dims)[at(ops::without_vector(of_indices, dims.index_vector_dim))];
  const bool indices_are_there = indices.is_rows() && indices.axis == of_indices;
  const bool updates_are_there = updates.is_rows() && updates.axis == of_updates;
  const std::array<BatchDependence, 3> at_input = {input,
                                                   indices_are_there ? moved(indices, of_input) : indices,
                                                   updates_are_there ? moved(updates, of_input) : updates};
  const BatchDependence place = joined(c, at_input);
  if (!place.is_rows() || place.axis != of_input) return std::nullopt;
  if (indices.is_rows() != indices_are_there || updates.is_rows() != updates_are_there) return mixed_by(c.op);
  BatchDependence result = place;
  if (input.has_zero_padding() && updates.has_zero_padding()) result.padding = input.padding;
  return result;
}

/// True if padded rows of the updates are zeros that are added: the result does not depend on them.
bool adds_zero_rows(const RowRuleContext& c, const ops::ScatterDimensions& dims) {
  const BatchDependence &input = c.operands[0], &indices = c.operands[1], &updates = c.operands[2];
  const ir::Op* body = only_op(c.op.region(0));
  if (!input.is_none() || body == nullptr || !is_sum(*body) || !updates.has_zero_padding()) return false;
  if (!updates.is_rows()) return true;
  const ir::Dims through = dims_through_indices(c, dims);
  if (!contains(through, updates.axis)) return false;
  return !indices.is_rows() ||
         (through[at(ops::without_vector(indices.axis, dims.index_vector_dim))] == updates.axis &&
          indices.outer == updates.outer && indices.inner == updates.inner);
}

BatchDependence rule(const RowRuleContext& c) {
  if (are_none(c.operands)) return {};
  if (c.op.results().size() != 1) return mixed_by(c.op);
  const ops::ScatterDimensions dims = ops::scatter_dimensions(c.op);
  const BatchDependence& indices = c.operands[1];
  if (indices.is_rows() && indices.axis == dims.index_vector_dim) return mixed_by(c.op);
  for (std::size_t i = 0; i < dims.input_batching_dims.size(); ++i)
    if (const std::optional<BatchDependence> rows = rows_of_batching(c, dims, i)) return *rows;
  return adds_zero_rows(c, dims) ? BatchDependence() : mixed_by(c.op);
}

}  // namespace

std::span<const OpRule> op_rules() {
  static constexpr OpRule kRules[] = {
      {.op = "scatter", .rows = RowRule{.of = rule}},
  };
  return kRules;
}

}  // namespace cornu::inline v0::transform::scatter_folder
