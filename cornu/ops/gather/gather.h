#pragma once

#include <span>

#include "cornu/ir/builder.h"
#include "cornu/ir/op_def.h"

namespace cornu::inline v0::ops {

/// Roles of the dimensions of a gather's operands and result; the names are the specification's.
struct GatherDimensions {
  ir::Dims offset_dims;
  ir::Dims collapsed_slice_dims;
  ir::Dims operand_batching_dims;
  ir::Dims start_indices_batching_dims;
  ir::Dims start_index_map;
  std::int64_t index_vector_dim = 0;
};

/// Collects slices of `operand` from the positions in `start_indices`, which are clamped so that slices stay
/// inside.
///
/// Semantics: result[batch, offset] = operand[clamp(start_indices[batch, :], ...) + offset]; see the
///            specification.
/// Shapes:    result: start_indices' extents without index_vector_dim, with the kept slice_sizes put at
///            offset_dims.
/// Types:     operand: any, the result's; start_indices: any integer.
/// Errors:    InvalidArgument when a constraint (C1)..(C21) of the specification does not hold; the message
///            carries its label. (C9), (C12) also refuse a slice size of 0 where the result has elements.
/// Gradient:  operand: a scatter that adds; none for start_indices. A slice that was clamped gets its
///            gradient where it was read.
/// Source:    StableHLO specification, gather.
ir::Value gather(ir::Builder& builder, ir::Value operand, ir::Value start_indices,
                 const GatherDimensions& dimensions, ir::Dims slice_sizes, bool indices_are_sorted = false);

/// Rows of axis 0, as an embedding: table [n, ...], ids [i...] -> [i..., ...]. Ids outside [0, n) are
/// clamped.
ir::Value gather_rows(ir::Builder& builder, ir::Value table, ir::Value ids);

/// The dimensions of a gather op.
GatherDimensions gather_dimensions(const ir::Op& gather);
GatherDimensions gather_dimensions(const ir::Attributes& attributes);
/// The attributes except slice_sizes, from a program; dynamic_gather has the same.
ir::Attributes read_gather_dimensions(ir::OpAttributes& text);

/// True when the op is what gather_rows builds: whole rows of axis 0 by scalar ids, in order.
bool is_gather_rows(const ir::Op& gather);

namespace gather_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
