#include "cornu/ir/clone.h"

#include <algorithm>
#include <unordered_set>

#include "cornu/ir/op_def.h"
#include "cornu/ir/region_map.h"

namespace cornu::inline v0::ir {
namespace {

using ValueSet = std::unordered_set<Value, ValueHash>;

struct Captured {
  ValueSet defined, seen;
  std::vector<Value> values;

  void use(Value value) {
    if (!defined.contains(value) && seen.insert(value).second) values.push_back(value);
  }
  void collect(const Block& block) {
    defined.insert(block.arguments().begin(), block.arguments().end());
    for (const auto& op : block.ops()) {
      for (const Value& operand : op->operands()) use(operand);
      for (const auto& region : op->regions()) collect(*region);
      defined.insert(op->results().begin(), op->results().end());
    }
    for (const Value& result : block.results()) use(result);
  }
};

/// Adds the values that `op` reads, also in its regions.
void add_uses(const Op& op, ValueSet& used) {
  used.insert(op.operands().begin(), op.operands().end());
  for (const auto& region : op.regions()) {
    used.insert(region->results().begin(), region->results().end());
    for (const auto& inner : region->ops()) add_uses(*inner, used);
  }
}

}  // namespace

Value mapped(const ValueMap& map, Value value) {
  const auto found = map.find(value);
  return found == map.end() ? value : found->second;
}

std::vector<Value> mapped(const ValueMap& map, std::span<const Value> values) {
  std::vector<Value> result;
  result.reserve(values.size());
  for (const Value& value : values) result.push_back(mapped(map, value));
  return result;
}

Op& clone_op(Builder& builder, const Op& op, ValueMap& map) {
  std::vector<std::unique_ptr<Block>> regions;
  for (const auto& region : op.regions()) regions.push_back(clone_block(*region, map));
  const LocationScope location(builder, op.location());
  Op& copy = builder.create(op.def(), mapped(map, op.operands()), op.attributes(), std::move(regions));
  for (std::size_t i = 0; i < op.results().size(); ++i) map[op.result(i)] = copy.result(i);
  return copy;
}

std::vector<Value> clone_ops(Builder& builder, const Block& block, ValueMap& map) {
  for (const auto& op : block.ops()) clone_op(builder, *op, map);
  return mapped(map, block.results());
}

std::vector<Value> clone_needed_ops(Builder& builder, const Block& block, std::span<const Value> wanted,
                                    ValueMap& map) {
  for (const Op* op : needed_ops(block, wanted)) clone_op(builder, *op, map);
  return mapped(map, wanted);
}

std::unique_ptr<Block> clone_block(const Block& block, const ValueMap& outer) {
  auto copy = std::make_unique<Block>();
  ValueMap map = region_map(block, outer);
  for (const Value& argument : block.arguments()) map[argument] = copy->add_argument(argument.type());
  Builder builder(*copy);
  copy->set_results(clone_ops(builder, block, map));
  return copy;
}

ValueMap region_map(const Block& region, const ValueMap& outer) {
  Captured captured;
  captured.collect(region);
  ValueMap map;
  for (const Value& value : captured.values)
    if (const auto found = outer.find(value); found != outer.end()) map.insert(*found);
  return map;
}

std::vector<const Op*> needed_ops(const Block& block, std::span<const Value> wanted) {
  ValueSet used(wanted.begin(), wanted.end());
  std::vector<const Op*> needed;
  for (std::size_t i = block.ops().size(); i-- > 0;) {
    const Op& op = *block.ops()[i];
    if (std::none_of(op.results().begin(), op.results().end(),
                     [&](Value result) { return used.contains(result); }))
      continue;
    add_uses(op, used);
    needed.push_back(&op);
  }
  std::reverse(needed.begin(), needed.end());
  return needed;
}

std::vector<Value> captured_values(const Op& op) {
  Captured captured;
  for (const auto& region : op.regions()) captured.collect(*region);
  return captured.values;
}

}  // namespace cornu::inline v0::ir
