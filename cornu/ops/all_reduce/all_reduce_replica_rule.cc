#include <algorithm>
#include <array>
#include <bit>

#include "cornu/ops/all_reduce/all_reduce.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/reduce/reduce_rules.h"
#include "cornu/transform/replica_rules.h"

namespace cornu::inline v0::transform::all_reduce_folder {
namespace {

ReplicaResults rule_of_graph(const ReplicaRuleContext& c) {
  ReplicaResults results(c.operands.size());
  for (const ir::Dims& group : groups_of_all(c))
    for (std::size_t i = 0; i < c.op.operands().size(); ++i) {
      const ir::Value value = combined(c, group, i);
      for (const std::int64_t member : group) results[as_index(member)].push_back(value);
    }
  return results;
}

/// Whether processes can add up what each has added up of its own: it is a sum over all, of whole subtrees of combined().
bool adds_up_in_processes(const ReplicaRuleContext& c) {
  const ops::ReplicaGroups groups = ops::replica_groups(c.op.attributes());
  const std::int64_t num_all = c.num_replicas() * c.num_processes;
  constexpr std::array kSummed = {ir::DType::kF32, ir::DType::kF64, ir::DType::kBF16, ir::DType::kI32,
                                  ir::DType::kI64};
  const bool are_summed =
      std::all_of(c.op.operands().begin(), c.op.operands().end(), [&](const ir::Value& v) {
        return std::find(kSummed.begin(), kSummed.end(), v.dtype()) != kSummed.end();
      });
  // pattern: processes add, and know no other combination
  return are_summed && groups.groups == ops::all_replicas(num_all).groups &&
         std::has_single_bit(static_cast<std::uint64_t>(c.num_replicas())) &&
         ops::simple_body_kind(c.op.region(0)) == "add";
}

ReplicaResults rule(const ReplicaRuleContext& c) {
  if (c.num_processes == 1) return rule_of_graph(c);
  if (!adds_up_in_processes(c)) return gathered_from_processes(c, &rule_of_graph);
  const ir::Dims own = ops::all_replicas(c.num_replicas()).groups[0];
  std::vector<ir::Value> sums;
  for (std::size_t i = 0; i < c.op.operands().size(); ++i) sums.push_back(combined(c, own, i));
  // Buckets of as many tensors as a kernel of an engine takes.
  constexpr std::size_t kBucket = 32;
  std::vector<ir::Value> all;
  for (std::size_t i = 0; i < sums.size(); i += kBucket) {
    const auto begin = sums.begin() + static_cast<std::ptrdiff_t>(i);
    const std::vector<ir::Value> bucket(
        begin, begin + static_cast<std::ptrdiff_t>(std::min(kBucket, sums.size() - i)));
    const auto add = [](ir::Builder& b, std::span<const ir::Value> v) {
      return std::vector<ir::Value>{ops::add(b, v[0], v[1])};
    };
    for (const ir::Value& sum : ops::all_reduce(c.builder, bucket, ops::all_replicas(c.num_processes), add))
      all.push_back(sum);
  }
  return ReplicaResults(c.operands.size(), all);
}

}  // namespace

std::span<const ReplicaRule> replica_rules() {
  static constexpr ReplicaRule kRules[] = {
      {.op = "all_reduce", .of = rule, .num_rounds = 2, .knows_processes = true}};
  return kRules;
}

}  // namespace cornu::inline v0::transform::all_reduce_folder
