#pragma once

#include <cstdint>
#include <span>

#include "cornu/ops/collectives.h"

namespace cornu::inline v0::ops {

/// A table [num_rows, dim] that the replicas of a program hold in equal parts, in the order of their numbers.
struct TableShards {
  std::int64_t num_rows = 0;    // of the whole table
  std::int64_t num_shards = 1;  // one for each replica
  /// 0: a part is consecutive rows; the last parts may have padding rows. 1: consecutive columns.
  std::int64_t axis = 0;
};

/// The rows of a sharded table by the ids of each replica.
///
/// Semantics: result[i..., :] = table[clamp(0, ids[i...], num_rows - 1), :], where `table` joins the parts of
///            all replicas. Each replica gets the ids of all, reads the rows (columns) of its part, and sends
///            each replica its rows.
/// Shapes:    part [rows, columns], ids [i...]  ->  [i..., dim]; axis 0: rows * num_shards >= num_rows and
///            dim = columns; axis 1: rows = num_rows and dim = columns * num_shards.
/// Types:     part: float, the result's; ids: any integer.
/// Errors:    InvalidArgument when part is no matrix of floats, ids are no integers, or the part's shape does
///            not fit the shards.
/// Gradient:  part: sharded_lookup_gradient; none for ids.
/// Source:    TorchRec, row-wise and column-wise sharding; composite cornu.sharded_lookup.
ir::Value sharded_lookup(ir::Builder& builder, ir::Value part, ir::Value ids, const TableShards& shards);

/// The gradient of sharded_lookup's part: the sums over the ids of all replicas, in the replicas' order.
///
/// Semantics: result = the replica's part of embedding_lookup_gradient(gradients and ids of all replicas).
/// Shapes:    gradients [i..., dim], ids [i...]  ->  [part_rows, columns], the part's shape.
/// Types:     gradients: float, the result's; ids: any integer.
/// Errors:    InvalidArgument when gradients is no float, ids are no integers, their extents are not
///            gradients' first ones, or dim cannot be divided by the shards of columns.
/// Gradient:  gradients: sharded_lookup of the incoming gradient; none for ids.
/// Source:    composite cornu.sharded_lookup_gradient.
ir::Value sharded_lookup_gradient(ir::Builder& builder, ir::Value gradients, ir::Value ids,
                                  const TableShards& shards, std::int64_t part_rows);

namespace sharded_lookup_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
