#include "cornu/ops/custom_gradient/custom_gradient.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/ir/clone.h"
#include "cornu/ops/constant/constant.h"

namespace cornu::inline v0::ops {
namespace custom_gradient_folder {
namespace {

std::size_t count_of(const ir::Attributes& attributes, std::string_view name) {
  return static_cast<std::size_t>(attributes.get<std::int64_t>(name));
}

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  const std::size_t num_results = count_of(context.attributes, "num_results"),
                    num_inputs = count_of(context.attributes, "num_inputs");
  if (context.regions.size() != 1)
    invalid_argument("there must be one region; got {}", context.regions.size());
  const ir::Block& region = *context.regions[0];
  const std::size_t num_captured = context.operands.size() - num_results - num_inputs;
  if (region.arguments().size() != num_captured + num_results || region.results().size() != num_inputs)
    invalid_argument(
        "the gradient must map {} captured values and {} result gradients to {} input gradients; it maps {} "
        "values to {}",
        num_captured, num_results, num_inputs, region.arguments().size(), region.results().size());
  for (std::size_t i = 0; i < num_inputs; ++i)
    if (region.results()[i].type() != context.type(num_results + i))
      invalid_argument("gradient {} is {}, its input {}", i, region.results()[i].type().str(),
                       context.type(num_results + i).str());
  std::vector<ir::TensorType> types;
  types.reserve(num_results);
  for (std::size_t i = 0; i < num_results; ++i) types.push_back(context.type(i));
  return types;
}

std::vector<ir::Value> decompose(ir::Builder&, std::span<const ir::Value> operands,
                                 const ir::Attributes& attributes) {
  const auto results = operands.first(count_of(attributes, "num_results"));
  return {results.begin(), results.end()};
}

std::vector<ir::Value> gradient(const ir::GradientContext& context) {
  const ir::Op& op = context.op;
  const ir::Block& region = op.region(0);
  const std::size_t num_results = op.results().size(), num_inputs = region.results().size();
  const std::size_t num_captured = region.arguments().size() - num_results;
  ir::ValueMap map;
  for (std::size_t i = 0; i < num_captured; ++i)
    map[region.arguments()[i]] = op.operand(num_results + num_inputs + i);
  for (std::size_t i = 0; i < num_results; ++i) {
    const ir::Value given = context.result_gradients[i];
    map[region.arguments()[num_captured + i]] = given ? given : full(context.builder, op.result(i).type(), 0);
  }
  std::vector<ir::Value> gradients(op.operands().size());
  const std::vector<ir::Value> inputs = ir::clone_ops(context.builder, region, map);
  std::copy(inputs.begin(), inputs.end(), gradients.begin() + static_cast<std::ptrdiff_t>(num_results));
  return gradients;
}

/// Passes gradients to the inputs only, which follow the results and precede the captured values.
bool passes_gradient_to(const ir::Op& op, std::size_t operand) {
  const std::size_t first = op.results().size();
  return operand >= first && operand - first < op.region(0).results().size();
}

const ir::OpDef kCustomGradient = {.name = "cornu.custom_gradient",
                                   .infer = infer,
                                   .gradient = gradient,
                                   .passes_gradient_to = passes_gradient_to,
                                   .decompose = decompose,
                                   .has_regions = true};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kCustomGradient>(); }

}  // namespace custom_gradient_folder

std::vector<ir::Value> custom_gradient(ir::Builder& builder, std::span<const ir::Value> results,
                                       std::span<const ir::Value> inputs, std::span<const ir::Value> captured,
                                       std::unique_ptr<ir::Block> gradient) {
  std::vector<ir::Value> operands(results.begin(), results.end());
  operands.insert(operands.end(), inputs.begin(), inputs.end());
  operands.insert(operands.end(), captured.begin(), captured.end());
  std::vector<std::unique_ptr<ir::Block>> regions;
  regions.push_back(std::move(gradient));
  const ir::Op& op = builder.create(custom_gradient_folder::kCustomGradient, std::move(operands),
                                    {{"num_results", static_cast<std::int64_t>(results.size())},
                                     {"num_inputs", static_cast<std::int64_t>(inputs.size())}},
                                    std::move(regions));
  return {op.results().begin(), op.results().end()};
}

}  // namespace cornu::inline v0::ops
