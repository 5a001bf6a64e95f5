#include "cornu/tensor/run/operation_function.h"

namespace cornu::inline v0::detail {

OperationFunction make_operation_function(const char* name, std::span<const Tensor> inputs,
                                          BuildManyFn build) {
  OperationFunction made{std::make_unique<ir::Function>(), {}};
  ir::Block& body = made.function->body;
  made.function->name = name;
  ir::Builder builder(body);
  std::vector<ir::Value> values;
  for (const Tensor& input : inputs) values.push_back(body.add_argument(input.type()));
  const std::vector<ir::Value> built = build(builder, values);
  for (const ir::Value& value : built) made.results.push_back(value.type());
  body.set_results(built);
  return made;
}

}  // namespace cornu::inline v0::detail
