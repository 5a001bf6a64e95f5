#include "cornu/transform/replicate.h"

#include <algorithm>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/ir/builder.h"
#include "cornu/ir/clone.h"
#include "cornu/transform/replica_rules.h"
#include "cornu/transform/row_rules.h"

namespace cornu::inline v0::transform {
namespace {

/// From values of the program to values of each replica.
using ReplicaMaps = std::vector<ir::ValueMap>;

std::vector<ir::Value> mapped_of_all(const ReplicaMaps& maps, std::span<const ir::Value> values) {
  std::vector<ir::Value> all;
  for (const ir::ValueMap& map : maps)
    for (const ir::Value& value : values) all.push_back(ir::mapped(map, value));
  return all;
}

void replicate_ops(ir::Builder& builder, const ir::Block& block, ReplicaMaps& maps);

/// A region for all replicas, with arguments and results of each.
std::unique_ptr<ir::Block> replicate_region(const ir::Block& region, ReplicaMaps maps) {
  auto copy = std::make_unique<ir::Block>();
  for (ir::ValueMap& map : maps)
    for (const ir::Value& argument : region.arguments()) map[argument] = copy->add_argument(argument.type());
  ir::Builder builder(*copy);
  replicate_ops(builder, region, maps);
  copy->set_results(mapped_of_all(maps, region.results()));
  return copy;
}

void replicate_collective(ir::Builder& builder, const ir::Op& op, const ReplicaRule& rule,
                          ReplicaMaps& maps) {
  std::vector<std::vector<ir::Value>> operands;
  for (const ir::ValueMap& map : maps) operands.push_back(ir::mapped(map, op.operands()));
  const ReplicaResults results = rule.of({builder, op, operands});
  CORNU_CHECK(results.size() == maps.size(), "{}: results of {} replicas", op.name(), results.size());
  for (std::size_t replica = 0; replica < maps.size(); ++replica)
    for (std::size_t i = 0; i < op.results().size(); ++i) {
      const ir::Value result = results[replica][i];
      CORNU_CHECK(result.type() == op.result(i).type(), "{}: result {} is {}", op.name(), i,
                  result.type().str());
      maps[replica][op.result(i)] = result;
    }
}

/// A loop or a branch in which replicas meet.
void replicate_control(ir::Builder& builder, const ir::Op& op, ReplicaMaps& maps) {
  const RowRule* const rule = find_row_rule(op);
  const RowRule::Control control = rule == nullptr ? RowRule::Control::kNone : rule->control;
  if (control == RowRule::Control::kNone)
    fail(ErrorCode::kUnimplemented, "[replicate] a collective cannot stand in the body of [{}]", op.name());
  const bool is_loop = control == RowRule::Control::kLoop;
  std::vector<std::unique_ptr<ir::Block>> regions;
  for (const auto& region : op.regions()) regions.push_back(replicate_region(*region, maps));
  // Of a loop the first region is the condition; a branch has one operand, which chooses.
  if (is_loop) regions[0]->set_results({regions[0]->results()[0]});
  std::vector<ir::Value> operands =
      is_loop ? mapped_of_all(maps, op.operands()) : ir::mapped(maps[0], op.operands());
  const ir::Op& copy = builder.create(op.def(), std::move(operands), op.attributes(), std::move(regions));
  std::size_t next = 0;
  for (ir::ValueMap& map : maps)
    for (const ir::Value& result : op.results()) map[result] = copy.result(next++);
}

void replicate_ops(ir::Builder& builder, const ir::Block& block, ReplicaMaps& maps) {
  for (const auto& op : block.ops()) {
    const ir::LocationScope location(builder, op->location());
    if (const ReplicaRule* const rule = find_replica_rule(*op))
      replicate_collective(builder, *op, *rule, maps);
    else if (is_collective(*op))
      replicate_control(builder, *op, maps);
    else
      for (ir::ValueMap& map : maps) ir::clone_op(builder, *op, map);
  }
}

}  // namespace

bool is_collective(const ir::Op& op) {
  if (find_replica_rule(op) != nullptr) return true;
  return std::any_of(op.regions().begin(), op.regions().end(), [](const auto& region) {
    return std::any_of(region->ops().begin(), region->ops().end(),
                       [](const auto& inner) { return is_collective(*inner); });
  });
}

std::unique_ptr<ir::Function> replicate(const ir::Function& function, std::int64_t num_replicas) {
  constexpr std::int64_t kMostReplicas = 4096;
  if (num_replicas < 1 || num_replicas > kMostReplicas)
    invalid_argument("[replicate] a program has 1 to {} replicas; got {}", kMostReplicas, num_replicas);
  auto result = std::make_unique<ir::Function>();
  result->name = function.name;
  ReplicaMaps maps(static_cast<std::size_t>(num_replicas));
  for (ir::ValueMap& map : maps)
    for (const ir::Value& argument : function.body.arguments())
      map[argument] = result->body.add_argument(argument.type());
  ir::Builder builder(result->body);
  replicate_ops(builder, function.body, maps);
  result->body.set_results(mapped_of_all(maps, function.body.results()));
  return result;
}

}  // namespace cornu::inline v0::transform
