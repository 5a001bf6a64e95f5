#include "cornu/transform/order_effects.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/ir/builder.h"
#include "cornu/ir/clone.h"
#include "cornu/ir/op_def.h"
#include "cornu/ir/region_map.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/custom_call/host_call.h"
#include "cornu/transform/row_rules.h"

namespace cornu::inline v0::transform {
namespace {

using Regions = std::vector<std::unique_ptr<ir::Block>>;

bool block_has_effects(const ir::Block& block) {
  return std::any_of(block.ops().begin(), block.ops().end(),
                     [](const auto& op) { return transform::has_effects(*op); });
}

/// A block that is being built, its values by those of the original, and the token after its ops so far.
struct EffectScope {
  ir::Builder builder;
  ir::ValueMap map;
  ir::Value token;
};

void add_ops(EffectScope& scope, const ir::Block& block);

void map_results(EffectScope& scope, const ir::Op& op, const ir::Op& made) {
  for (std::size_t i = 0; i < op.results().size(); ++i) scope.map[op.result(i)] = made.result(i);
  scope.token = made.results().back();
}

/// Copies a branch; the token after it is its last result.
std::unique_ptr<ir::Block> branch(const EffectScope& outer, const ir::Block& region) {
  auto copy = std::make_unique<ir::Block>();
  EffectScope scope{ir::Builder(*copy), ir::region_map(region, outer.map), outer.token};
  add_ops(scope, region);
  std::vector<ir::Value> results = ir::mapped(scope.map, region.results());
  results.push_back(scope.token);
  copy->set_results(std::move(results));
  return copy;
}

void add_branches(EffectScope& scope, const ir::Op& op) {
  Regions regions;
  for (const auto& region : op.regions()) regions.push_back(branch(scope, *region));
  map_results(scope, op,
              scope.builder.create(op.def(), ir::mapped(scope.map, op.operands()), op.attributes(),
                                   std::move(regions)));
}

/// A region of a loop with its arguments, those of `region` and a token, and with others after them.
struct LoopRegion {
  LoopRegion(const EffectScope& outer, const ir::Block& region)
      : block(std::make_unique<ir::Block>()),
        scope{ir::Builder(*block), ir::region_map(region, outer.map), ir::Value()} {
    for (const ir::Value& argument : region.arguments())
      scope.map[argument] = block->add_argument(argument.type());
    scope.token = block->add_argument(ops::effect_token_type());
  }
  std::unique_ptr<ir::Block> block;
  EffectScope scope;
};

/// Computes a loop's condition from the values that it carries.
ir::Value add_condition(EffectScope& scope, const ir::Block& condition, std::span<const ir::Value> carried) {
  for (std::size_t i = 0; i < carried.size(); ++i) scope.map[condition.arguments()[i]] = carried[i];
  add_ops(scope, condition);
  return ir::mapped(scope.map, condition.results()[0]);
}

/// Appends a loop. If its condition has effects, the loop carries the condition's value: the condition is
/// computed once before the loop, and after each turn.
void add_loop(EffectScope& scope, const ir::Op& op) {
  const ir::Block &condition = op.region(0), &body = op.region(1);
  const bool carries_condition = block_has_effects(condition);
  std::vector<ir::Value> operands = ir::mapped(scope.map, op.operands());
  ir::Value first;
  if (carries_condition) {
    const std::vector<ir::Value> carried = operands;
    first = add_condition(scope, condition, carried);
  }
  operands.push_back(scope.token);
  if (carries_condition) operands.push_back(first);

  LoopRegion test(scope, condition), turn(scope, body);
  if (carries_condition) {
    test.block->set_results({test.block->add_argument(first.type())});
    turn.block->add_argument(first.type());
  } else {
    add_ops(test.scope, condition);
    test.block->set_results(ir::mapped(test.scope.map, condition.results()));
  }
  add_ops(turn.scope, body);
  std::vector<ir::Value> results = ir::mapped(turn.scope.map, body.results());
  ir::Value next;
  if (carries_condition) {
    const ir::ValueMap outer = ir::region_map(condition, scope.map);
    turn.scope.map.insert(outer.begin(), outer.end());
    const std::vector<ir::Value> carried = results;
    next = add_condition(turn.scope, condition, carried);
  }
  results.push_back(turn.scope.token);
  if (carries_condition) results.push_back(next);
  turn.block->set_results(std::move(results));

  Regions regions;
  regions.push_back(std::move(test.block));
  regions.push_back(std::move(turn.block));
  const ir::Op& made =
      scope.builder.create(op.def(), std::move(operands), op.attributes(), std::move(regions));
  map_results(scope, op, made);
  scope.token = made.result(op.results().size());
}

void add_op(EffectScope& scope, const ir::Op& op) {
  const ir::LocationScope location(scope.builder, op.location());
  if (ops::needs_token(op)) {
    map_results(scope, op,
                ops::call_with_token(scope.builder, op, ir::mapped(scope.map, op.operands()), scope.token));
    return;
  }
  if (!transform::has_effects(op)) {
    ir::clone_op(scope.builder, op, scope.map);
    return;
  }
  const RowRule* const rule = find_row_rule(op);
  const RowRule::Control control = rule == nullptr ? RowRule::Control::kNone : rule->control;
  switch (control) {
    case RowRule::Control::kLoop: return add_loop(scope, op);
    case RowRule::Control::kBranches: return add_branches(scope, op);
    case RowRule::Control::kNone: break;
  }
  fail(ErrorCode::kUnimplemented, "[host_call] a call with side effects cannot be in the body of [{}]",
       op.name());
}

void add_ops(EffectScope& scope, const ir::Block& block) {
  for (const auto& op : block.ops()) add_op(scope, *op);
}

}  // namespace

bool has_effects(const ir::Op& op) {
  return ops::needs_token(op) || std::any_of(op.regions().begin(), op.regions().end(),
                                             [](const auto& region) { return block_has_effects(*region); });
}

std::unique_ptr<ir::Function> order_effects(const ir::Function& function) {
  if (!block_has_effects(function.body)) return nullptr;
  auto ordered = std::make_unique<ir::Function>();
  ordered->name = function.name;
  EffectScope scope{ir::Builder(ordered->body), {}, ir::Value()};
  for (const ir::Value& argument : function.body.arguments())
    scope.map[argument] = ordered->body.add_argument(argument.type());
  scope.token = ops::constant(scope.builder, ir::Literal(ops::effect_token_type()));
  add_ops(scope, function.body);
  std::vector<ir::Value> results = ir::mapped(scope.map, function.body.results());
  results.push_back(scope.token);
  ordered->body.set_results(std::move(results));
  return ordered;
}

}  // namespace cornu::inline v0::transform
