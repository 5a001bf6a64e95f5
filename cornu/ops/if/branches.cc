#include "cornu/ops/if/branches.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/ir/clone.h"
#include "cornu/ops/constant/constant.h"

namespace cornu::inline v0::ops {

std::unique_ptr<ir::Block> make_branch(const ir::Builder& builder, const Branch& build) {
  auto block = std::make_unique<ir::Block>();
  ir::Builder inner(*block);
  inner.set_location(builder.location());
  block->set_results(build(inner));
  return block;
}

std::vector<ir::TensorType> branch_types(std::span<const std::unique_ptr<ir::Block>> branches,
                                         const BranchLabels& labels) {
  for (const auto& branch : branches)
    if (!branch->arguments().empty())
      invalid_argument("({}) a branch takes no arguments; got {}", labels.arguments,
                       branch->arguments().size());
  const std::span<const ir::Value> first = branches[0]->results();
  for (const auto& branch : branches) {
    const std::span<const ir::Value> other = branch->results();
    if (other.size() != first.size())
      invalid_argument("({}) all branches must return as many values; got {} and {}", labels.results,
                       first.size(), other.size());
    for (std::size_t i = 0; i < first.size(); ++i)
      if (first[i].type() != other[i].type())
        invalid_argument("({}) all branches must return the same types; value {} is {} and {}",
                         labels.results, i, first[i].type().str(), other[i].type().str());
  }
  std::vector<ir::TensorType> types;
  for (const ir::Value& result : first) types.push_back(result.type());
  return types;
}

std::vector<ir::Value> branches_gradient(const ir::GradientContext& context) {
  const ir::Op& op = context.op;
  std::vector<ir::Value> gradients(op.operands().size() + context.captured.size());
  if (context.captured.empty()) return gradients;
  std::vector<std::unique_ptr<ir::Block>> regions;
  for (const auto& branch : op.regions()) {
    regions.push_back(make_branch(context.builder, [&](ir::Builder& inner) {
      // The branch runs again: what it has computed was not kept.
      ir::ValueMap map;
      const std::vector<ir::Value> results = ir::clone_ops(inner, *branch, map);
      std::vector<ir::Value> flows =
          context.differentiate(inner, 0, results, context.result_gradients, context.captured);
      for (std::size_t i = 0; i < flows.size(); ++i)
        if (!flows[i]) flows[i] = full(inner, context.captured[i].type(), 0);
      return flows;
    }));
  }
  const ir::Op& gradient =
      context.builder.create(op.def(), {op.operand(0)}, op.attributes(), std::move(regions));
  std::copy(gradient.results().begin(), gradient.results().end(),
            gradients.begin() + static_cast<std::ptrdiff_t>(op.operands().size()));
  return gradients;
}

}  // namespace cornu::inline v0::ops
