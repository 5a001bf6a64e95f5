#include "tests/gradient/check_gradient.h"

#include <cmath>
#include <random>

#include "cornu/backends/reference/interpreter.h"
#include "cornu/base/check.h"
#include "cornu/ir/verify.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/transform/gradient.h"
#include "cornu/transform/simplify.h"

namespace cornu::inline v0::tests {
namespace {

bool is_moved(const ir::Literal& input) { return input.type().dtype == ir::DType::kF64; }

std::unique_ptr<ir::Function> loss_function(const BuildLoss& build_loss,
                                            const std::vector<ir::Literal>& inputs, bool with_gradient) {
  auto function = std::make_unique<ir::Function>();
  function->name = "main";
  std::vector<ir::Value> moved;
  for (const ir::Literal& input : inputs) {
    const ir::Value argument = function->body.add_argument(input.type());
    if (is_moved(input)) moved.push_back(argument);
  }
  ir::Builder builder(function->body);
  const ir::Value loss = build_loss(builder, function->body.arguments());
  std::vector<ir::Value> results = {loss};
  if (with_gradient) {
    results = transform::gradient(builder, loss, moved);
    for (std::size_t i = 0; i < results.size(); ++i)
      if (!results[i]) results[i] = ops::full(builder, moved[i].type(), 0);
  }
  function->body.set_results(results);
  ir::verify(*function);
  return function;
}

double loss_at(const ir::Function& loss, const std::vector<ir::Literal>& inputs,
               const std::vector<ir::Literal>& directions, double step) {
  std::vector<ir::Literal> arguments = inputs;
  for (std::size_t i = 0, next = 0; i < inputs.size(); ++i) {
    if (!is_moved(inputs[i])) continue;
    ir::Literal moved(inputs[i].type());
    const auto from = inputs[i].data<double>(), direction = directions[next++].data<double>();
    for (std::size_t j = 0; j < from.size(); ++j)
      moved.mutable_data<double>()[j] = from[j] + step * direction[j];
    arguments[i] = moved;
  }
  return backends::reference::evaluate(loss, arguments)[0].at(0);
}

}  // namespace

std::string check_gradient(const BuildLoss& build_loss, const std::vector<ir::Literal>& inputs,
                           const CheckGradientOptions& options) {
  const auto loss = loss_function(build_loss, inputs, false);
  const auto gradient = loss_function(build_loss, inputs, true);
  const auto simple = transform::simplify(*gradient);
  ir::verify(*simple);
  const std::vector<ir::Literal> gradients = backends::reference::evaluate(*gradient, inputs);
  if (backends::reference::evaluate(*simple, inputs) != gradients) return "simplify changes the gradient";
  for (int trial = 0; trial < options.num_directions; ++trial) {
    std::vector<ir::Literal> directions;
    double inner = 0, magnitude = 1e-3;
    for (const ir::Literal& g : gradients) {
      directions.push_back(
          random_literal(g.type(), static_cast<std::uint64_t>(trial) * 1000 + directions.size()));
      for (std::size_t j = 0; j < g.data<double>().size(); ++j) {
        const double term = g.data<double>()[j] * directions.back().data<double>()[j];
        inner += term;
        magnitude += std::fabs(term);
      }
    }
    // Two steps, extrapolated: what is left of the error is of fourth order.
    const auto slope = [&](double step) {
      return (loss_at(*loss, inputs, directions, step) - loss_at(*loss, inputs, directions, -step)) /
             (2 * step);
    };
    const double difference = (4 * slope(options.step) - slope(2 * options.step)) / 3;
    if (!(std::fabs(inner - difference) <= options.tolerance * magnitude))
      return fmt::format("direction {}: gradient gives {:.12g}, central difference {:.12g}", trial, inner,
                         difference);
  }
  return "";
}

ir::Literal random_literal(const ir::TensorType& type, std::uint64_t seed, double low, double high) {
  std::mt19937_64 generator(seed + 1);
  ir::Literal literal(type);
  for (double& value : literal.mutable_data<double>())
    // The distributions of <random> differ between libraries.
    value = low + (high - low) * static_cast<double>(generator() >> 11) * 0x1p-53;
  return literal;
}

}  // namespace cornu::inline v0::tests
