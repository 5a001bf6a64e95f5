#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include "cornu/ops/all_reduce/all_reduce.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/reduce/scalar_body.h"
#include "cornu/transform/op_rules.h"

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

/// True if processes can add up their own sums: the op is a sum over all replicas,
/// of whole subtrees of combined().
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

using Values = std::vector<ir::Value>;  // one of each replica

Values operands_of(const Values& values, std::size_t i) {
  Values operands;
  for (const ir::Value& value : values) operands.push_back(value.op()->operand(i));
  return operands;
}

// pattern: a table's gradient, which rows that ids name make
bool is_row_gradient(const ir::Op& op) { return op.name() == "cornu.embedding_lookup_gradient"; }

/// The number of ids that name the nonzero rows of a replica's tables: gradients of lookups, sums and
/// conversions of them. Nothing for any other tensor.
std::optional<std::int64_t> num_named_rows(const Values& values) {
  for (const ir::Value& value : values)
    if (value.op() == nullptr || value.op()->name() != values[0].op()->name()) return std::nullopt;
  const ir::Op& op = *values[0].op();
  if (is_row_gradient(op)) return op.operand(1).type().num_elements();
  // pattern: zeros stay zeros
  if (op.name() != "add" && op.name() != "convert") return std::nullopt;
  std::int64_t count = 0;
  for (std::size_t i = 0; i < op.operands().size(); ++i) {
    const std::optional<std::int64_t> of_operand = num_named_rows(operands_of(values, i));
    if (!of_operand) return std::nullopt;
    count += *of_operand;
  }
  return count;
}

/// True if rows need fewer bytes to send, and are added up as fast: a large table, most of whose rows stay
/// zero in all replicas together, and few replicas, each of which is an operand of each row's sum.
bool goes_by_rows(const ReplicaRuleContext& c, const Values& values) {
  constexpr std::int64_t kLeastElements = 1 << 18;  // 1 MiB of f32
  constexpr std::int64_t kMostReplicas = 8;
  const std::int64_t num_all = c.num_replicas() * c.num_processes;
  if (values[0].type().num_elements() < kLeastElements || num_all > kMostReplicas) return false;
  const std::optional<std::int64_t> count = num_named_rows(values);
  return count && 2 * *count * num_all <= values[0].dims()[0];
}

/// The tables of all replicas, those of other processes too: made here, of ids and rows that were gathered.
Values tables_of_all(const ReplicaRuleContext& c, const Values& values) {
  const ir::Op& op = *values[0].op();
  std::vector<Values> operands;
  for (std::size_t i = 0; i < op.operands().size(); ++i) {
    const Values own = operands_of(values, i);
    operands.push_back(is_row_gradient(op) ? gathered_from_processes(c, own) : tables_of_all(c, own));
  }
  Values tables;
  for (std::size_t replica = 0; replica < operands[0].size(); ++replica) {
    Values of_replica;
    for (const Values& of_all : operands) of_replica.push_back(of_all[replica]);
    tables.push_back(c.builder.create(op.def(), std::move(of_replica), op.attributes()).result());
  }
  return tables;
}

/// The sum of tables that go by rows: what it is where all replicas are in one process, so to the same bits.
ir::Value sum_of_rows(const ReplicaRuleContext& c, const Values& values) {
  std::vector<Values> tables;
  for (const ir::Value& table : tables_of_all(c, values)) tables.push_back({table});
  const ir::Dims all = ops::all_replicas(static_cast<std::int64_t>(tables.size())).groups[0];
  return combined({c.builder, c.op, tables}, all, 0);
}

ReplicaResults rule(const ReplicaRuleContext& c) {
  if (c.num_processes == 1) return rule_of_graph(c);
  if (!adds_up_in_processes(c)) return gathered_from_processes(c, &rule_of_graph);
  const ir::Dims own = ops::all_replicas(c.num_replicas()).groups[0];
  std::vector<ir::Value> all(c.op.operands().size()), sums;
  for (std::size_t i = 0; i < all.size(); ++i) {
    Values values;
    for (const std::int64_t replica : own) values.push_back(c.operand(replica, i));
    if (goes_by_rows(c, values))
      all[i] = sum_of_rows(c, values);
    else
      sums.push_back(combined(c, own, i));
  }
  // Buckets of as many tensors as a kernel of an engine takes.
  constexpr std::size_t kBucket = 32;
  auto next = all.begin();
  for (std::size_t i = 0; i < sums.size(); i += kBucket) {
    const auto begin = sums.begin() + static_cast<std::ptrdiff_t>(i);
    const std::vector<ir::Value> bucket(
        begin, begin + static_cast<std::ptrdiff_t>(std::min(kBucket, sums.size() - i)));
    for (const ir::Value& sum :
         ops::all_reduce(c.builder, bucket, ops::all_replicas(c.num_processes), ops::add_scalars)) {
      while (*next) ++next;
      *next = sum;
    }
  }
  return ReplicaResults(c.operands.size(), all);
}

}  // namespace

std::span<const OpRule> op_rules() {
  static constexpr OpRule kRules[] = {
      {.op = "all_reduce", .replicas = ReplicaRule{.of = rule, .num_rounds = 2, .supports_processes = true}}};
  return kRules;
}

}  // namespace cornu::inline v0::transform::all_reduce_folder
