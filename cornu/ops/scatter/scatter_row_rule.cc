#include <array>

#include "cornu/ops/scatter/scatter.h"
#include "cornu/transform/row_rules.h"

namespace cornu::inline v0::transform::scatter_folder {
namespace {

/// Where index dimension `d` goes in an order that leaves the index vectors' dimension out.
std::int64_t without_vector(std::int64_t d, std::int64_t index_vector_dim) {
  return d < index_vector_dim ? d : d - 1;
}

RowDependence rule(const RowRuleContext& c) {
  if (c.op.results().size() != 1) return are_none(c.operands) ? RowDependence() : mixed_by(c.op);
  const RowDependence &input = c.operands[0], &indices = c.operands[1], &updates = c.operands[2];
  const ops::ScatterDimensions dims = ops::scatter_dimensions(c.op);
  ir::Dims scatter_dims;  // of updates, that go through indices
  for (std::int64_t d = 0; d < c.op.operand(2).rank(); ++d)
    if (!contains(dims.update_window_dims, d)) scatter_dims.push_back(d);
  if (are_none(c.operands)) return {};
  if (indices.is_rows() && indices.axis == dims.index_vector_dim) return mixed_by(c.op);
  // Rows through the batching dimensions of all three.
  for (std::size_t i = 0; i < dims.input_batching_dims.size(); ++i) {
    const std::int64_t of_indices = dims.scatter_indices_batching_dims[i];
    const std::int64_t of_updates = scatter_dims[at(without_vector(of_indices, dims.index_vector_dim))];
    const std::array<RowDependence, 3> at_input = {
        input,
        indices.is_rows() && indices.axis == of_indices ? moved(indices, dims.input_batching_dims[i])
                                                        : indices,
        updates.is_rows() && updates.axis == of_updates ? moved(updates, dims.input_batching_dims[i])
                                                        : updates};
    const RowDependence place = joined(c, at_input);
    if (!place.is_rows() || place.axis != dims.input_batching_dims[i]) continue;
    const bool all_there = (!indices.is_rows() || indices.axis == of_indices) &&
                           (!updates.is_rows() || updates.axis == of_updates);
    if (!all_there) return mixed_by(c.op);
    RowDependence result = place;
    if (input.has_zero_padding() && updates.has_zero_padding()) result.padding = input.padding;
    return result;
  }
  // Rows that are added up where they are 0.
  const ir::Op* body = only_op(c.op.region(0));
  const bool adds_zeros = body != nullptr && is_sum(*body) && updates.has_zero_padding();
  const bool goes_through = !updates.is_rows() || contains(scatter_dims, updates.axis);
  if (input.is_none() && goes_through && adds_zeros) {
    const auto lie_alike = [&] {
      return scatter_dims[at(without_vector(indices.axis, dims.index_vector_dim))] == updates.axis &&
             indices.outer == updates.outer && indices.inner == updates.inner;
    };
    if (!indices.is_rows() || !updates.is_rows() || lie_alike()) return {};
  }
  return mixed_by(c.op);
}

}  // namespace

std::span<const RowRule> row_rules() {
  static constexpr RowRule kRules[] = {
      {.op = "scatter", .of = rule},
  };
  return kRules;
}

}  // namespace cornu::inline v0::transform::scatter_folder
