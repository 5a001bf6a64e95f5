#include "tests/conformance/gradient_function.h"

#include <numeric>

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
  std::vector<ir::Value> wrt;
  for (const ir::Value& argument : function->body.arguments())
    if (ir::is_float(argument.dtype())) wrt.push_back(argument);
  std::vector<ir::Value> gradients = transform::gradient(b, function->body.results()[0], wrt);
  for (std::size_t i = 0; i < wrt.size(); ++i)
    if (!gradients[i]) gradients[i] = full(b, wrt[i].type(), 0);
  function->body.set_results(gradients);
  return function;
}

}  // namespace cornu::inline v0::ops
