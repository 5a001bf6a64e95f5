#pragma once

#include <optional>
#include <vector>

#include "cornu/backends/cpu/plan/plan.h"

namespace cornu::inline v0::backends::cpu {

/// Collects the groups of an update: each a loop over a box of the result.
class UpdateParts {
 public:
  UpdateParts(const Plan& plan, const Group& update) : plan_(plan), update_(update) {}

  /// Writes `value` over a box: `from` and `at` map the box's indices to the value's and the result's; empty:
  /// identity.
  void write(ir::Value value, ir::Dims extents, std::optional<IndexMap> from, std::optional<IndexMap> at);

  /// Copies the whole operand, unless the result already shares its buffer.
  void copy(ir::Value operand, const Store& result);

  /// Adds any other group.
  void add(Group part) { groups_.push_back(std::move(part)); }

  const Plan& plan() const { return plan_; }
  /// Destinations of the results.
  const std::vector<Store>& stores() const { return update_.stores; }
  std::vector<Group> take() { return std::move(groups_); }

 private:
  const Plan& plan_;
  const Group& update_;
  std::vector<Group> groups_;
};

/// The most parts of a concatenate, or updates of several tensors, that one loop makes.
inline constexpr std::size_t kMostJoinedParts = 16;

/// The groups that write the result of an update, given its location chosen by order().
std::vector<Group> update_parts(const Plan& plan, const Group& update);

/// Makes one loop of consecutive updates in place that write boxes of one shape to several tensors: a scan writes a
/// slice of each of its stacks in an iteration.
void join_updates(const Plan& plan, std::vector<Group>& groups);

/// A map that adds an offset in each dimension.
IndexMap shifted(const ir::Dims& offsets);

}  // namespace cornu::inline v0::backends::cpu
