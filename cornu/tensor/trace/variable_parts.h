#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cornu/ir/builder.h"
#include "cornu/runtime/client.h"
#include "cornu/runtime/partition.h"
#include "cornu/tensor/trace/variable.h"
#include "cornu/tensor/trace/variable_state.h"

/// Variables that the replicas of a strategy hold in parts (docs/adr/0128).
namespace cornu::inline v0::detail {

/// A table that is whole in one part of a pool (table_pool.h).
struct PooledTable {
  std::string name;
  std::int64_t num_rows = 0;
  std::int64_t part = 0;     // number among the parts of all processes
  std::int64_t begin = 0;    // the table's first row in the part
  std::size_t position = 0;  // among the weights of the layer
};

/// The parts of a variable along one axis, each a variable of its own in the memory of one replica's device.
/// All have the same shape; padding after the end of the variable is never read.
///
/// With several processes each has the parts of its own replicas, an equal number of consecutive ones.
/// Reading the whole value is then a collective: all processes do it in the same order.
///
/// On a group of devices one variable stands for the parts of all devices: its buffer holds another part on
/// each (docs/adr/0142), and it never leaves the group.
struct VariableParts {
  std::int64_t axis = 0;
  runtime::Partition extent;   // cuts the variable's extent along the axis into the parts of all processes
  std::int64_t first = 0;      // number of this process's first part
  std::vector<Variable> here;  // the parts of this process; of a group: the one variable
  std::shared_ptr<runtime::Client> group =
      {};  // the group of devices that hold the parts; null: there is none
  /// True: value() in a replica is the whole value, gathered from the parts of all replicas. False: it is the
  /// replica's part.
  bool gathers = false;
  /// True, along axis 0: index i is index i / num_parts of part i % num_parts, in place of consecutive ones.
  bool is_dealt = false;
  std::vector<Variable> tables = {};  // of a pool; else empty
  /// Set: the variable is a table of a pool, and has rows of one of `here`, the pool's parts.
  std::optional<PooledTable> place = {};

  /// The replicas of a program in StableHLO's sense, each of which has as many of the parts as `here`.
  std::int64_t num_program_replicas() const {
    return extent.num_parts / static_cast<std::int64_t>(here.size());
  }
  std::int64_t num_processes() const { return group == nullptr ? num_program_replicas() : 1; }
  /// The number of parts in this process.
  std::size_t num_here() const {
    return group == nullptr ? here.size() : static_cast<std::size_t>(extent.num_parts);
  }
  /// The shape of `num_parts` consecutive parts of a variable of this type.
  TensorType type_of(const TensorType& whole, std::int64_t num_parts) const;
};

/// The variable's parts; null if it is whole.
inline const VariableParts* parts_of(const Variable& variable) { return variable.state().parts.get(); }

/// True for a part of another variable: states and files have the whole variable instead.
inline bool is_part(const Variable& variable) { return variable.state().core >= 0; }

/// State::num_claims of the variable and its parts, which programs claim instead of it.
std::uint64_t num_claims_of(const Variable& variable);

/// True if other processes hold parts of the variable.
bool spans_processes(const Variable& variable);
/// The variables, with those of which other processes hold parts replaced by this process's parts.
std::vector<Variable> stored_here(std::span<const Variable> variables);

/// The value of a variable with parts in a replica of a strategy.
enum class ValueInReplica {
  kPart,   // the replica's part
  kWhole,  // the whole value, gathered from all replicas; in an OwnPartsScope the replica's part
};
/// The indices of each part: consecutive ones, or each num_parts-th, along axis 0 only.
enum class PartIndices { kConsecutive, kDealt };
/// Cuts a new variable along an axis into a part for each part of the scope's strategy, with its value. It
/// stays whole without a strategy, and on a single replica. From then on:
///
///  * In a replica of a strategy its value is the one that `in_replica` names, and the replica assigns its
///    part. The gradient of a gathered value arrives as the sum over all replicas of the replica's part.
///  * Everywhere else it is the whole value, joined when it is read and cut when it is assigned.
///
/// Errors: Unimplemented, with `what`, on devices of a plug-in in several processes, and on cores that a
///         worker simulates; those of Client::allocate.
void cut(const Variable& variable, std::int64_t axis, const std::string& what,
         ValueInReplica in_replica = ValueInReplica::kPart, PartIndices indices = PartIndices::kConsecutive);
/// Makes this thread's replicas read their own parts of all variables while it lives: for optimizers, whose
/// formulas update each part alone.
class OwnPartsScope {
 public:
  OwnPartsScope();
  ~OwnPartsScope();
  OwnPartsScope(const OwnPartsScope&) = delete;
  OwnPartsScope& operator=(const OwnPartsScope&) = delete;

 private:
  bool before_;
};
/// The value of the variable that the replica's code sees, made from `held`, the value in the trace.
Tensor value_in_replica(const Variable& variable, const Tensor& held);
/// True for a whole variable that cut() can still cut: its value is in host memory, and neither a program nor
/// an optimizer has used it.
bool may_be_cut(const Variable& variable);
/// Cuts a new variable like another one of its shape: an optimizer's slot like the weight. The other one, if
/// it is whole, stays whole.
void cut_like(const Variable& made, const Variable& like);

/// The number of replicas that hold a part each, inside a replica's trace; 1 if value() is the whole value.
std::int64_t num_replicas_with_parts(const Variable& variable);
/// The type of value() at this point: that of the replica's part or of the whole value.
TensorType type_here(const Variable& variable);

/// The values of the variables in `parts.here`. Under Variable::State::mutex().
std::vector<SeenValue> seen_parts(const VariableParts& parts);
/// The processes that need a whole value.
enum class WholeAt { kAllProcesses, kFirstProcess };
/// Joins the parts' values in memory of the variable's size; null where `at` does not need them.
/// With parts in other processes it is a collective. Errors: those of the devices; kUnavailable as in
///         runtime::Collective; FailedPrecondition if processes read different variables.
void join_parts(const Variable& variable, std::span<const SeenValue> parts, std::byte* to,
                WholeAt at = WholeAt::kAllProcesses);
/// Copies of the present values of this process's parts with these indices.
std::vector<ir::Literal> present_parts(const Variable& variable, std::span<const std::size_t> indices);
/// Joins the parts' present values. Errors: those of Variable::read and join_parts.
void read_parts(const Variable& variable, std::byte* to);
/// This process's part with this index of a whole value, padded with zeros. Not for a table of a pool.
ir::Literal part_of_value(const Variable& variable, const std::byte* whole, std::size_t index);
/// Replaces the value of all parts together. Errors: those of VariableUpdate::commit.
void write_parts(const Variable& variable, const std::byte* whole);

/// The elements of a value with indices [begin, end) along an axis.
ir::Value range_of(ir::Builder& builder, ir::Value x, std::int64_t axis, std::int64_t begin,
                   std::int64_t end);

/// The indices along the parts' axis that this process holds: [begin, end), empty if only padding is here; if
/// `modulo` is positive, all i with begin <= i % modulo < end.
struct OwnRange {
  std::int64_t begin = 0, end = 0, modulo = 0;
  std::int64_t count = 0;  // of these indices
};
OwnRange own_range(const Variable& variable);
/// The elements of own_range(), without padding, in host memory. No collective. Errors: those of
/// Variable::read.
Tensor own_value(const Variable& variable);
/// Replaces this process's parts by a result of own_value(). Errors: those of VariableUpdate::commit.
void load_own_value(const Variable& variable, const Tensor& value);

}  // namespace cornu::inline v0::detail
