#include "cornu/keras/testing/golden_test_support.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <stdexcept>

namespace cornu::inline v0::keras::testing {

nlohmann::json load_golden(const std::string& name) {
  std::ifstream file("tests/goldens/" + name + ".json");
  if (!file)
    throw std::runtime_error("run the tests in the repository's root: tests/goldens/" + name +
                             ".json is missing");
  return nlohmann::json::parse(file);
}

Tensor golden_tensor(const nlohmann::json& array) {
  const Dims shape = array.at("shape").get<Dims>();
  const nlohmann::json& data = array.at("data");
  if (!data.empty() && data[0].is_number_integer())
    return Tensor::adopt(shape, data.get<std::vector<std::int32_t>>());
  return Tensor::adopt(shape, data.get<std::vector<float>>());
}

std::vector<Tensor> golden_tensors(const nlohmann::json& arrays) {
  std::vector<Tensor> tensors;
  for (const nlohmann::json& array : arrays) tensors.push_back(golden_tensor(array));
  return tensors;
}

void expect_close(const Tensor& actual, const Tensor& expected, double tolerance, const std::string& what) {
  ASSERT_EQ(actual.shape(), expected.shape()) << what;
  double sum = 0;
  double largest = 0;
  for (std::int64_t i = 0; i < expected.num_elements(); ++i) {
    sum += expected.at(i) * expected.at(i);
    const double difference = std::fabs(actual.at(i) - expected.at(i));
    largest = std::isnan(difference) ? INFINITY : std::max(largest, difference);
  }
  const double rms = std::sqrt(sum / static_cast<double>(std::max<std::int64_t>(expected.num_elements(), 1)));
  EXPECT_LE(largest, tolerance * rms + 1e-12)
      << what << "\nactual " << actual.str() << "\nexpected " << expected.str();
}

void expect_near_relative(double actual, double expected, double tolerance, const std::string& what) {
  EXPECT_LE(std::fabs(actual - expected), tolerance * std::fabs(expected) + 1e-12)
      << what << ": " << actual << " for " << expected;
}

TracedStep::TracedStep(const std::function<std::vector<Tensor>(Trace&)>& build) : client_(default_client()) {
  Trace trace;
  {
    const Trace::Scope scope(trace);
    outputs_ = build(trace);
  }
  program_ = trace.finish(outputs_);
  executable_ = client_->compile(program_.step_program());
}

std::vector<Tensor> TracedStep::run(const std::vector<Tensor>& rows, const std::vector<std::int64_t>& indices,
                                    std::int64_t num_rows, std::int64_t num_steps) {
  const std::vector<runtime::Buffer*> state = program_.state_buffers(Placement(client_));
  const std::vector<runtime::Buffer*> fixed = program_.fixed_buffers(Placement(client_));
  std::vector<const std::byte*> bases;
  for (const Tensor& tensor : rows) bases.push_back(tensor.bytes());
  std::vector<ir::Literal> literals;
  std::vector<std::byte*> outputs;
  for (TensorType type : program_.outputs) {
    type.dims[0] *= num_steps;
    literals.emplace_back(type);
  }
  for (ir::Literal& literal : literals) outputs.push_back(literal.mutable_bytes().data());
  runtime::Replica replica;
  replica.state = state;
  replica.fixed = fixed;
  replica.rows = bases;
  replica.row_indices = indices.data();
  replica.num_rows = num_rows;
  replica.outputs = outputs;
  EXPECT_EQ(executable_->run(replica, num_steps), num_steps);
  std::vector<Tensor> results;
  for (const ir::Literal& literal : literals) results.emplace_back(literal);
  return results;
}

Tensor gradient_at(const Tensor& value, const std::function<Tensor(const Tensor&)>& f) {
  const Variable input(value.literal(), {.name = "input"});
  const Variable result(ir::Literal(value.type()), {.name = "gradient"});
  TracedStep step([&](Trace&) -> std::vector<Tensor> {
    const Tensor loss = f(input);
    result.assign(gradient(loss, std::span(&input, 1))[0]);
    return {};
  });
  step.run();
  return Tensor(result.read());
}

}  // namespace cornu::inline v0::keras::testing
