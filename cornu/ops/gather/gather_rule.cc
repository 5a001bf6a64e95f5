#include "cornu/ops/gather/gather.h"
#include "cornu/ops/gather/index_vectors.h"
#include "cornu/transform/op_rules.h"

namespace cornu::inline v0::transform::gather_folder {
namespace {

BatchDependence rule(const RowRuleContext& c) {
  const BatchDependence &x = c.operands[0], &indices = c.operands[1];
  const ops::GatherDimensions dims = ops::gather_dimensions(c.op);
  ir::Dims batch_dims;  // of the result, that come from indices
  for (std::int64_t d = 0; d < c.op.result().rank(); ++d)
    if (!contains(dims.offset_dims, d)) batch_dims.push_back(d);
  const auto result_of_index = [&](std::int64_t d) {
    return batch_dims[at(ops::without_vector(d, dims.index_vector_dim))];
  };
  if (indices.is_rows() && indices.axis == dims.index_vector_dim) return mixed_by(c.op);
  if (x.is_none()) {
    BatchDependence result = indices.is_rows() ? moved(indices, result_of_index(indices.axis)) : indices;
    result.padding = x.padding;
    result.repeats = result.repeats && dims.operand_batching_dims.empty();
    return result;
  }
  if (contains(dims.operand_batching_dims, x.axis)) {
    const std::int64_t d = dims.start_indices_batching_dims[at(index_of(dims.operand_batching_dims, x.axis))];
    if (indices.is_rows() && !indices.same_place(moved(x, d))) return mixed_by(c.op);
    return moved(batched(x, indices), result_of_index(d));
  }
  const auto& sizes = c.op.attributes().get<ir::Dims>("slice_sizes");
  if (indices.is_rows() || contains(dims.collapsed_slice_dims, x.axis) ||
      sizes[at(x.axis)] != c.op.operand(0).dims()[at(x.axis)])
    return mixed_by(c.op);
  std::int64_t offset = 0;
  for (std::int64_t d = 0; d < x.axis; ++d)
    offset += contains(dims.collapsed_slice_dims, d) || contains(dims.operand_batching_dims, d) ? 0 : 1;
  return moved(x, dims.offset_dims[at(offset)]);
}

}  // namespace

std::span<const OpRule> op_rules() {
  static constexpr OpRule kRules[] = {
      {.op = "gather", .rows = RowRule{.of = rule}},
  };
  return kRules;
}

}  // namespace cornu::inline v0::transform::gather_folder
