#include "cornu/backends/cpu/plan/recomputed.h"

#include <algorithm>

#include "cornu/ir/op_def.h"

namespace cornu::inline v0::backends::cpu {
namespace {

using ir::Value;
using ValueSet = std::unordered_set<Value, ir::ValueHash>;

/// pattern: a reshape to the same shape, which simplification removes, so that those of barriers are left
bool is_barrier_view(const ir::Op& op) {
  return op.name() == "reshape" && op.operand(0).dims() == op.result().dims();
}

}  // namespace

bool RecomputedOps::contain(const Group& group) const {
  if (again.empty()) return false;
  std::vector<const ir::Op*> members = group.members;
  if (group.op != nullptr) members.push_back(group.op);
  return std::ranges::any_of(members, [&](const ir::Op* op) { return again.contains(op); }) &&
         std::ranges::none_of(members, [&](const ir::Op* op) { return users.contains(op); });
}

RecomputedOps recomputed_ops(const Plan& plan, const ir::Block& block) {
  RecomputedOps ops;
  if (std::ranges::none_of(block.ops(), [](const auto& op) { return is_barrier_view(*op); })) return ops;
  ValueSet again, used, of_weights;
  if (&block == &plan.step->body)
    for (std::size_t i = 0; i < plan.arguments.size(); ++i)
      if (plan.arguments[i] != runtime::ArgumentKind::kRows) of_weights.insert(block.arguments()[i]);
  for (const auto& op : block.ops()) {
    const auto any_in = [&](const ValueSet& values) {
      return std::ranges::any_of(op->operands(), [&](const Value& value) { return values.contains(value); });
    };
    const bool is_alone = std::ranges::all_of(op->operands(), [&](const Value& value) {
      return again.contains(value) || of_weights.contains(value);
    });
    const bool is_again = is_barrier_view(*op) || (is_alone && any_in(again));
    const bool is_user = !is_again && (any_in(again) || any_in(used));
    if (is_again) ops.again.insert(op.get());
    if (is_user) ops.users.insert(op.get());
    for (const Value& result : op->results()) {
      if (is_again) again.insert(result);
      if (is_user) used.insert(result);
      if (is_alone && !is_again) of_weights.insert(result);
    }
  }
  return ops;
}

}  // namespace cornu::inline v0::backends::cpu
