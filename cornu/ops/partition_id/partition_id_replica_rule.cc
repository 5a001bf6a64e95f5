#include "cornu/ops/constant/constant.h"
#include "cornu/transform/replica_rules.h"

namespace cornu::inline v0::transform::partition_id_folder {
namespace {

ReplicaResults rule(const ReplicaRuleContext& c) {
  const ir::Value only = ops::scalar(c.builder, ir::DType::kU32, 0);
  return ReplicaResults(c.operands.size(), {only});
}

}  // namespace

std::span<const ReplicaRule> replica_rules() {
  static constexpr ReplicaRule kRules[] = {{.op = "partition_id", .of = rule, .supports_processes = true}};
  return kRules;
}

}  // namespace cornu::inline v0::transform::partition_id_folder
