#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cornu/backends/cpu/kernels/matrix_dot.h"
#include "cornu/backends/cpu/op/cpu_op.h"
#include "cornu/ir/graph.h"

/// Groups: the loops and kernel calls of a plan. A kind of group is one struct here, and one function in each
/// visitor: what it reads and its work in group.cc, its code in emit/. A visitor without it does not compile.
namespace cornu::inline v0::backends::cpu {

struct Group;
struct Plan;
struct PlanOptions;

/// Writes `value` to `buffer` at every index of the group's loops.
struct Store {
  ir::Value value;
  int buffer = 0;
  std::optional<IndexMap> at = std::nullopt;  // index in the buffer; empty: the loops' index
  std::optional<IndexMap> from =
      std::nullopt;     // index in the value; empty: the loops' index (none for a scalar)
  bool is_sum = false;  // of a loop: value is a reduce of what the loops compute; its result is complete
                        // after the last slice
};

/// The index at which a store reads its value.
IndexMap read_map(const Store& store, const ir::Dims& loop_extents);

/// A value in memory that a group's code reads, with the loop indices of the read.
struct Read {
  ir::Value value;
  IndexMap map;
  bool linear = false;  // map has one entry, the row-major position in the value (a reshape that is not
                        // affine by dimensions)
};

using VisitRead = std::function<void(const Read&)>;
using VisitOp = std::function<void(const ir::Op&)>;

/// Properties that a kind of group has unless it declares others; each also has a kName, for reports.
struct GroupKind {
  static constexpr bool kIsControl = false;      // its work is that of the groups in its regions
  static constexpr bool kIsEmitted = false;      // the emitter writes its loops
  static constexpr bool kReadsElements = false;  // an iteration reads one element of a tensor, or a window
  static constexpr bool kMovesTwice = false;     // its bytes are read and written
  static constexpr bool kRunsWithoutResult = false;  // also if all results are empty
  static constexpr std::int64_t kMaxSlices = 64;
  /// True if a store without a map of its own writes only part of its buffer.
  static bool writes_part() { return false; }
  /// True if result i begins as operand i and may be written over it.
  static bool changes_operands(const ir::Op&) { return false; }
  /// The end of the group's heading in the plan's text.
  static const char* notes() { return ""; }
};

/// Elementwise loops with one or more stores.
struct LoopGroup : GroupKind {
  static constexpr const char* kName = "loop";
  static constexpr bool kIsEmitted = true, kReadsElements = true;
  ir::Dims tile;  // not empty: the loops run over windows of these extents, and each store writes one
                  // position of them
};

/// Gathers the batch's rows into a buffer.
struct RowsGroup : GroupKind {
  static constexpr const char* kName = "rows";
  static constexpr bool kIsEmitted = true, kMovesTwice = true;
  int argument = 0;  // which kRows argument
};

/// A reduction with its inputs fused in; one store a result.
struct ReduceGroup : GroupKind {
  static constexpr const char* kName = "reduce";
  static constexpr bool kIsEmitted = true, kReadsElements = true;
};

/// Combines windows of updates into tensors, in the order of the updates.
struct ScatterGroup : GroupKind {
  static constexpr const char* kName = "scatter";
  static constexpr bool kIsEmitted = true, kReadsElements = true, kMovesTwice = true;
  static constexpr std::int64_t kMaxSlices = 16;  // each reads all indices
  bool writes_part() const { return !fill; }
  const char* notes() const { return fill ? " fills" : ""; }
  std::optional<ir::Literal> fill;  // the value of its uniform input, which it writes itself
};

/// A dot as emitted loops.
struct DotGroup : GroupKind {
  static constexpr const char* kName = "dot";
  static constexpr bool kIsEmitted = true;
};

/// A large dot, or many, computed by a matrix kernel.
struct MatrixDotGroup : GroupKind {
  static constexpr const char* kName = "matrix_dot";
  MatrixProduct product;
};

/// The part of its op that a kernel group runs: the whole, or the start or done of an asynchronous operation;
/// see AsyncCollectiveColumn.
enum class AsyncPart { kWhole, kStart, kDone };

/// A kernel of the engine, see group_kernel.h.
struct KernelGroup : GroupKind {
  static constexpr const char* kName = "kernel";
  static constexpr std::int64_t kMaxSlices = 1;
  static bool changes_operands(const ir::Op& op) { return find_cpu_op(op)->update.changes_operands; }
  const char* notes() const {
    if (async_part == AsyncPart::kWhole) return "";
    return async_part == AsyncPart::kStart ? " begins" : " ends";
  }
  AsyncPart async_part = AsyncPart::kWhole;
  std::shared_ptr<GroupKernel> kernel;  // not built yet
};

/// A reference kernel.
struct ReferenceGroup : GroupKind {
  static constexpr const char* kName = "reference";
  static constexpr bool kRunsWithoutResult = true;
  static constexpr std::int64_t kMaxSlices = 1;
};

/// Repeats a region; its regions: entry (copies of initial values), condition, body.
struct WhileGroup : GroupKind {
  static constexpr const char* kName = "while";
  static constexpr bool kIsControl = true, kRunsWithoutResult = true;
  static bool changes_operands(const ir::Op&) { return true; }
  int condition_buffer = -1;
};

/// Runs one of its regions (if, case).
struct BranchGroup : GroupKind {
  static constexpr const char* kName = "branch";
  static constexpr bool kIsControl = true, kRunsWithoutResult = true;
  int choice_buffer = -1;  // a predicate or an index
};

/// Parts of one op's result, its only region: copies of whole tensors, then what is written over them.
struct UpdateGroup : GroupKind {
  static constexpr const char* kName = "update";
  static constexpr bool kIsControl = true;
  static bool changes_operands(const ir::Op& op) { return find_cpu_op(op)->update.changes_operands; }
};

struct Group {
  std::variant<LoopGroup, RowsGroup, ReduceGroup, ScatterGroup, DotGroup, MatrixDotGroup, KernelGroup,
               ReferenceGroup, WhileGroup, BranchGroup, UpdateGroup>
      kind;
  const ir::Op* op = nullptr;  // null for rows and loops
  std::vector<Store> stores;
  ir::Dims extents;                    // the loops: the stores' shape, or the reduce's operand shape
  std::vector<const ir::Op*> members;  // for reports, in order
  double flops = 0;
  double bytes = 0;
  double predicted_us = 0;
  std::int64_t num_slices = 1;  // more than one: a parallel loop; from shapes alone, except scatters in place
  /// The first and last group of a chain, by id; see chain_groups.
  struct ChainIds {
    int first = 0, last = 0;
  };
  std::optional<ChainIds> chain;
  int scratch_buffer = -1;  // working memory of a kernel; partial results of slices; the sums of a matrix
                            // product of bf16 and a large depth
  int id = 0;               // number in the whole plan, a group before its regions
  std::vector<std::vector<Group>> regions;  // of control groups: each in execution order

