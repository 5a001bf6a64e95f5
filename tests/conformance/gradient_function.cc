#include "tests/conformance/gradient_function.h"

#include <numeric>

#include "cornu/base/check.h"
#include "cornu/ops/all.h"
#include "cornu/transform/gradient.h"

namespace cornu::inline v0::ops {
namespace {

/// Weights that no symmetry of an op can hide behind.
ir::Value weights(ir::Builder& b, const ir::TensorType& type, int which) {
  ConformanceCase maker{.name = "weights" + std::to_string(which),
                        .inputs = {{.type = type, .low = -1, .high = 1}}};
  return constant(b, make_inputs(maker)[0]);
}

/// Appends the loss to the case's function; an empty Value when it has no float result.
ir::Value append_loss(ir::Builder& b, std::span<const ir::Value> results) {
  ir::Value loss;
  int which = 0;
  for (const ir::Value& result : results) {
    ++which;
    if (!ir::is_float(result.dtype())) continue;
    ir::Dims all(static_cast<std::size_t>(result.rank()));
    std::iota(all.begin(), all.end(), 0);
    ir::Value sum = multiply(b, result, weights(b, result.type(), which));
    if (!all.empty()) sum = reduce_sum(b, sum, all);
    if (loss && loss.dtype() != sum.dtype()) sum = convert(b, sum, loss.dtype());
    loss = loss ? add(b, loss, sum) : sum;
  }
  return loss;
}

/// What flows to a float input.
struct InputGradient {
  std::size_t position = 0;
  ir::TensorType type;
  ir::Value gradient;  // empty when nothing flows
};

/// Appends the gradients of a loss function to it, for its float inputs in their order.
std::vector<InputGradient> append_gradients(ir::Builder& b, const ir::Function& loss) {
  std::vector<InputGradient> inputs;
  std::vector<ir::Value> wrt;
  for (std::size_t i = 0; i < loss.body.arguments().size(); ++i) {
    const ir::Value& argument = loss.body.arguments()[i];
    if (!ir::is_float(argument.dtype())) continue;
    inputs.push_back({.position = i, .type = argument.type()});
    wrt.push_back(argument);
  }
  const std::vector<ir::Value> gradients = transform::gradient(b, loss.body.results()[0], wrt);
  for (std::size_t i = 0; i < inputs.size(); ++i) inputs[i].gradient = gradients[i];
  return inputs;
}

std::vector<ir::Value> copy(std::span<const ir::Value> values) { return {values.begin(), values.end()}; }

}  // namespace

std::unique_ptr<ir::Function> make_loss_function(const ConformanceCase& row) {
  std::unique_ptr<ir::Function> function = make_function(row);
  ir::Builder b(function->body);
  const ir::Value loss = append_loss(b, copy(function->body.results()));
  if (!loss) return nullptr;
  function->body.set_results({loss});
  return function;
}

std::unique_ptr<ir::Function> make_gradient_function(const ConformanceCase& row) {
  std::unique_ptr<ir::Function> function = make_loss_function(row);
  if (function == nullptr) return nullptr;
  ir::Builder b(function->body);
  std::vector<ir::Value> gradients;
  for (const InputGradient& input : append_gradients(b, *function))
    gradients.push_back(input.gradient ? input.gradient : full(b, input.type, 0));
  function->body.set_results(gradients);
  return function;
}

std::vector<std::size_t> inputs_without_gradient(const ConformanceCase& row) {
  const std::unique_ptr<ir::Function> function = make_loss_function(row);
  CORNU_CHECK(function != nullptr, "{} has no float result", row.name);
  ir::Builder b(function->body);
  std::vector<std::size_t> positions;
  for (const InputGradient& input : append_gradients(b, *function))
    if (!input.gradient) positions.push_back(input.position);
  return positions;
}

}  // namespace cornu::inline v0::ops
