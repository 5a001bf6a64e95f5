#pragma once

#include <functional>
#include <vector>

#include "cornu/backends/cpu/plan/plan.h"

/// The passes of make_plan, in order. Each works on the Plan that the one before left.
namespace cornu::backends::cpu {

/// Decides which ops share a loop and which values exist in memory; makes groups (unordered dependencies kept in program order) and
/// buffers without layout or place. State results get buffers of their own here.
void fuse(Plan& plan, const PlanOptions& options);

/// Lets state results overwrite the state in place where every reader comes first (else adds a copy at the end), and orders the groups.
void order(Plan& plan);

/// Chooses each arena buffer's strides.
void lay_out(Plan& plan, const PlanOptions& options);

/// Predicts each group's time and decides which run in parallel slices.
void estimate(Plan& plan, const PlanOptions& options);

/// Gives arena buffers their offsets; buffers whose lives do not overlap share bytes.
void place(Plan& plan);

/// A value in memory that a group's code reads, with the loop indices it is read at.
struct Read {
  ir::Value value;
  IndexMap map;
  bool linear = false;  // map has one entry, the row-major position in the value (a reshape that is not affine by dimensions)
};

/// The row-major position in a tensor of these extents, at `map`.
Index linear_index(const ir::Dims& dims, const IndexMap& map, std::size_t num_loops);

/// Calls `visit` for each value in memory (and each dynamic start) that evaluating `value` at `map` reads, and `visit_op` for each op that
/// is computed on the way; each (value, map) once. The one walk that fusion, ordering, costs and code generation agree on.
void walk_reads(const Plan& plan, ir::Value value, const IndexMap& map, const std::function<void(const Read&)>& visit,
                const std::function<void(const ir::Op&)>& visit_op = {});

/// What an op needs in memory or computed: its operands, and what its regions use of the step.
std::vector<ir::Value> op_inputs(const ir::Op& op);

/// All reads of a group: its stores' for loops, the operands' for reduces, dots and reference kernels.
std::vector<Read> group_reads(const Plan& plan, const Group& group);

/// A reduce's loops: operand dimensions that stay (in result order), and those that go.
std::vector<std::int64_t> kept_dimensions(const ir::Op& reduce);

}  // namespace cornu::backends::cpu
