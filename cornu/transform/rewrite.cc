#include "cornu/transform/rewrite.h"

#include "cornu/base/check.h"
#include "cornu/ir/op_def.h"

namespace cornu::inline v0::transform {
namespace {

void inline_into(ir::Builder& builder, const ir::Op& op, ValueMap& map);

std::vector<ir::Value> inline_block(ir::Builder& builder, const ir::Block& block, ValueMap& map) {
  for (const auto& op : block.ops()) inline_into(builder, *op, map);
  return mapped(map, block.results());
}

/// A region's copy made by `copy_ops(builder, block, map)`.
template <typename CopyOps>
std::unique_ptr<ir::Block> copy_region(const ir::Block& region, const ValueMap& outer, CopyOps copy_ops) {
  auto copy = std::make_unique<ir::Block>();
  ValueMap map = outer;
  for (const ir::Value& argument : region.arguments()) map[argument] = copy->add_argument(argument.type());
  ir::Builder builder(*copy);
  copy->set_results(copy_ops(builder, region, map));
  return copy;
}

void append_copy(ir::Builder& builder, const ir::Op& op, ValueMap& map, std::vector<std::unique_ptr<ir::Block>> regions) {
  const ir::LocationScope location(builder, op.location());
  const ir::Op& copy = builder.create(op.def(), mapped(map, op.operands()), op.attributes(), std::move(regions));
  for (std::size_t i = 0; i < op.results().size(); ++i) map[op.result(i)] = copy.result(i);
}

void inline_into(ir::Builder& builder, const ir::Op& op, ValueMap& map) {
  if (!op.def().is_composite()) {
    std::vector<std::unique_ptr<ir::Block>> regions;
    for (const auto& region : op.regions()) regions.push_back(copy_region(*region, map, inline_block));
    append_copy(builder, op, map, std::move(regions));
    return;
  }
  // The decomposition may hold composites again: make it apart, then inline it.
  ir::Block scratch;
  ValueMap inner;
  std::vector<ir::Value> arguments;
  for (const ir::Value& operand : op.operands()) {
    arguments.push_back(scratch.add_argument(operand.type()));
    inner[arguments.back()] = mapped(map, operand);
  }
  ir::Builder scratch_builder(scratch);
  scratch.set_results(decompose(scratch_builder, op, arguments));
  const std::vector<ir::Value> results = inline_block(builder, scratch, inner);
  for (std::size_t i = 0; i < results.size(); ++i) map[op.result(i)] = results[i];
}

std::unique_ptr<ir::Function> copy_function(const ir::Function& function,
                                            std::vector<ir::Value> (*copy_ops)(ir::Builder&, const ir::Block&, ValueMap&)) {
  auto copy = std::make_unique<ir::Function>();
  copy->name = function.name;
  ValueMap map;
  for (const ir::Value& argument : function.body.arguments()) map[argument] = copy->body.add_argument(argument.type());
  ir::Builder builder(copy->body);
  copy->body.set_results(copy_ops(builder, function.body, map));
  return copy;
}

}  // namespace

std::unique_ptr<ir::Function> clone_function(const ir::Function& function) { return copy_function(function, clone_ops); }

std::vector<ir::Value> decompose(ir::Builder& builder, const ir::Op& composite, std::span<const ir::Value> operands) {
  CORNU_CHECK(composite.def().is_composite(), "{} is no composite", composite.name());
  const ir::LocationScope location(builder, composite.location());
  std::vector<ir::Value> results = composite.def().decompose(builder, operands, composite.attributes());
  CORNU_CHECK(results.size() == composite.results().size(), "{}: {} results", composite.name(), results.size());
  for (std::size_t i = 0; i < results.size(); ++i)
    CORNU_CHECK(results[i].type() == composite.result(i).type(), "{}: result {} is {}", composite.name(), i, results[i].type().str());
  return results;
}

std::unique_ptr<ir::Function> inline_composites(const ir::Function& function) { return copy_function(function, inline_block); }

}  // namespace cornu::inline v0::transform
