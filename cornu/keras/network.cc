#include "cornu/keras/network.h"

#include <algorithm>

#include "cornu/keras/optimizers/optimizer.h"
#include "cornu/tensor/trace.h"

namespace cornu::keras {

void Network::build_for(std::span<const Dims>) {
  std::vector<TensorType> types(build_types().begin(), build_types().end());
  for (TensorType& type : types) std::replace(type.dims.begin(), type.dims.end(), kUnknown, std::int64_t{48});
  trace_call(types);
}

StepLogs Network::train_step(StepTools& tools, const StepData& data) {
  const Tensors y_pred(call_many(data.x, {.training = true, .rows = data.rows}));
  const Tensor loss = tools.compute_loss(data, y_pred);
  const std::span<const Variable> variables = tools.trainable_variables();
  tools.optimizer().apply(gradient(loss, variables), variables);
  return tools.compute_metrics(data, y_pred, loss);
}

StepLogs Network::test_step(StepTools& tools, const StepData& data) {
  const Tensors y_pred(call_many(data.x, {.training = false, .rows = data.rows}));
  return tools.compute_metrics(data, y_pred, tools.compute_loss(data, y_pred));
}

Tensors Network::predict_step(const StepData& data) { return call_many(data.x, {.training = false}); }

}  // namespace cornu::keras