  template <typename Kind>
  bool is() const {
    return std::holds_alternative<Kind>(kind);
  }
  /// The group's kind if it is this one, else null.
  template <typename Kind>
  const Kind* as() const {
    return std::get_if<Kind>(&kind);
  }
};

/// A visitor made of one function for each kind; std::visit does not compile if one is missing.
template <typename... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};

/// True if the group's work is that of the groups in its regions.
bool is_control(const Group& group);

/// True if the emitter writes the group's code.
bool is_emitted(const Group& group);

/// Visits the values in memory that a group reads and, if `visit_op` is not empty, the ops that it computes.
void walk_group(const Plan& plan, const Group& group, const VisitRead& visit, const VisitOp& visit_op);

/// Vector instructions of elementwise loops that one core is predicted to run in a microsecond.
inline constexpr double kVectorOpsPerUs = 3000;

/// The predicted work of all iterations of a group: floating-point operations, and the time as such vector
/// instructions.
struct GroupWork {
  double flops = 0, vector_ops = 0;
};
GroupWork group_work(const Plan& plan, const Group& group, const PlanOptions& options);

/// All reads of a group: its stores' for loops, the operands' for reduces, dots and reference kernels.
std::vector<Read> group_reads(const Plan& plan, const Group& group);

/// Operands that a group updates in place if their buffers may be reused, with the results that are then
/// stored there.
std::vector<std::pair<ir::Value, ir::Value>> updated_operands(const Group& group);

/// The indices of the elements that a loop's sums combine in an iteration.
std::vector<IndexMap> sum_maps(const Group& loop);

/// Layout of the partial results of a loop's sums in its scratch buffer: a row for each slice, with each sum
/// at its offset.
struct PartialSums {
  std::vector<std::int64_t> offsets;  // bytes
  std::int64_t row_bytes = 0;         // 0: there are no sums
};
PartialSums partial_sums(const Group& group);

/// "loop", "reduce", ...: for reports.
const char* group_kind_name(const Group& group);

/// "multiply add*2 maximum": the members of a group in order.
std::string group_ops(const Group& group);
/// The ops that the group computes (see computed_ops), in this form, for reports.
std::string group_ops(const Group& group, std::span<const ir::Op* const> ops);

}  // namespace cornu::inline v0::backends::cpu
