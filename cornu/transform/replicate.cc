#include "cornu/transform/replicate.h"

#include <algorithm>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/ir/builder.h"
#include "cornu/transform/order_effects.h"
#include "cornu/transform/replica_rules.h"
#include "cornu/transform/rewrite.h"
#include "cornu/transform/row_rules.h"

namespace cornu::inline v0::transform {
namespace {

/// Maps from values of the program to values of each replica.
using ReplicaMaps = std::vector<ir::ValueMap>;

std::vector<ir::Value> mapped_of_all(const ReplicaMaps& maps, std::span<const ir::Value> values) {
  std::vector<ir::Value> all;
  for (const ir::ValueMap& map : maps)
    for (const ir::Value& value : values) all.push_back(ir::mapped(map, value));
  return all;
}

bool is_same_for_all(const ReplicaMaps& maps, std::span<const ir::Value> values) {
  return std::all_of(values.begin(), values.end(), [&](const ir::Value& value) {
    const ir::Value first = ir::mapped(maps[0], value);
    return std::all_of(maps.begin() + 1, maps.end(),
                       [&](const ir::ValueMap& map) { return ir::mapped(map, value) == first; });
  });
}

/// True if all replicas have the same operands of the op, also in its regions.
bool is_same_for_all(const ReplicaMaps& maps, const ir::Op& op) {
  return is_same_for_all(maps, op.operands()) &&
         (op.regions().empty() || is_same_for_all(maps, ir::captured_values(op)));
}

/// Appends one copy of an op whose results are the same for all replicas.
void share_op(ir::Builder& builder, const ir::Op& op, ReplicaMaps& maps) {
  ir::clone_op(builder, op, maps[0]);
  for (std::size_t replica = 1; replica < maps.size(); ++replica)
    for (const ir::Value& result : op.results()) maps[replica][result] = maps[0].at(result);
}

/// The condition of a loop or a branch that contains collectives.
enum class Condition {
  kOfReplica0,  // that of replica 0
  kOfAll,       // must be the same for all replicas, which the graph proves
};

struct How {
  Condition condition = Condition::kOfReplica0;
  std::int64_t num_processes = 1;  // each with the same number of replicas
};

void replicate_ops(ir::Builder& builder, const ir::Block& block, ReplicaMaps& maps, const How& how);

[[noreturn]] void refuse_condition(const ir::Op& op) {
  invalid_argument(
      "[{}] replicas meet inside (an all_reduce, or a variable with an aggregation), but each decides for "
      "itself whether to go there{}: let all decide alike, by an all_reduce of what they compare",
      op.name(), op.location().empty() ? std::string() : fmt::format("; in \"{}\"", op.location()));
}

/// True for the values of a loop or a branch that are the same for all replicas: they occur once.
using Shared = std::vector<bool>;

/// The values of replica 0, then the other replicas' values that are not shared.
std::vector<ir::Value> mapped_of_all(const ReplicaMaps& maps, std::span<const ir::Value> values,
                                     const Shared& shared) {
  std::vector<ir::Value> all;
  for (std::size_t replica = 0; replica < maps.size(); ++replica)
    for (std::size_t i = 0; i < values.size(); ++i)
      if (replica == 0 || !shared[i]) all.push_back(ir::mapped(maps[replica], values[i]));
  return all;
}

/// Maps values in the order of mapped_of_all to the results of `next`.
template <typename Next>
void map_for_all(ReplicaMaps& maps, std::span<const ir::Value> values, const Shared& shared, Next next) {
  for (std::size_t replica = 0; replica < maps.size(); ++replica)
    for (std::size_t i = 0; i < values.size(); ++i)
      maps[replica][values[i]] = replica == 0 || !shared[i] ? next(values[i]) : maps[0].at(values[i]);
}

/// Copies a region for all replicas. Results that differ between replicas lose their mark in `shared`.
std::unique_ptr<ir::Block> replicate_region(const ir::Block& region, ReplicaMaps maps,
                                            const Shared& arguments, Shared& results, const How& how) {
  auto copy = std::make_unique<ir::Block>();
  map_for_all(maps, region.arguments(), arguments,
              [&](const ir::Value& argument) { return copy->add_argument(argument.type()); });
  ir::Builder builder(*copy);
  replicate_ops(builder, region, maps, how);
  for (std::size_t i = 0; i < results.size(); ++i)
    results[i] = results[i] && is_same_for_all(maps, region.results().subspan(i, 1));
  copy->set_results(mapped_of_all(maps, region.results(), results));
  return copy;
}

/// Copies the condition of a loop. It may differ between replicas while the set of shared values is not
/// final.
std::unique_ptr<ir::Block> replicate_condition(const ir::Block& region, const ReplicaMaps& maps,
                                               const Shared& arguments, const How& how, bool& is_same) {
  Shared result(1, true);
  std::unique_ptr<ir::Block> copy = replicate_region(region, maps, arguments, result, how);
  is_same = result[0];
  copy->set_results({copy->results()[0]});
  return copy;
}

void replicate_collective(ir::Builder& builder, const ir::Op& op, const ReplicaRule& rule, ReplicaMaps& maps,
                          const How& how) {
  std::vector<std::vector<ir::Value>> operands;
  for (const ir::ValueMap& map : maps) operands.push_back(ir::mapped(map, op.operands()));
  const ReplicaRuleContext context{builder, op, operands, how.num_processes};
  const ReplicaResults results = how.num_processes == 1 || rule.supports_processes
                                     ? rule.of(context)
                                     : gathered_from_processes(context, rule.of);
  CORNU_CHECK(results.size() == maps.size(), "{}: results of {} replicas", op.name(), results.size());
  for (std::size_t replica = 0; replica < maps.size(); ++replica)
    for (std::size_t i = 0; i < op.results().size(); ++i) {
      const ir::Value result = results[replica][i];
      CORNU_CHECK(result.type() == op.result(i).type(), "{}: result {} is {}", op.name(), i,
                  result.type().str());
      maps[replica][op.result(i)] = result;
    }
}

/// Appends a loop or a branch with collectives for all replicas.
void replicate_control(ir::Builder& builder, const ir::Op& op, ReplicaMaps& maps, const How& how) {
  const RowRule* const rule = find_row_rule(op);
  const RowRule::Control control = rule == nullptr ? RowRule::Control::kNone : rule->control;
  if (control == RowRule::Control::kNone)
    fail(ErrorCode::kUnimplemented, "[replicate] a collective cannot stand in the body of [{}]", op.name());
  const bool is_loop = control == RowRule::Control::kLoop;
  // Start with all results shared: a value is shared if its input is, and the body computes it from shared
  // values.
  Shared shared(op.results().size(), true);
  for (std::size_t i = 0; is_loop && i < shared.size(); ++i)
    shared[i] = is_same_for_all(maps, op.operands().subspan(i, 1));
  bool is_same = is_loop || is_same_for_all(maps, op.operands());
  std::vector<std::unique_ptr<ir::Block>> regions;
  for (Shared before; before != shared;) {
    before = shared;
    regions.clear();
    // A loop's first region is the condition.
    for (const auto& region : op.regions())
      regions.push_back(is_loop && regions.empty() ? replicate_condition(*region, maps, before, how, is_same)
                                                   : replicate_region(*region, maps, before, shared, how));
  }
  if (how.condition == Condition::kOfAll && !is_same) refuse_condition(op);
  // A branch has one operand, the selector.
  std::vector<ir::Value> operands =
      is_loop ? mapped_of_all(maps, op.operands(), shared) : ir::mapped(maps[0], op.operands());
  const ir::Op& copy = builder.create(op.def(), std::move(operands), op.attributes(), std::move(regions));
  std::size_t next = 0;
  map_for_all(maps, op.results(), shared, [&](const ir::Value&) { return copy.result(next++); });
}

using OfProcesses = decltype(ReplicaRule::of_processes);

/// The decomposition of a composite.
struct Decomposition {
  std::unique_ptr<ir::Block> block;
  std::vector<ir::Value> arguments;  // the block's arguments: the composite's operands, and others
};

Decomposition decomposed(const ir::Op& composite, OfProcesses of_processes = nullptr) {
  Decomposition made{.block = std::make_unique<ir::Block>(), .arguments = {}};
  const auto argument_of = [&](ir::Value value) {
    made.arguments.push_back(value);
    return made.block->add_argument(value.type());
  };
  std::vector<ir::Value> operands, results;
  for (const ir::Value& operand : composite.operands()) operands.push_back(argument_of(operand));
  ir::Builder builder(*made.block);
  if (of_processes != nullptr) results = of_processes(builder, composite, operands, argument_of);
  made.block->set_results(results.empty() ? decompose(builder, composite, operands) : results);
  return made;
}

/// Appends the decomposition of a composite that contains collectives.
void replicate_composite(ir::Builder& builder, const ir::Op& op, const ReplicaRule& rule, ReplicaMaps& maps,
                         const How& how) {
  const bool is_of_processes = how.num_processes > 1 && maps.size() == 1;
  const auto [block, arguments] = decomposed(op, is_of_processes ? rule.of_processes : nullptr);
  ReplicaMaps inner(maps.size());
  for (std::size_t replica = 0; replica < maps.size(); ++replica)
    for (std::size_t i = 0; i < arguments.size(); ++i)
      inner[replica][block->arguments()[i]] = ir::mapped(maps[replica], arguments[i]);
  replicate_ops(builder, *block, inner, how);
  for (std::size_t replica = 0; replica < maps.size(); ++replica)
    for (std::size_t i = 0; i < op.results().size(); ++i)
      maps[replica][op.result(i)] = ir::mapped(inner[replica], block->results()[i]);
}

void replicate_ops(ir::Builder& builder, const ir::Block& block, ReplicaMaps& maps, const How& how) {
  for (const auto& op : block.ops()) {
    const ir::LocationScope location(builder, op->location());
    const ReplicaRule* const rule = find_replica_rule(*op);
    const bool is_kept = rule != nullptr && rule->runs_among_processes != nullptr && how.num_processes > 1 &&
                         maps.size() == 1 && rule->runs_among_processes(*op);
    if (is_kept)
      ir::clone_op(builder, *op, maps[0]);
    else if (rule != nullptr && rule->of == nullptr)
      replicate_composite(builder, *op, *rule, maps, how);
    else if (rule != nullptr)
      replicate_collective(builder, *op, *rule, maps, how);
    else if (is_collective(*op) && op->def().is_composite())  // in a region that only its gradient uses
      replicate_composite(builder, *op, {}, maps, how);
    else if (is_collective(*op))
      replicate_control(builder, *op, maps, how);
    else if (is_same_for_all(maps, *op) && !has_effects(*op))
      share_op(builder, *op, maps);
    else
      for (ir::ValueMap& map : maps) ir::clone_op(builder, *op, map);
  }
}

void add_work(const ir::Block& block, double num_replicas, runtime::ReplicaWork& work) {
  for (const auto& op : block.ops()) {
    for (const auto& region : op->regions()) add_work(*region, num_replicas, work);
    const ReplicaRule* const rule = find_replica_rule(*op);
    if (rule == nullptr || op->operands().empty()) continue;
    if (rule->of == nullptr) {
      add_work(*decomposed(*op).block, num_replicas, work);
      continue;
    }
    double bytes = 0;
    for (const ir::Value& operand : op->operands()) bytes += static_cast<double>(operand.type().size_bytes());
    // A round is n - 1 messages; sums are sent in n parts.
    const double num_messages = rule->num_rounds * (num_replicas - 1);
    work.num_messages += num_messages;
    const bool is_in_parts = rule->num_rounds > 1 || rule->sends_parts;
    work.exchanged_bytes += is_in_parts ? bytes * num_messages / num_replicas : bytes * num_messages;
  }
}

}  // namespace

runtime::ReplicaWork replica_work(const ir::Block& block, std::int64_t num_replicas) {
  runtime::ReplicaWork work{.num_replicas = num_replicas};
  if (num_replicas > 1) add_work(block, static_cast<double>(num_replicas), work);
  return work;
}

std::vector<CompositeWork> sharded_work(const ir::Block& block, std::int64_t num_replicas) {
  std::vector<CompositeWork> all;
  for (const auto& op : block.ops()) {
    for (const auto& region : op->regions())
      for (const CompositeWork& inner : sharded_work(*region, num_replicas)) all.push_back(inner);
    const ReplicaRule* const rule = find_replica_rule(*op);
    if (rule != nullptr && rule->of == nullptr)
      all.push_back({op.get(), replica_work(*decomposed(*op).block, num_replicas)});
  }
  return all;
}

void inline_replicas(ir::Builder& builder, const ir::Block& block, std::vector<ir::ValueMap>& maps,
                     std::int64_t num_processes) {
  replicate_ops(builder, block, maps, {.condition = Condition::kOfAll, .num_processes = num_processes});
}

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
  replicate_ops(builder, function.body, maps, {});
  result->body.set_results(mapped_of_all(maps, function.body.results()));
  return result;
}

}  // namespace cornu::inline v0::transform
