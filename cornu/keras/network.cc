#include "cornu/keras/network.h"

#include "cornu/keras/optimizers/optimizer.h"
#include "cornu/tensor/trace.h"

namespace cornu::keras {

StepLogs Network::train_step(StepTools& tools, const StepData& data) {
  const Tensors y_pred(call_many(data.x, {.training = true}));
  const Tensor loss = tools.compute_loss(data, y_pred);
  const std::span<const Variable> variables = tools.trainable_variables();
  tools.optimizer().apply(gradient(loss, variables), variables);
  return tools.compute_metrics(data, y_pred, loss);
}

StepLogs Network::test_step(StepTools& tools, const StepData& data) {
  const Tensors y_pred(call_many(data.x, {.training = false}));
  return tools.compute_metrics(data, y_pred, tools.compute_loss(data, y_pred));
}

Tensors Network::predict_step(const StepData& data) { return call_many(data.x, {.training = false}); }

}  // namespace cornu::keras
