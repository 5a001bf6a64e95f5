#include "cornu/ops/constant/constant.h"
#include "cornu/transform/op_rules.h"

namespace cornu::inline v0::transform::partition_id_folder {
namespace {

ReplicaResults rule(const ReplicaRuleContext& c) {
  const ir::Value only = ops::scalar(c.builder, ir::DType::kU32, 0);
  return ReplicaResults(c.operands.size(), {only});
}

}  // namespace

std::span<const OpRule> op_rules() {
  static constexpr OpRule kRules[] = {
      {.op = "partition_id", .replicas = ReplicaRule{.of = rule, .supports_processes = true}}};
  return kRules;
}

}  // namespace cornu::inline v0::transform::partition_id_folder
