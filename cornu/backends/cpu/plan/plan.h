#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cornu/backends/cpu/op/cpu_op.h"
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
  int index = 0;                // kArgument: state then fixed; kOutput: which; kConstant: which literal
  std::size_t offset = 0;       // kArena: bytes
  bool row_major_only = false;  // a library, a reference kernel or a caller reads it
};

/// Writes `value` to `buffer` at every index of the group's loops.
struct Store {
  ir::Value value;
  int buffer = 0;
  std::optional<IndexMap> at = std::nullopt;  // index in the buffer; empty: the loops' index
  std::optional<IndexMap> from =
      std::nullopt;     // index in the value; empty: the loops' index (none for a scalar)
  bool is_sum = false;  // kLoop: value is a reduce of what the loops compute; its result is complete after
                        // the last slice
};

/// The index at which a store reads its value.
IndexMap read_map(const Store& store, const ir::Dims& loop_extents);

enum class GroupKind {
  kRows,       // gathers the batch's rows into a buffer
  kLoop,       // elementwise loops with one or more stores
  kReduce,     // a reduction with its inputs fused in
  kDot,        // a dot as emitted loops
  kMatrixDot,  // a large dot, or many, computed by a matrix kernel
  kScatter,    // combines windows of updates into tensors, in the order of the updates
  kKernel,     // a kernel of the engine, see group_kernel.h
  kReference,  // a reference kernel
  kWhile,      // repeats a region; its regions: entry (copies of initial values), condition, body
  kBranch,     // runs one of its regions (if, case)
  kUpdate,  // parts of one op's result, its only region: copies of whole tensors, then what is written over
            // them
};

/// The part of its op that a kKernel group runs: the whole, or the start or done of an asynchronous
/// operation; see AsyncCollectiveColumn.
enum class AsyncPart { kWhole, kStart, kDone };

struct Group {
  GroupKind kind = GroupKind::kLoop;
  const ir::Op* op = nullptr;  // of all but kRows and kLoop
  int row_argument = 0;        // kRows: which kRows argument
  std::vector<Store> stores;   // kReduce: one a result of op
  ir::Dims extents;            // the loops: the stores' shape, or the reduce's operand shape
  ir::Dims tile;  // kLoop, if not empty: the loops run over windows of these extents, and each store writes
                  // one position of them
  std::vector<const ir::Op*> members;  // for reports, in order
  double flops = 0;
  double bytes = 0;
  double predicted_us = 0;
  std::int64_t num_slices = 1;  // more than one: a parallel loop; from shapes alone

  std::vector<std::vector<Group>> regions;  // kWhile, kBranch, kUpdate: each in execution order
  std::optional<ir::Literal> fill =
      std::nullopt;         // kScatter: the value of its uniform input, which it writes itself
  int scratch_buffer = -1;  // kKernel: its working memory; kReduce, kLoop: partial results of slices;
                            // kMatrixDot of bf16 and a large depth: its sums
  int choice_buffer = -1;   // kWhile: the condition's result; kBranch: predicate or index
  AsyncPart async_part = AsyncPart::kWhole;
  int id = 0;                                     // number in the whole plan, a group before its regions
  std::shared_ptr<GroupKernel> kernel = nullptr;  // kKernel: its kernel, not built yet
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
  int valid_rows_buffer = -1;
  std::int64_t batch = 0;  // rows of a step; 0 without row arguments and outputs
  std::size_t arena_bytes = 0;

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

/// "loop", "reduce", ...: for reports.
const char* group_kind_name(GroupKind kind);

/// "multiply add*2 maximum": the members of a group in order.
std::string group_ops(const Group& group);
/// The ops that the group computes (see computed_ops), in this form, for reports.
std::string group_ops(const Group& group, std::span<const ir::Op* const> ops);

}  // namespace cornu::inline v0::backends::cpu
