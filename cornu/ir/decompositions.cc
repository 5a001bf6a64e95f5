#include "cornu/ir/decompositions.h"

#include <fmt/format.h>

#include "cornu/ir/builder.h"
#include "cornu/ir/op_def.h"

namespace cornu::inline v0::ir {

std::string Decompositions::name_of(const Op& composite) {
  std::vector<TensorType> types;
  for (const Value& operand : composite.operands()) types.push_back(operand.type());
  for (const Decomposition& known : all_)
    if (known.def == &composite.def() && known.attributes == composite.attributes() &&
        known.operand_types == types)
      return known.name;
  all_.push_back(
      {fmt::format("{}.{}", composite.name(), all_.size()), &composite.def(), composite.attributes(), types});
  return all_.back().name;
}

std::unique_ptr<Function> Decompositions::build(std::size_t i) const {
  const Decomposition& decomposition = all_[i];
  auto function = std::make_unique<Function>();
  function->name = decomposition.name;
  for (const TensorType& type : decomposition.operand_types) function->body.add_argument(type);
  Builder builder(function->body);
  function->body.set_results(
      decomposition.def->decompose(builder, function->body.arguments(), decomposition.attributes));
  return function;
}

}  // namespace cornu::inline v0::ir
