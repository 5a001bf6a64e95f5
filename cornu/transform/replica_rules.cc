#include "cornu/transform/replica_rules.h"

#include <unordered_map>

#include "cornu/base/check.h"
#include "cornu/ops/collectives.h"
#include "cornu/ops/slice/slice.h"

namespace cornu::inline v0::transform {

const ReplicaRule* find_replica_rule(const ir::Op& op) {
  static const auto& rules = *new std::unordered_map<std::string_view, const ReplicaRule*>([] {
    std::unordered_map<std::string_view, const ReplicaRule*> all;
    for (const ReplicaRule& rule : all_replica_rules()) all.emplace(rule.op, &rule);
    return all;
  }());
  const auto found = rules.find(op.name());
  return found == rules.end() ? nullptr : found->second;
}

std::vector<ir::Dims> groups_of_all(const ReplicaRuleContext& c) {
  ops::ReplicaGroups groups = ops::replica_groups(c.op.attributes());
  const std::size_t named = groups.groups.size() * groups.groups[0].size();
  if (std::cmp_not_equal(named, c.num_replicas()))
    invalid_argument("[{}] replica_groups name {} replicas; the program has {}", c.op.name(), named,
                     c.num_replicas());
  return std::move(groups.groups);
}

std::vector<ir::Dims> groups_of_some(const ReplicaRuleContext& c, std::vector<ir::Dims> groups) {
  const bool is_of_partitions = c.op.attributes().get<std::int64_t>("channel_id") > 0;
  const std::int64_t count = is_of_partitions ? 1 : c.num_replicas();
  for (const ir::Dims& group : groups)
    for (const std::int64_t member : group)
      if (member >= count)
        invalid_argument("[{}] there is no {} {}: the program has {}", c.op.name(),
                         is_of_partitions ? "partition" : "replica", member, count);
  if (!is_of_partitions || groups.empty()) return groups;
  const std::size_t size = groups[0].size();
  groups.clear();
  for (std::int64_t replica = 0; replica < c.num_replicas(); ++replica) groups.emplace_back(size, replica);
  return groups;
}

ir::Value part_of(ir::Builder& builder, ir::Value x, std::int64_t dimension, std::int64_t i,
                  std::int64_t count) {
  ir::Dims begin(x.dims().size(), 0), end = x.dims();
  const std::int64_t extent = end[as_index(dimension)] / count;
  begin[as_index(dimension)] = i * extent;
  end[as_index(dimension)] = (i + 1) * extent;
  return ops::slice(builder, x, begin, end, ir::Dims(x.dims().size(), 1));
}

ir::Value combined(const ReplicaRuleContext& c, const ir::Dims& group, std::size_t i) {
  ir::Value result = c.operand(group[0], i);
  for (std::size_t member = 1; member < group.size(); ++member)
    result = ops::combine_by(c.builder, c.op.region(0), result, c.operand(group[member], i));
  return result;
}

}  // namespace cornu::inline v0::transform
