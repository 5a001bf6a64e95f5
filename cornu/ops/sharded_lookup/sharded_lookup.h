#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "cornu/ops/collectives.h"

namespace cornu::inline v0::ops {

/// A table [num_rows, dim] that the replicas of a program hold in equal parts, in the order of their numbers.
struct TableShards {
  std::int64_t num_rows = 0;    // of the whole table
  std::int64_t num_shards = 1;  // one for each replica
  /// 0: a part is consecutive rows; the last parts may have padding rows. 1: consecutive columns.
  std::int64_t axis = 0;
  /// 0: the rows of a part are consecutive. P > 0: the rows are dealt to P parts, which are num_shards or a
  /// multiple: row r is row r / P of part r % P, and a replica has P / num_shards consecutive parts.
  std::int64_t num_dealt = 0;
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

/// The rows of the ids that a replica names, each once: what processes exchange for sharded_lookup.
///
/// Semantics: result[i, :] = table[named[r * n + i], :] on replica r, where that id is not negative; the
///            other rows are unspecified. `table` joins the parts of all replicas.
/// Shapes:    part [rows, columns], named [num_shards * n]  ->  [n, dim], of sharded_lookup.
/// Types:     part: float, the result's; named: i32 or i64.
/// Errors:    InvalidArgument when part is no matrix of floats, named is no vector of i32 or i64 with as many
///            elements for each shard, or the part's shape does not fit the shards.
/// Gradient:  none.
/// Source:    composite cornu.sharded_rows.
ir::Value sharded_rows(ir::Builder& builder, ir::Value part, ir::Value named, const TableShards& shards);

/// Rows of a sharded table, and the numbers by which to read them.
struct ShardedView {
  ir::Value rows;     // [rows_of_view, dim]
  ir::Value numbers;  // [n]
};

/// The rows that a replica reads, where they are: on one machine processes read the rows of others in place,
/// without an exchange (docs/adr/0170).
///
/// Semantics: rows[numbers[i], :] = table[ids[i], :] for all i, where `table` joins the parts of all
///            replicas. All other rows are unspecified. ids, first and named belong together as those of
///            sharded_row_sums: named[r * n + first[i]] = ids[i] on replica r.
/// Shapes:    part [rows, dim], ids [n], first [n], named [num_shards * n]  ->  [rows_of_view, dim], [n]
/// Types:     part: float, the rows'; named: i32 or i64, the other numbers'.
/// Errors:    InvalidArgument when part is no matrix of floats, named is no vector of i32 or i64 with as many
///            elements for each shard, ids or first is no vector of named's type and the elements of one
///            shard, the part's shape does not fit the shards, or the shards are columns.
/// Gradient:  none.
/// Source:    composite cornu.sharded_view.
ShardedView sharded_view(ir::Builder& builder, ir::Value part, ir::Value ids, ir::Value first,
                         ir::Value named, const TableShards& shards);

/// The rows from the beginning of a part to that of the next one in a view: whole pages of memory, large ones
/// unless they would take more than the part again.
std::int64_t rows_between_parts(const ir::TensorType& part);

/// The sums of gradients that a replica's part of a table receives, by row.
struct ShardedRowSums {
  ir::Value rows;     // [num_shards * n, columns]
  ir::Value ids;      // [num_shards * n], relative to the part's first row
  ir::Value sources;  // [num_shards * n]: the sum for ids[k] is rows[sources[k], :]
};

/// The sums of gradients by row of a replica's part: what processes exchange for sharded_lookup_gradient.
///
/// Semantics: a replica's sum for a position i is that of gradients[j / (n / m), :] over all j with first[j]
///            = i, in their order; a first[j] outside [0, n) belongs to no position. Each row of the part
///            that replicas name has one element k: ids[k] is the row's number in the part, and
///            rows[sources[k], :] the sum of the sums for i of all replicas r with named[r * n + i] = the
///            row's id, in their order. The order of these elements and that of the rows is unspecified, and
///            elements may share a row. At all other elements ids[k] = part_rows, and sources[k] is the
///            number of some row.
/// Shapes:    gradients [m, dim], first [n], named [num_shards * n]  ->  rows [num_shards * n, columns], ids
///            and sources [num_shards * n]; n is a multiple of m.
/// Types:     gradients: float, the rows'; named: i32 or i64, first's and that of ids and sources.
/// Errors:    InvalidArgument when gradients are no matrix of floats, named is no vector of i32 or i64 with
///            as many elements for each shard, first is no vector of named's type and the elements of one
///            shard, n is no multiple of m, part_rows is not positive, or dim cannot be divided by the shards
///            of columns.
/// Gradient:  none.
/// Source:    composite cornu.sharded_row_sums.
ShardedRowSums sharded_row_sums(ir::Builder& builder, ir::Value gradients, ir::Value first, ir::Value named,
                                const TableShards& shards, std::int64_t part_rows);

/// True if a value is the ids of sharded_row_sums: each occurs once, or is the number of rows.
bool are_ids_of_row_sums(ir::Value ids);

/// True if a value is the rows of sharded_row_sums: its readers choose some by the sources.
bool are_rows_of_row_sums(ir::Value rows);

/// Makes a value of the program around a composite available where the composite is replaced.
using OuterValues = std::function<ir::Value(ir::Value)>;

/// The values of sharded_lookup and sharded_lookup_gradient where each replica is a process: distinct rows
/// travel, and either the sums of their gradients or, where fewer, the gradients.
std::vector<ir::Value> sharded_lookup_of_processes(ir::Builder& builder, const ir::Op& op,
                                                   std::span<const ir::Value> operands,
                                                   const OuterValues& outer);
std::vector<ir::Value> sharded_lookup_gradient_of_processes(ir::Builder& builder, const ir::Op& op,
                                                            std::span<const ir::Value> operands,
                                                            const OuterValues& outer);

namespace sharded_lookup_folder {
/// The attributes of each of the folder's ops.
TableShards shards_of(const ir::Attributes& attributes);

std::span<const ir::OpDef* const> op_defs();
}  // namespace sharded_lookup_folder

}  // namespace cornu::inline v0::ops
