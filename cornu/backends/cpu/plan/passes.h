#pragma once

#include <functional>
#include <span>
#include <vector>

#include "cornu/backends/cpu/plan/plan.h"

/// The passes of make_plan, in order. Each works on the Plan of the previous one.
namespace cornu::inline v0::backends::cpu {

/// A tensor counts as small if a loop has at least this multiple of its elements: reading it, such as the
/// statistics of channels, then takes no extra time.
inline constexpr std::int64_t kSmallShare = 16;

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

/// Operands that a group updates in place if their buffers may be reused, with the results that are then
/// stored there.
std::vector<std::pair<ir::Value, ir::Value>> updated_operands(const Group& group);

/// Chooses each arena buffer's strides.
void assign_layouts(Plan& plan, const PlanOptions& options);

/// Predicts each group's time and chooses parallel slices.
void estimate(Plan& plan, const PlanOptions& options);

/// Adds scratch memory for a group to the arena.
void add_scratch(Plan& plan, Group& group, std::size_t size_bytes);

/// Assigns offsets to arena buffers; buffers with disjoint live ranges share bytes.
void place(Plan& plan);

/// A value in memory that a group's code reads, with the loop indices of the read.
struct Read {
  ir::Value value;
  IndexMap map;
  bool linear = false;  // map has one entry, the row-major position in the value (a reshape that is not
                        // affine by dimensions)
};

/// The row-major position in a tensor of these extents, at `map`.
Index linear_index(const ir::Dims& dims, const IndexMap& map, std::size_t num_loops);

/// Calls `visit` for each value in memory (and each dynamic start) that evaluating `value` at `map` reads,
/// and `visit_op` for each op that is computed; each (value, map) once. Fusion, ordering, costs and code
/// generation all use this traversal.
void walk_reads(const Plan& plan, ir::Value value, const IndexMap& map,
                const std::function<void(const Read&)>& visit,
                const std::function<void(const ir::Op&)>& visit_op = {});

/// Calls `visit_op` for each op that an iteration of a kLoop group computes; several times for an op that is
/// computed at several indices.
void walk_loop_ops(const Plan& plan, const Group& loop, const std::function<void(const ir::Op&)>& visit_op);

/// The ops that each group computes, by Group::id, for reports: once each, in program order, including those
/// reached through views, and the view that it copies. Group::members has only the ops that were fused
/// because of their shape.
std::vector<std::vector<const ir::Op*>> computed_ops(const Plan& plan);

/// True if an op is a dot of bf16 for the matrix kernel of that type, if its operands' layout allows one, or
/// has a kernel that multiplies bf16 directly. Loops are slower on bf16 than on f32, so other ops are better
/// widened.
bool has_bf16_kernel(const ir::Op& op, const PlanOptions& options);

/// True if the group's work is that of the groups in its regions.
inline bool is_control(GroupKind kind) {
  return kind == GroupKind::kWhile || kind == GroupKind::kBranch || kind == GroupKind::kUpdate;
}

/// The groups that write the result of an update, given its location chosen by order().
std::vector<Group> update_parts(const Plan& plan, const Group& update);

/// True if the op's (first) body consists of elementwise ops and constants and uses no outer values, so that
/// loops can run it.
bool has_elementwise_body(const ir::Op& op);

/// The destinations of a scatter. `target` maps the update's dimensions (window and batching ones) to the
/// input's, without the starts; each start is one component of an index vector, at the position `start` in
/// the indices.
struct ScatterShape {
  IndexMap target;
  struct Start {
    std::size_t dimension = 0;           // of the input
    IndexMap map;                        // in the indices
    std::int64_t window_extent = 1;      // of the update along the dimension
    std::int64_t window_dimension = -1;  // of the update; -1: inserted
  };
  std::vector<Start> starts;
  std::vector<std::size_t> batch, window;  // dimensions of the update, in order
  std::optional<std::size_t>
      shared;  // the first start that every update has one index of: slices share its dimension
};
ScatterShape scatter_shape(const ir::Op& scatter);

/// True if a scatter's updates can be split by destination: the rows of a table are so wide that reading all
/// indices in every slice costs little.
bool can_share_scatter(const ir::Op& scatter);

/// True for a view that is computed once and kept in memory: dynamic_slice, gather.
bool is_computed_view(const ir::Op& op);

/// True if users of such a view read through it instead: a gather of rows that is read once, or from a small
/// table. `users`: all of them.
bool is_read_in_place(const ir::Op& view, std::span<const ir::Op* const> users);

/// The values that an op needs: its operands, and the outer values of its regions.
std::vector<ir::Value> op_inputs(const ir::Op& op);

/// All reads of a group: its stores' for loops, the operands' for reduces, dots and reference kernels.
std::vector<Read> group_reads(const Plan& plan, const Group& group);

/// The indices of the elements that a group's sums combine in an iteration.
std::vector<IndexMap> sum_maps(const Group& group);

/// Layout of the partial results of a kLoop group's sums in its scratch buffer: a row for each slice, with
/// each sum at its offset.
struct PartialSums {
  std::vector<std::int64_t> offsets;  // bytes
  std::int64_t row_bytes = 0;         // 0: there are no sums
};
PartialSums partial_sums(const Group& group);

/// The loops of a reduce or of a reduce_window without padding: the indices of its inputs, and the loops that
/// are kept, in result order.
struct ReduceLoops {
  ir::Dims extents;
  IndexMap input;
  std::vector<std::int64_t> kept;
};
ReduceLoops reduce_loops(const ir::Op& reduce);

/// The function that combines the elements of a reduce of one tensor.
Combiner free_combiner(const ir::Op& reduce);

}  // namespace cornu::inline v0::backends::cpu
