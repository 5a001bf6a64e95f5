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

/// The gradient of sharded_lookup's part: the sums over the ids of each replica, then over the replicas in
/// their order.
///
/// Semantics: result = embedding_lookup_gradient(sharded_gradient_rows(gradients, ids)).
/// Shapes:    gradients [i..., dim], ids [i...]  ->  [part_rows, columns], the part's shape.
/// Types:     gradients: float, the result's; ids: any integer.
/// Errors:    InvalidArgument when gradients is no float, ids are no integers, their extents are not
///            gradients' first ones, or dim cannot be divided by the shards of columns.
/// Gradient:  gradients: sharded_lookup of the incoming gradient; none for ids.
/// Source:    composite cornu.sharded_lookup_gradient.
ir::Value sharded_lookup_gradient(ir::Builder& builder, ir::Value gradients, ir::Value ids,
                                  const TableShards& shards, std::int64_t part_rows);

/// The gradients that a replica's part of a table receives, by row.
struct ShardedGradientRows {
  ir::Value rows;  // [num_shards * n, columns]
  ir::Value ids;   // [num_shards * n], relative to the part's first row
};

/// The exchange of sharded_lookup_gradient.
///
/// Semantics: element r * n + i belongs to id i of replica r. If it is the first occurrence of its id among
///            that replica's ids, and in this part, its row is the sum of the replica's gradients of that id,
///            in their order; else zero. So each replica sends the sum of a repeated id once.
/// Shapes:    gradients [n, dim], ids [n]  ->  [num_shards * n, columns], [num_shards * n]
/// Types:     gradients: float, the rows'; ids: any integer; the results' ids: i32, or i64 if num_rows
///            requires it.
/// Errors:    InvalidArgument when gradients are no matrix of floats, ids are no vector of as many integers,
///            part_rows is not positive, or dim cannot be divided by the shards of columns.
/// Gradient:  none.
/// Source:    composite cornu.sharded_gradient_rows.
ShardedGradientRows sharded_gradient_rows(ir::Builder& builder, ir::Value gradients, ir::Value ids,
                                          const TableShards& shards, std::int64_t part_rows);

namespace sharded_lookup_folder {
/// The attributes of each of the folder's ops.
TableShards shards_of(const ir::Attributes& attributes);

std::span<const ir::OpDef* const> op_defs();
}  // namespace sharded_lookup_folder

}  // namespace cornu::inline v0::ops
