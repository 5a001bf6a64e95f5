#pragma once

#include <functional>
#include <span>
#include <vector>

#include "cornu/backends/cpu/plan/plan.h"

/// The passes of make_plan, in order. Each works on the Plan that the one before left.
namespace cornu::inline v0::backends::cpu {

/// A tensor is small beside a loop with so many times its elements: reading it, as the statistics of
/// channels, takes no time of its own.
inline constexpr std::int64_t kSmallShare = 16;

/// Writes a large table of zeros with few rows added to it, read by elementwise ops alone (the gradient of an
/// embedding), as a gather from a small table: no memory of the large one's size is written or read. Bits
/// stay.
void compact_sparse_tables(Plan& plan);

/// Cuts sums over processes of many large tensors into several, each of tensors that are made one after the
/// other, so that the first can be sent while the last are still computed. Bits stay.
void split_exchanges(Plan& plan);

/// Makes regions easy to plan: carried values that a loop does not change are captured, captured views and
/// leaves are made where they are used, so that what a region captures is in memory.
void prepare_regions(Plan& plan);

/// Gives each result of a block that is somebody else's value (an argument that is not its own state, a
/// constant, a captured value, or another result) an op of its own, so that every result has one group that
/// writes it.
void own_results(Plan& plan);

/// Decides which ops of a block share a loop and which values exist in memory; makes groups (unordered
/// dependencies kept in program order) and buffers without layout or place. Results get buffers of their own
/// here. Regions are left alone.
std::vector<Group> fuse(Plan& plan, const ir::Block& block, const PlanOptions& options);

/// A value that must be in a certain buffer at the end of a block: the next value of a state or of a carried
/// value, a branch's result.
struct OrderTarget {
  ir::Value current;  // what the buffer holds before; empty for a branch's result
  ir::Value result;
  int buffer = 0;
};

/// Lets results overwrite the buffers they must end in where every reader comes first (else adds a copy at
/// the end), lets ops that update a tensor do so in place when nobody needs the old one, and orders the
/// groups.
void order(Plan& plan, const ir::Block& block, std::vector<Group>& groups,
           const std::vector<OrderTarget>& targets);

/// Cuts groups whose work goes on beside others (HalvesColumn) in two, in every block: the end stands before
/// the first group that uses a result.
void split_halves(Plan& plan);

/// Operands that a group changes in place when their buffers may be reused, with the results that then live
/// there.
std::vector<std::pair<ir::Value, ir::Value>> updated_operands(const Group& group);

/// Chooses each arena buffer's strides.
void lay_out(Plan& plan, const PlanOptions& options);

/// Predicts each group's time and decides which run in parallel slices.
void estimate(Plan& plan, const PlanOptions& options);

/// Gives a group working memory in the arena.
void add_scratch(Plan& plan, Group& group, std::size_t size_bytes);

/// Gives arena buffers their offsets; buffers whose lives do not overlap share bytes.
void place(Plan& plan);

/// A value in memory that a group's code reads, with the loop indices it is read at.
struct Read {
  ir::Value value;
  IndexMap map;
  bool linear = false;  // map has one entry, the row-major position in the value (a reshape that is not
                        // affine by dimensions)
};

/// The row-major position in a tensor of these extents, at `map`.
Index linear_index(const ir::Dims& dims, const IndexMap& map, std::size_t num_loops);

/// Calls `visit` for each value in memory (and each dynamic start) that evaluating `value` at `map` reads,
/// and `visit_op` for each op that is computed on the way; each (value, map) once. The one walk that fusion,
/// ordering, costs and code generation agree on.
void walk_reads(const Plan& plan, ir::Value value, const IndexMap& map,
                const std::function<void(const Read&)>& visit,
                const std::function<void(const ir::Op&)>& visit_op = {});

/// Calls `visit_op` for each op that an iteration of a kLoop group computes; more than once for an op that is
/// computed at several indices.
void walk_loop_ops(const Plan& plan, const Group& loop, const std::function<void(const ir::Op&)>& visit_op);

/// By Group::id the ops that each group computes, for reports: once each, in program order, with those that
/// it reaches through views, and with the view that it copies. Group::members has only the ops that were
/// fused as ops of one shape.
std::vector<std::vector<const ir::Op*>> computed_ops(const Plan& plan);

/// Whether an op is a dot of bf16 for the matrix kernel of that type, if its operands lie so that there is
/// one, or has a kernel that multiplies bf16 as it is. Loops are slower on bf16 than on f32,
/// so that others are better widened.
bool has_bf16_kernel(const ir::Op& op, const PlanOptions& options);

/// Whether the group's work is that of the groups in its regions.
inline bool is_control(GroupKind kind) {
  return kind == GroupKind::kWhile || kind == GroupKind::kBranch || kind == GroupKind::kUpdate;
}

/// The groups that write the result of an update, given where order() has put it.
std::vector<Group> update_parts(const Plan& plan, const Group& update);

/// Whether the op's (first) body is made of elementwise ops and constants and uses nothing from outside, so
/// that loops can run it.
bool has_elementwise_body(const ir::Op& op);

/// Where a scatter writes: `target` maps the update's dimensions (its window parts; batching) to the input's,
/// without the starts; each start is one component of an index vector, whose place in the indices `start`
/// gives.
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

/// Whether a scatter's updates can be dealt out by where they go: rows of a table, each wide enough that
/// looking at all indices in every slice costs little.
bool can_share_scatter(const ir::Op& scatter);

/// A view that is work of its own, made once and kept in memory: dynamic_slice, gather.
bool is_computed_view(const ir::Op& op);

/// Whether such a view's users read through it instead: a gather of rows that is read once, or from a small
/// table. `users`: all of them.
bool is_read_in_place(const ir::Op& view, std::span<const ir::Op* const> users);

/// What an op needs in memory or computed: its operands, and what its regions use of the step.
std::vector<ir::Value> op_inputs(const ir::Op& op);

/// All reads of a group: its stores' for loops, the operands' for reduces, dots and reference kernels.
std::vector<Read> group_reads(const Plan& plan, const Group& group);

/// Where the loops of a group find the elements that its sums combine in an iteration.
std::vector<IndexMap> sum_maps(const Group& group);

/// How the partial results of a kLoop group's sums lie in its scratch buffer: a row a slice; in it each sum
/// at its offset.
struct PartialSums {
  std::vector<std::int64_t> offsets;  // bytes
  std::int64_t row_bytes = 0;         // 0: there are no sums
};
PartialSums partial_sums(const Group& group);

/// The loops of a reduce or of a reduce_window without padding: where its inputs are read, and the loops that
/// stay, in result order.
struct ReduceLoops {
  ir::Dims extents;
  IndexMap input;
  std::vector<std::int64_t> kept;
};
ReduceLoops reduce_loops(const ir::Op& reduce);

/// What combines the elements of a reduce of one tensor.
Combiner free_combiner(const ir::Op& reduce);

}  // namespace cornu::inline v0::backends::cpu
