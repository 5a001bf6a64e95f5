#include "cornu/transform/batch_dependence.h"

#include <algorithm>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/ir/builder.h"
#include "cornu/ir/clone.h"
#include "cornu/transform/rewrite.h"
#include "cornu/transform/row_rules.h"

namespace cornu::inline v0::transform {

BatchDependenceAnalysis::BatchDependenceAnalysis(std::int64_t batch) : batch_(batch) {
  CORNU_CHECK(batch >= 2, "a batch of {} has no padding", batch);
}

BatchDependence BatchDependenceAnalysis::of(ir::Value value) const {
  if (const auto found = fixed_.find(value); found != fixed_.end()) return found->second;
  const auto found = known_.find(value);
  return found == known_.end() ? BatchDependence() : found->second;
}

void BatchDependenceAnalysis::run(const ir::Block& block) {
  for (const auto& op : block.ops()) {
    std::vector<BatchDependence> results = results_of(*op);
    for (std::size_t i = 0; i < results.size(); ++i)
      known_[op->result(i)] = with_rows_of_shape(op->result(i), std::move(results[i]));
  }
}

BatchDependence BatchDependenceAnalysis::with_rows_of_shape(ir::Value value, BatchDependence found) const {
  const auto shapes = shaped_like_.find(value);
  if (shapes == shaped_like_.end() || !found.is_none()) return found;
  for (const ShapedLike& like : shapes->second) {
    BatchDependence rows = of(like.value);
    if (rows.is_none()) continue;
    rows.repeats = rows.is_rows() && like.is_uniform;
    rows.padding = std::move(found.padding);
    return rows;
  }
  return found;
}

std::vector<BatchDependence> BatchDependenceAnalysis::results_of(const ir::Op& op) {
  const RowRule* const rule = find_row_rule(op);
  if (rule != nullptr && rule->control == RowRule::Control::kLoop) return of_loop(op);
  if (rule != nullptr && rule->control == RowRule::Control::kBranches) return of_branches(op);
  std::vector<BatchDependence> operands;
  for (const ir::Value& operand : op.operands()) operands.push_back(of(operand));
  const auto all = [&](const BatchDependence& result) {
    return std::vector<BatchDependence>(op.results().size(), result);
  };
  for (const BatchDependence& operand : operands)
    if (operand.is_mixed()) return all(operand);
  const bool has_rule = rule != nullptr && rule->of != nullptr;
  if (op.def().is_composite() && !op.def().elementwise && !has_rule) return of_composite(op, operands);
  for (const ir::Value& captured : captured_values(op))  // for example in the body of a reduction
    if (!of(captured).is_none()) return all(mixed_by(op));
  return batch_dependence_of({op, operands, batch_});
}

std::vector<BatchDependence> BatchDependenceAnalysis::of_composite(
    const ir::Op& op, std::span<const BatchDependence> operands) {
  if (std::all_of(operands.begin(), operands.end(),
                  [](const BatchDependence& operand) { return operand.is_none(); }))
    return std::vector<BatchDependence>(op.results().size());
  ir::Block scratch;
  std::vector<ir::Value> arguments;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    arguments.push_back(scratch.add_argument(op.operand(i).type()));
    known_[arguments.back()] = operands[i];
  }
  ir::Builder builder(scratch);
  const std::vector<ir::Value> values = decompose(builder, op, arguments);
  run(scratch);
  std::vector<BatchDependence> results;
  results.reserve(values.size());
  for (const ir::Value& value : values) results.push_back(of(value));
  // The values of `scratch` are destroyed with it, and their addresses may be reused.
  for (const ir::Value& argument : arguments) known_.erase(argument);
  for (const auto& inside : scratch.ops())
    for (const ir::Value& result : inside->results()) known_.erase(result);
  return results;
}

std::vector<BatchDependence> BatchDependenceAnalysis::of_loop(const ir::Op& op) {
  const ir::Block &condition = op.region(0), &body = op.region(1);
  std::vector<BatchDependence> carried;
  for (const ir::Value& operand : op.operands()) carried.push_back(of(operand));
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < carried.size(); ++i)
      known_[condition.arguments()[i]] = known_[body.arguments()[i]] = carried[i];
    run(condition);
    run(body);
    for (std::size_t i = 0; i < carried.size(); ++i) {
      BatchDependence after = either(carried[i], of(body.results()[i]), op);
      if (after == carried[i]) continue;
      carried[i] = std::move(after);
      changed = true;
    }
  }
  if (of(condition.results()[0]).is_none()) return carried;
  return std::vector<BatchDependence>(carried.size(), mixed_by(op));  // padding could prolong the loop
}

std::vector<BatchDependence> BatchDependenceAnalysis::of_branches(const ir::Op& op) {
  std::vector<BatchDependence> results;
  for (const auto& branch : op.regions()) {
    run(*branch);
    for (std::size_t i = 0; i < op.results().size(); ++i) {
      const BatchDependence result = of(branch->results()[i]);
      if (results.size() == i) {
        results.push_back(result);
      } else {
        results[i] = either(results[i], result, op);
      }
    }
  }
  const BatchDependence chooser = of(op.operand(0));
  if (!chooser.is_none())
    std::fill(results.begin(), results.end(), chooser.is_mixed() ? chooser : mixed_by(op));
  return results;
}

}  // namespace cornu::inline v0::transform
