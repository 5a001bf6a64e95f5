#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cornu/tensor/device.h"
#include "cornu/tensor/tensor.h"
#include "cornu/tensor/trace.h"

/// For tests only: numbers made by real Keras (tests/goldens, tools/goldens/keras_goldens.py), and running a
/// traced step.
namespace cornu::inline v0::keras::testing {

/// Puts everything on the reference backend while it lives.
class OnReferenceBackend {
 public:
  OnReferenceBackend() { set_default_client(runtime::make_client("reference")); }
  ~OnReferenceBackend() { set_default_client(nullptr); }
  OnReferenceBackend(const OnReferenceBackend&) = delete;
  OnReferenceBackend& operator=(const OnReferenceBackend&) = delete;
};

/// A fixture of tests that run on the reference backend and on the CPU engine: instantiate with platforms()
/// and PlatformName.
class OnEachPlatform : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { set_default_client(runtime::make_client(GetParam())); }
  void TearDown() override { set_default_client(nullptr); }
};
inline auto platforms() { return ::testing::Values("reference", "cpu"); }
struct PlatformName {
  std::string operator()(const ::testing::TestParamInfo<const char*>& info) const { return info.param; }
};

inline nlohmann::json load_golden(const std::string& name) {
  std::ifstream file("tests/goldens/" + name + ".json");
  if (!file)
    throw std::runtime_error("run the tests in the repository's root: tests/goldens/" + name +
                             ".json is missing");
  return nlohmann::json::parse(file);
}

/// f32, or i32 when the numbers are written as integers.
inline Tensor golden_tensor(const nlohmann::json& array) {
  const Dims shape = array.at("shape").get<Dims>();
  const nlohmann::json& data = array.at("data");
  if (!data.empty() && data[0].is_number_integer())
    return Tensor::adopt(shape, data.get<std::vector<std::int32_t>>());
  return Tensor::adopt(shape, data.get<std::vector<float>>());
}

inline std::vector<Tensor> golden_tensors(const nlohmann::json& arrays) {
  std::vector<Tensor> tensors;
  for (const nlohmann::json& array : arrays) tensors.push_back(golden_tensor(array));
  return tensors;
}

/// Every element within `tolerance` times the root mean square of what is expected.
inline void expect_close(const Tensor& actual, const Tensor& expected, double tolerance,
                         const std::string& what) {
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

inline void expect_near_relative(double actual, double expected, double tolerance, const std::string& what) {
  EXPECT_LE(std::fabs(actual - expected), tolerance * std::fabs(expected) + 1e-12)
      << what << ": " << actual << " for " << expected;
}

/// A traced step, compiled for the default client.
class TracedStep {
 public:
  /// `build` runs with the trace current and returns the outputs.
  explicit TracedStep(const std::function<std::vector<Tensor>(Trace&)>& build) : client_(default_client()) {
    Trace trace;
    {
      const Trace::Scope scope(trace);
      outputs_ = build(trace);
    }
    program_ = trace.finish(outputs_);
    executable_ = client_->compile(program_.step_program());
  }

  /// Runs steps over rows `indices` of `rows`; returns the outputs' rows one after the other.
  std::vector<Tensor> run(const std::vector<Tensor>& rows = {}, const std::vector<std::int64_t>& indices = {},
                          std::int64_t num_rows = 0, std::int64_t num_steps = 1) {
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

  const TracedProgram& program() const { return program_; }

 private:
  std::shared_ptr<runtime::Client> client_;
  std::vector<Tensor> outputs_;
  TracedProgram program_;
  std::unique_ptr<runtime::Executable> executable_;
};

/// The gradient of the scalar that `f` makes of a tensor with this value.
inline Tensor gradient_at(const Tensor& value, const std::function<Tensor(const Tensor&)>& f) {
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
