#include "cornu/ops/constant/constant.h"
#include "cornu/transform/replica_rules.h"

namespace cornu::inline v0::transform::replica_id_folder {
namespace {

ReplicaResults rule(const ReplicaRuleContext& c) {
  ReplicaResults results;
  for (std::int64_t replica = 0; replica < c.num_replicas(); ++replica)
    results.push_back({ops::scalar(c.builder, ir::DType::kU32, static_cast<double>(replica))});
  return results;
}

}  // namespace

std::span<const ReplicaRule> replica_rules() {
  static constexpr ReplicaRule kRules[] = {{.op = "replica_id", .of = rule}};
  return kRules;
}

}  // namespace cornu::inline v0::transform::replica_id_folder
