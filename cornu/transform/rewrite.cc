#include "cornu/transform/rewrite.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/ir/op_def.h"
#include "cornu/ir/region_map.h"

namespace cornu::inline v0::transform {
namespace {

/// A region's copy made by `copy_ops(builder, block, map)`.
template <typename CopyOps>
std::unique_ptr<ir::Block> copy_region(const ir::Block& region, const ValueMap& outer, CopyOps copy_ops) {
  auto copy = std::make_unique<ir::Block>();
  ValueMap map = ir::region_map(region, outer);
  for (const ir::Value& argument : region.arguments()) map[argument] = copy->add_argument(argument.type());
  ir::Builder builder(*copy);
  copy->set_results(copy_ops(builder, region, map));
  return copy;
}

void append_copy(ir::Builder& builder, const ir::Op& op, ValueMap& map,
                 std::vector<std::unique_ptr<ir::Block>> regions) {
  const ir::LocationScope location(builder, op.location());
  const ir::Op& copy =
      builder.create(op.def(), mapped(map, op.operands()), op.attributes(), std::move(regions));
  for (std::size_t i = 0; i < op.results().size(); ++i) map[op.result(i)] = copy.result(i);
}

class Inliner {
 public:
  explicit Inliner(KeepComposite keep) : keep_(keep) {}

  std::vector<ir::Value> operator()(ir::Builder& builder, const ir::Block& block, ValueMap& map) const {
    for (const auto& op : block.ops()) copy_or_inline(builder, *op, map);
    return mapped(map, block.results());
  }

 private:
  void copy_or_inline(ir::Builder& builder, const ir::Op& op, ValueMap& map) const {
    if (!op.def().is_composite() || (keep_ != nullptr && keep_(op))) {
      std::vector<std::unique_ptr<ir::Block>> regions;
      for (const auto& region : op.regions()) regions.push_back(copy_region(*region, map, *this));
      append_copy(builder, op, map, std::move(regions));
      return;
    }
    // The decomposition may contain composites: build it separately, then inline it.
    ir::Block scratch;
    ValueMap inner;
    std::vector<ir::Value> arguments;
    for (const ir::Value& operand : op.operands()) {
      arguments.push_back(scratch.add_argument(operand.type()));
      inner[arguments.back()] = mapped(map, operand);
    }
    ir::Builder scratch_builder(scratch);
    scratch.set_results(decompose(scratch_builder, op, arguments));
    const std::vector<ir::Value> results = (*this)(builder, scratch, inner);
    for (std::size_t i = 0; i < results.size(); ++i) map[op.result(i)] = results[i];
  }

  KeepComposite keep_;
};

class Replacer {
 public:
  explicit Replacer(const ReplaceOp& replace) : replace_(replace) {}

  std::vector<ir::Value> operator()(ir::Builder& builder, const ir::Block& block, ValueMap& map) const {
    for (const auto& op : block.ops()) copy_or_replace(builder, *op, map);
    return mapped(map, block.results());
  }

 private:
  void copy_or_replace(ir::Builder& builder, const ir::Op& op, ValueMap& map) const {
    const std::vector<ir::Value> operands = mapped(map, op.operands());
    {
      const ir::LocationScope location(builder, op.location());
      if (const auto results = replace_(builder, op, operands)) {
        for (std::size_t i = 0; i < results->size(); ++i) map[op.result(i)] = (*results)[i];
        return;
      }
    }
    std::vector<std::unique_ptr<ir::Block>> regions;
    for (const auto& region : op.regions()) regions.push_back(copy_region(*region, map, *this));
    append_copy(builder, op, map, std::move(regions));
  }

  const ReplaceOp& replace_;
};

template <typename CopyOps>
std::unique_ptr<ir::Function> copy_function(const ir::Function& function, const CopyOps& copy_ops) {
  auto copy = std::make_unique<ir::Function>();
  copy->name = function.name;
  ValueMap map;
  for (const ir::Value& argument : function.body.arguments())
    map[argument] = copy->body.add_argument(argument.type());
  ir::Builder builder(copy->body);
  copy->body.set_results(copy_ops(builder, function.body, map));
  return copy;
}

}  // namespace

bool has_op(const ir::Block& block, const std::function<bool(const ir::Op&)>& matches) {
  return std::ranges::any_of(block.ops(), [&](const auto& op) {
    return matches(*op) ||
           std::ranges::any_of(op->regions(), [&](const auto& region) { return has_op(*region, matches); });
  });
}

std::unique_ptr<ir::Function> clone_function(const ir::Function& function) {
  return copy_function(function, clone_ops);
}

std::vector<ir::Value> decompose(ir::Builder& builder, const ir::Op& composite,
                                 std::span<const ir::Value> operands) {
  CORNU_CHECK(composite.def().is_composite(), "{} is no composite", composite.name());
  const ir::LocationScope location(builder, composite.location());
  std::vector<ir::Value> results = composite.def().decompose(builder, operands, composite.attributes());
  CORNU_CHECK(results.size() == composite.results().size(), "{}: {} results", composite.name(),
              results.size());
  for (std::size_t i = 0; i < results.size(); ++i)
    CORNU_CHECK(results[i].type() == composite.result(i).type(), "{}: result {} is {}", composite.name(), i,
                results[i].type().str());
  return results;
}

std::unique_ptr<ir::Function> replace_ops(const ir::Function& function, const ReplaceOp& replace) {
  return copy_function(function, Replacer(replace));
}

std::unique_ptr<ir::Function> replace_matching(const ir::Function& function,
                                               const std::function<bool(const ir::Op&)>& matches,
                                               const ReplaceOp& replace) {
  if (!has_op(function.body, matches)) return nullptr;
  bool has_replaced = false;
  std::unique_ptr<ir::Function> copy =
      replace_ops(function, [&](ir::Builder& builder, const ir::Op& op, std::span<const ir::Value> operands) {
        Replacement results;
        if (matches(op)) results = replace(builder, op, operands);
        has_replaced |= results.has_value();
        return results;
      });
  return has_replaced ? std::move(copy) : nullptr;
}

std::unique_ptr<ir::Function> inline_composites(const ir::Function& function, KeepComposite keep) {
  return copy_function(function, Inliner(keep));
}

}  // namespace cornu::inline v0::transform
