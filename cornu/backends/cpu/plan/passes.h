#pragma once

#include <vector>

#include "cornu/backends/cpu/plan/plan.h"

/// The passes of make_plan, in order. Each works on the Plan of the previous one.
namespace cornu::inline v0::backends::cpu {

/// Checks that the step uses tables in files (cornu.initialize_rows) by ids alone: any other use would read or
/// write all of their rows.
/// Errors: Unimplemented, with the table's name and the op.
void check_table_files(const ir::Function& step);

/// Replaces a large table of zeros with few rows added, read by elementwise ops alone (the gradient of an
/// embedding), by a gather from a small table, so that no memory of the large size is written or read. Keeps
/// the bits.
void compact_sparse_tables(Plan& plan);

/// Gradient bucketing: splits sums over processes of many large tensors into several, each of tensors that
/// are made consecutively, so that the first can be sent while later ones are computed. Keeps the bits.
void bucket_gradients(Plan& plan);

/// Prepares regions for planning: carried values that a loop does not change become captured values, and
/// captured views and leaves are recomputed at their uses, so that all captured values are in memory.
void prepare_regions(Plan& plan);

/// Copy insertion: gives each result of a block that is also another value (an argument other than its own
/// state, a constant, a captured value, or another result) an op of its own, so that every result has one
/// group that writes it.
void insert_copies(Plan& plan);

/// Decides which ops of a block share a loop and which values exist in memory; makes groups (independent ones
/// stay in program order) and buffers without layout or location. Results get buffers of their own here.
/// Ignores regions.
std::vector<Group> fuse(Plan& plan, const ir::Block& block, const PlanOptions& options);

/// A value that must be in a given buffer at the end of a block: the next value of a state or of a carried
/// value, or a branch's result.
struct OrderTarget {
  ir::Value current;  // the buffer's value before; empty for a branch's result
  ir::Value result;
  int buffer = 0;
};

/// Lets results overwrite their final buffers if every reader comes first (otherwise adds a copy at the end),
/// lets ops update a tensor in place if its old value is dead, and orders the groups.
void order(Plan& plan, const ir::Block& block, std::vector<Group>& groups,
           const std::vector<OrderTarget>& targets);

/// Splits groups with asynchronous operations (AsyncCollectiveColumn) into start and done, in every block. Done is
/// placed before the first group that uses a result.
void split_async_collectives(Plan& plan);

/// Adds the end of each view of another process's memory (KernelColumn::make_view_end), in every block: before
/// the first group after it that writes the operand that the view shows, else at the end.
void end_views(Plan& plan);

/// Chooses each arena buffer's strides.
void assign_layouts(Plan& plan, const PlanOptions& options);

/// Predicts each group's time and chooses parallel slices.
void estimate(Plan& plan, const PlanOptions& options);

/// Joins groups into chains: consecutive groups whose slice i needs only slice i of those before. A thread runs
/// all groups of a slice one after the other, so that their common tensors stay in its caches, and threads wait
/// for each other once a chain. Chained groups have the same number of slices, of equal numbers of rows.
void chain_groups(Plan& plan, const PlanOptions& options);

/// Adds scratch memory for a group to the arena.
void add_scratch(Plan& plan, Group& group, std::size_t size_bytes);

/// Assigns offsets to arena buffers; buffers with disjoint live ranges share bytes.
void place(Plan& plan);

}  // namespace cornu::inline v0::backends::cpu
