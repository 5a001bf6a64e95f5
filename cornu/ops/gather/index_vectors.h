#pragma once

#include "cornu/ir/builder.h"
#include "cornu/ops/index_space.h"

/// Functions that gather and scatter share: an index vector for each batch, and the elements of the operand
/// that its components refer to.
namespace cornu::inline v0::ops {

struct IndexVectors {
  ir::Dims index_map;              // start_index_map, scatter_dims_to_operand_dims
  ir::Dims operand_batching_dims;  // input_batching_dims
  ir::Dims indices_batching_dims;  // start_indices_batching_dims, scatter_indices_batching_dims
  std::int64_t index_vector_dim = 0;

  /// The shape of `indices` without the index vectors' dimension.
  ir::Dims batch_dims(const ir::Dims& indices) const;

  /// Number of components of an index vector.
  std::int64_t num_components(const ir::Dims& indices) const;

  /// The first index of a batch's window in the operand; may be outside.
  ir::Dims window_start(const ir::Literal& indices, const ir::Dims& batch_index,
                        std::int64_t operand_rank) const;
};

/// The position of index dimension `d` in an order without the dimension of the index vectors.
inline std::int64_t without_vector(std::int64_t d, std::int64_t index_vector_dim) {
  return d < index_vector_dim ? d : d - 1;
}

/// `per_component[c]` for every index vector's component c, shaped like `indices` (a scalar when all are
/// equal), of the indices' dtype (saturated to its range).
ir::Value component_values(ir::Builder& builder, ir::Value indices, std::int64_t index_vector_dim,
                           const ir::Dims& per_component);

/// The indices, clamped so that component c is in [low[c], high[c]].
ir::Value clamp_components(ir::Builder& builder, ir::Value indices, std::int64_t index_vector_dim,
                           const ir::Dims& low, const ir::Dims& high);

}  // namespace cornu::inline v0::ops
