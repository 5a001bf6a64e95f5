#pragma once

#include "cornu/ir/builder.h"
#include "cornu/ops/index_space.h"

/// What gather and scatter share: an index vector for each batch, and where its components point in the
/// operand.
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

  /// Where the window of a batch begins in the operand; may lie outside.
  ir::Dims window_start(const ir::Literal& indices, const ir::Dims& batch_index,
                        std::int64_t operand_rank) const;
};

/// `per_component[c]` for every index vector's component c, shaped like `indices` (a scalar when all are
/// equal), of the indices' dtype (saturated to its range).
ir::Value component_values(ir::Builder& builder, ir::Value indices, std::int64_t index_vector_dim,
                           const ir::Dims& per_component);

/// The indices, clamped so that component c lies in [low[c], high[c]].
ir::Value clamp_components(ir::Builder& builder, ir::Value indices, std::int64_t index_vector_dim,
                           const ir::Dims& low, const ir::Dims& high);

}  // namespace cornu::inline v0::ops
