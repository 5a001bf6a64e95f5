#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cornu/runtime/partition.h"
#include "cornu/tensor/trace/variable.h"
#include "cornu/tensor/trace/variable_state.h"

/// Variables that the replicas of a strategy hold in parts (docs/adr/0128).
namespace cornu::inline v0::detail {

/// The parts of a variable along one axis, each a variable of its own in the memory of one replica's device.
/// All have the same shape; padding after the end of the variable is never read.
struct VariableParts {
  std::int64_t axis = 0;
  runtime::Partition extent;  // cuts the variable's extent along the axis
  std::vector<Variable> all;

  /// The shape of `num_parts` consecutive parts of a variable of this type.
  TensorType type_of(const TensorType& whole, std::int64_t num_parts) const;
};

/// The variable's parts; null if it is whole.
inline const VariableParts* parts_of(const Variable& variable) { return variable.state().parts.get(); }

/// True for a part of another variable: states and files have the whole variable instead.
inline bool is_part(const Variable& variable) { return variable.state().core >= 0; }

/// State::num_claims of the variable and its parts, which programs claim instead of it.
std::uint64_t num_claims_of(const Variable& variable);

/// Cuts a new variable along an axis into a part for each part of the scope's strategy, with its value. It
/// stays whole without a strategy, and on a single replica. From then on:
///
///  * In a replica of a strategy its value is the replica's part, and the replica assigns that part.
///  * Everywhere else it is the whole value, joined when it is read and cut when it is assigned.
///
/// Errors: Unimplemented, with `what`, if replicas run in several processes or on a group of devices.
void cut(const Variable& variable, std::int64_t axis, const std::string& what);
/// Cuts a new variable like another one of its shape: an optimizer's slot like the weight.
void cut_like(const Variable& made, const Variable& like);

/// The number of replicas that hold a part each, inside a replica's trace; 1 if value() is the whole value.
std::int64_t num_replicas_with_parts(const Variable& variable);
/// The type of value() at this point: that of the replica's part or of the whole value.
TensorType type_here(const Variable& variable);

/// The values of the parts. Under Variable::State::mutex().
std::vector<SeenValue> seen_parts(const VariableParts& parts);
/// Joins the parts' values in memory of the variable's size. Errors: those of the devices.
void join_parts(const Variable& variable, std::span<const SeenValue> parts, std::byte* to);
/// Joins the parts' present values. Errors: those of Variable::read.
void read_parts(const Variable& variable, std::byte* to);
/// The part with this index of a whole value, padded with zeros.
ir::Literal part_of_value(const Variable& variable, const std::byte* whole, std::size_t index);
/// Replaces the value of all parts together. Errors: those of VariableUpdate::commit.
void write_parts(const Variable& variable, const std::byte* whole);

}  // namespace cornu::inline v0::detail
