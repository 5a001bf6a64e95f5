#pragma once

#include <functional>
#include <span>
#include <vector>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

/// Roles of the dimensions of a scatter's operands; the names are the specification's.
struct ScatterDimensions {
  ir::Dims update_window_dims;
  ir::Dims inserted_window_dims;
  ir::Dims input_batching_dims;
  ir::Dims scatter_indices_batching_dims;
  ir::Dims scatter_dims_to_operand_dims;
  std::int64_t index_vector_dim = 0;
};

/// Builds how an element and its update combine: gets 2N scalars (N current values, then N updates), returns
/// N.
using ScatterBody = std::function<std::vector<ir::Value>(ir::Builder&, std::span<const ir::Value>)>;

struct ScatterOptions {  // options/ops.toml
  /// True: the caller guarantees that indices are in ascending order.
  bool indices_are_sorted = false;
  /// True: the caller guarantees that indices do not repeat.
  bool unique_indices = false;
};

/// Combines windows of `updates` into `inputs` at the positions in `scatter_indices`; elements outside are
/// skipped.
///
/// Semantics: for each update index in row-major order: results[at] = body(results[at], updates[index]); see
///            the specification.
/// Shapes:    inputs: N tensors of one shape; updates: N of one shape; results: as inputs.
/// Types:     any; inputs[k] and updates[k] share a dtype; scatter_indices: any integer.
/// Errors:    InvalidArgument when a constraint (C1)..(C23) of the specification does not hold; the message
///            carries its label.
/// Gradient:  one input. A body that adds: inputs pass the gradient on, updates gather it (zero where they
///            were skipped). One that overwrites: the update that stays has it. maximum and minimum: all that
///            equal the result share it. Others: Unimplemented.
/// Source:    StableHLO specification, scatter.
std::vector<ir::Value> scatter(ir::Builder& builder, std::vector<ir::Value> inputs, ir::Value scatter_indices,
                               std::vector<ir::Value> updates, const ScatterDimensions& dimensions,
                               const ScatterBody& body, ScatterOptions options = {});

/// The usual scatter: one input, updates are added.
ir::Value scatter_add(ir::Builder& builder, ir::Value input, ir::Value scatter_indices, ir::Value updates,
                      const ScatterDimensions& dimensions, ScatterOptions options = {});

/// table with updates[i..., :] added to row ids[i...]; ids outside [0, n) are skipped. table [n, ...], ids
/// [i...], updates [i..., ...].
ir::Value scatter_add_rows(ir::Builder& builder, ir::Value table, ir::Value ids, ir::Value updates);

/// table with row ids[i...] replaced by updates[i..., :], by the last one of equal ids; ids outside [0, n) are
/// skipped. Shapes as for scatter_add_rows.
ir::Value scatter_rows(ir::Builder& builder, ir::Value table, ir::Value ids, ir::Value updates);

/// The dimensions of a scatter op.
ScatterDimensions scatter_dimensions(const ir::Op& scatter);

/// True when the op is what scatter_add_rows builds: whole rows of axis 0 by scalar ids, added.
bool is_scatter_add_rows(const ir::Op& scatter);

namespace scatter_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
