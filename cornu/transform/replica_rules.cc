#include "cornu/transform/replica_rules.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/ops/all_gather/all_gather.h"
#include "cornu/ops/collectives.h"
#include "cornu/ops/concatenate/concatenate.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/convert/convert.h"
#include "cornu/ops/dynamic_slice/dynamic_slice.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/replica_id/replica_id.h"
#include "cornu/ops/reshape/reshape.h"
#include "cornu/ops/slice/slice.h"

namespace cornu::inline v0::transform {

namespace {

/// Stacks values of one type along a new first dimension.
ir::Value stacked(ir::Builder& b, std::vector<ir::Value> values) {
  ir::Dims dims = values[0].dims();
  dims.insert(dims.begin(), 1);
  for (ir::Value& value : values) value = ops::reshape(b, value, dims);
  return values.size() == 1 ? values[0] : ops::concatenate(b, values, 0);
}

/// Element i of a stack made by stacked().
ir::Value unstacked(ir::Builder& b, ir::Value stack, std::int64_t i) {
  ir::Dims dims = stack.dims();
  const ir::Value part = part_of(b, stack, 0, i, dims[0]);
  dims.erase(dims.begin());
  return ops::reshape(b, part, dims);
}

/// One of several values of one type, by an i32 scalar; the nearest if it is no value's number.
ir::Value chosen(ir::Builder& b, std::vector<ir::Value> values, ir::Value number) {
  const ir::Value stack = stacked(b, std::move(values));
  std::vector<ir::Value> starts(stack.dims().size(), ops::scalar(b, number.dtype(), 0));
  starts[0] = number;
  ir::Dims sizes = stack.dims();
  sizes[0] = 1;
  return unstacked(b, ops::dynamic_slice(b, stack, starts, sizes), 0);
}

}  // namespace

std::vector<ir::Dims> groups_of_all(const ReplicaRuleContext& c) {
  ops::ReplicaGroups groups = ops::replica_groups(c.op.attributes());
  std::size_t named = 0;
  for (const ir::Dims& group : groups.groups) named += group.size();
  if (groups.num_partitions > 1)
    invalid_argument("[{}] the result is made of parts of {} partitions; the program has one", c.op.name(),
                     groups.num_partitions);
  if (std::cmp_not_equal(named, c.num_replicas()))
    invalid_argument("[{}] replica_groups name {} replicas; the program has {}", c.op.name(), named,
                     c.num_replicas());
  return std::move(groups.groups);
}

std::vector<ir::Dims> groups_of_replicas(const ReplicaRuleContext& c) {
  std::vector<ir::Dims> groups = ops::replica_groups(c.op.attributes()).groups;
  for (const ir::Dims& group : groups)
    for (const std::int64_t member : group)
      if (member >= c.num_replicas())
        invalid_argument("[{}] there is no replica {}: the program has {}", c.op.name(), member,
                         c.num_replicas());
  return groups;
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
  std::vector<ir::Value> parts;
  for (const std::int64_t member : group) parts.push_back(c.operand(member, i));
  while (parts.size() > 1) {
    std::vector<ir::Value> sums;
    for (std::size_t k = 0; k < parts.size(); k += 2)
      sums.push_back(k + 1 < parts.size() ? ops::combine_by(c.builder, c.op.region(0), parts[k], parts[k + 1])
                                          : parts[k]);
    parts = std::move(sums);
  }
  return parts[0];
}

void fill_with_zeros(const ReplicaRuleContext& c, ReplicaResults& results) {
  for (std::vector<ir::Value>& result : results)
    if (result.empty())
      for (const ir::Value& value : c.op.results()) result.push_back(ops::full(c.builder, value.type(), 0));
}

ir::Value root_of(const ReplicaRuleContext& c, std::int64_t replica, std::size_t i) {
  const auto at = static_cast<std::int64_t>(i);
  const ir::Value roots = c.operand(replica, c.op.operands().size() - 1);
  return ops::reshape(c.builder, ops::slice(c.builder, roots, {at}, {at + 1}, {1}), {});
}

ir::Value of_member(const ReplicaRuleContext& c, const ir::Dims& group, std::size_t i, ir::Value number) {
  std::vector<ir::Value> values;
  for (const std::int64_t member : group) values.push_back(c.operand(member, i));
  return chosen(c.builder, std::move(values), number);
}

namespace {

/// Selects element `first` + i of the values of all replicas, where `first` depends on the process.
ir::Value own_of_all(ir::Builder& b, std::vector<ir::Value> values, ir::Value first, std::int64_t i) {
  const bool is_same = std::all_of(values.begin(), values.end(), [&](ir::Value v) { return v == values[0]; });
  if (is_same) return values[0];
  return chosen(b, std::move(values),
                ops::add(b, first, ops::scalar(b, ir::DType::kI32, static_cast<double>(i))));
}

}  // namespace

std::vector<ir::Value> gathered_from_processes(const ReplicaRuleContext& c, std::vector<ir::Value> own) {
  ir::Builder& b = c.builder;
  const ir::Value all = ops::all_gather(b, stacked(b, std::move(own)), 0, ops::all_replicas(c.num_processes));
  const std::int64_t num_all = c.num_replicas() * c.num_processes;
  std::vector<ir::Value> of_each;
  of_each.reserve(as_index(num_all));
  for (std::int64_t replica = 0; replica < num_all; ++replica) of_each.push_back(unstacked(b, all, replica));
  return of_each;
}

ReplicaResults gathered_from_processes(const ReplicaRuleContext& c,
                                       ReplicaResults (*of)(const ReplicaRuleContext& context)) {
  ir::Builder& b = c.builder;
  const std::int64_t num_local = c.num_replicas(), num_all = num_local * c.num_processes;
  std::vector<std::vector<ir::Value>> operands(as_index(num_all));
  for (std::size_t i = 0; i < c.op.operands().size(); ++i) {
    std::vector<ir::Value> own;
    own.reserve(as_index(num_local));
    for (std::int64_t replica = 0; replica < num_local; ++replica) own.push_back(c.operand(replica, i));
    const std::vector<ir::Value> all = gathered_from_processes(c, std::move(own));
    for (std::int64_t replica = 0; replica < num_all; ++replica)
      operands[as_index(replica)].push_back(all[as_index(replica)]);
  }
  const ReplicaResults all = of({b, c.op, operands});
  const ir::Value process = ops::convert(b, ops::replica_id(b), ir::DType::kI32);
  const ir::Value first =
      ops::multiply(b, process, ops::scalar(b, ir::DType::kI32, static_cast<double>(num_local)));
  ReplicaResults results(as_index(num_local));
  for (std::int64_t replica = 0; replica < num_local; ++replica)
    for (std::size_t k = 0; k < c.op.results().size(); ++k) {
      std::vector<ir::Value> values;
      for (const std::vector<ir::Value>& of_replica : all) values.push_back(of_replica[k]);
      results[as_index(replica)].push_back(own_of_all(b, std::move(values), first, replica));
    }
  return results;
}

}  // namespace cornu::inline v0::transform
