#pragma once

#include <vector>

#include "cornu/backends/cpu/plan/plan.h"

/// The traversal of what a group computes and reads. Fusion, ordering, costs and code generation all use it.
namespace cornu::inline v0::backends::cpu {

/// The row-major position in a tensor of these extents, at `map`.
Index linear_index(const ir::Dims& dims, const IndexMap& map, std::size_t num_loops);

/// Calls `visit` for each value in memory (and each dynamic start) that evaluating `value` at `map` reads,
/// and `visit_op` for each op that is computed; each (value, map) once.
void walk_reads(const Plan& plan, ir::Value value, const IndexMap& map, const VisitRead& visit,
                const VisitOp& visit_op = {});

/// Calls `visit_op` for each op that an iteration of a loop computes; several times for an op that is
/// computed at several indices.
void walk_loop_ops(const Plan& plan, const Group& loop, const VisitOp& visit_op);

/// The ops that each group computes, by Group::id, for reports: once each, in program order, including those
/// reached through views, and the view that it copies. Group::members has only the ops that were fused
/// because of their shape.
std::vector<std::vector<const ir::Op*>> computed_ops(const Plan& plan);

}  // namespace cornu::inline v0::backends::cpu
