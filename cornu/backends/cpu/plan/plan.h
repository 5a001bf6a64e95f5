#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cornu/backends/cpu/plan/group.h"
#include "cornu/backends/cpu/target/target.h"
#include "cornu/ir/graph.h"
#include "cornu/runtime/executable.h"

/// The private, lower IR of the CPU engine: the values of the step that exist in memory, with layout and
/// location, and the loops that make them. Made by make_plan in passes (fuse, order, lay out, place), printed
/// by plan_str, turned into code by emit/.
namespace cornu::inline v0::backends::cpu {

/// The map of a view's operand, given the map of its result; empty if it is not affine (a reshape that splits
/// dimensions of its operand).
std::optional<IndexMap> operand_map(const ir::Op& view, const IndexMap& result_map);

/// True if two maps over the same loops are equal.
bool same_map(const IndexMap& a, const IndexMap& b);

/// The memory space of a buffer.
enum class MemorySpace { kArena, kArgument, kOutput, kConstant };

/// A value in memory.
struct PlanBuffer {
  ir::TensorType type;
  ir::Dims strides;  // in elements, one for each dimension
  MemorySpace space = MemorySpace::kArena;
  int index = 0;                // kArgument: state, fixed, views; kOutput: which; kConstant: which literal
  std::size_t offset = 0;       // kArena: bytes
  bool row_major_only = false;  // a library, a reference kernel or a caller reads it
};

struct Plan {
  std::string name;
  std::unique_ptr<ir::Function> step;  // simplified; owns the ops that groups point to
  std::vector<runtime::ArgumentKind> arguments;
  std::vector<PlanBuffer> buffers;
  std::unordered_map<ir::Value, int, ir::ValueHash> buffer_of;  // buffers of values in memory
  std::unordered_map<ir::Value, ir::Value, ir::ValueHash>
      aliases;  // reshapes that share the row-major buffer of their operand
  std::vector<ir::Literal> constants;
  std::vector<Group> groups;  // in execution order
  int num_groups = 0;         // with those of regions
  int num_views = 0;          // results that are no memory of the plan: makes_view
  int valid_rows_buffer = -1;
  std::int64_t batch = 0;  // rows of a step; 0 without row arguments and outputs
  std::size_t arena_bytes = 0;

  /// The number of state and fixed arguments, whose addresses come before those of views.
  std::size_t num_buffer_arguments() const;
  /// The index of one more view among the arguments.
  int next_view() { return static_cast<int>(num_buffer_arguments()) + num_views++; }
  bool in_memory(ir::Value v) const { return buffer_of.contains(v); }
  /// The strides of a value in memory.
  ir::Dims strides(ir::Value v) const {
    const PlanBuffer& b = buffer(v);
    return b.type.dims == v.dims() ? b.strides : ir::row_major_strides(v.dims());
  }
  const PlanBuffer& buffer(ir::Value v) const { return buffers[static_cast<std::size_t>(buffer_of.at(v))]; }
};

struct PlanOptions {
  int vector_lanes = 8;           // f32 lanes of the instruction set level
  bool fuse = true;               // false: every op is a group of its own (for tests)
  bool parallel = true;           // false: no parallel groups
  double matrix_dot_flops = 4e5;  // dots at least this large go to a matrix kernel
  // What kernels are chosen for, with their scratch memory. Without it kKernel groups have none, and the plan
  // is for reading only.
  std::optional<Target> target = std::nullopt;
  int num_threads = 1;  // that kernels may run on
  // Called after each pass with its name, which is "simplify" (it makes the step) or stands in passes.h, and
  // with the plan that it leaves. After "fuse" only the body has groups; regions have theirs after "order".
  std::function<void(std::string_view pass, const Plan&)> after_pass = {};
};

/// Calls `visit(group, depth)` for every group in execution order, a control group before its regions'
/// groups: the order of Group::id.
void for_each_group(const Plan& plan, const std::function<void(const Group&, int depth)>& visit);
void for_each_group(Plan& plan, const std::function<void(Group&)>& visit);

Plan make_plan(const runtime::StepProgram& program, const PlanOptions& options);

/// The plan as readable text: buffers, then a line for each group.
std::string plan_str(const Plan& plan);

}  // namespace cornu::inline v0::backends::cpu
