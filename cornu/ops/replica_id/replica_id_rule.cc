#include "cornu/ops/constant/constant.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/replica_id/replica_id.h"
#include "cornu/transform/op_rules.h"

namespace cornu::inline v0::transform::replica_id_folder {
namespace {

ReplicaResults rule(const ReplicaRuleContext& c) {
  ReplicaResults results;
  ir::Builder& b = c.builder;
  const auto number = [&](std::int64_t value) {
    return ops::scalar(b, ir::DType::kU32, static_cast<double>(value));
  };
  ir::Value first;
  if (c.num_processes > 1) first = ops::multiply(b, ops::replica_id(b), number(c.num_replicas()));
  for (std::int64_t replica = 0; replica < c.num_replicas(); ++replica)
    results.push_back({first ? ops::add(b, first, number(replica)) : number(replica)});
  return results;
}

}  // namespace

std::span<const OpRule> op_rules() {
  static constexpr OpRule kRules[] = {
      {.op = "replica_id", .replicas = ReplicaRule{.of = rule, .supports_processes = true}}};
  return kRules;
}

}  // namespace cornu::inline v0::transform::replica_id_folder
