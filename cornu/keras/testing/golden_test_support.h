#pragma once

#include <gtest/gtest.h>

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

/// The file tests/goldens/<name>.json.
nlohmann::json load_golden(const std::string& name);

/// f32, or i32 when the numbers are written as integers.
Tensor golden_tensor(const nlohmann::json& array);
std::vector<Tensor> golden_tensors(const nlohmann::json& arrays);

/// Every element within `tolerance` times the root mean square of what is expected.
void expect_close(const Tensor& actual, const Tensor& expected, double tolerance, const std::string& what);
void expect_near_relative(double actual, double expected, double tolerance, const std::string& what);

/// A traced step, compiled for the default client.
class TracedStep {
 public:
  /// `build` runs with the trace current and returns the outputs.
  explicit TracedStep(const std::function<std::vector<Tensor>(Trace&)>& build);

  /// Runs steps over rows `indices` of `rows`; returns the outputs' rows one after the other.
  std::vector<Tensor> run(const std::vector<Tensor>& rows = {}, const std::vector<std::int64_t>& indices = {},
                          std::int64_t num_rows = 0, std::int64_t num_steps = 1);

  const TracedProgram& program() const { return program_; }

 private:
  std::shared_ptr<runtime::Client> client_;
  std::vector<Tensor> outputs_;
  TracedProgram program_;
  std::unique_ptr<runtime::Executable> executable_;
};

/// The gradient of the scalar that `f` makes of a tensor with this value.
Tensor gradient_at(const Tensor& value, const std::function<Tensor(const Tensor&)>& f);

}  // namespace cornu::inline v0::keras::testing
