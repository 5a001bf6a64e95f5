#include "cornu/transform/op_rules.h"

#include <unordered_map>

#include "cornu/base/check.h"
#include "cornu/ops/registry.h"

namespace cornu::inline v0::transform {
namespace {

using Rules = std::unordered_map<const ir::OpDef*, const OpRule*>;

Rules rules_by_definition() {
  Rules rules;
  for (const OpRule& rule : all_op_rules()) {
    const ir::OpDef* const def = ops::find_op_def(rule.op);
    CORNU_CHECK(def != nullptr, "a rule is of {}, which is no op", rule.op);
    CORNU_CHECK(rules.emplace(def, &rule).second, "two rules are of {}", rule.op);
  }
  return rules;
}

}  // namespace

const OpRule* find_op_rule(const ir::Op& op) {
  static const auto& rules = *new const Rules(rules_by_definition());
  const auto found = rules.find(&op.def());
  return found == rules.end() ? nullptr : found->second;
}

const RowRule* find_row_rule(const ir::Op& op) {
  const OpRule* const rule = find_op_rule(op);
  return rule != nullptr && rule->rows ? &*rule->rows : nullptr;
}

const ReplicaRule* find_replica_rule(const ir::Op& op) {
  const OpRule* const rule = find_op_rule(op);
  return rule != nullptr && rule->replicas ? &*rule->replicas : nullptr;
}

}  // namespace cornu::inline v0::transform
