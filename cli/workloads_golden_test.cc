#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "cli/batch_shape_test_support.h"
#include "cli/workloads.h"
#include "cornu/keras/testing/golden_test_support.h"

// Against real Keras: tools/goldens/workloads.py.
namespace cornu::inline v0::cli {
namespace {

constexpr std::int64_t kGoldenRows = 4;
constexpr double kLossGate = 1e-5;  // relative; what Keras's own backends reach among themselves
// Behind batch normalizations numbers lie around zero. In the twenty layers of resnet20 the rounding of one
// level or kernel turns a relu on that another leaves off, and moves the losses behind the first update by
// 2e-4 (seen at SSE2 with Winograd's method and at AVX2 without).
constexpr double kLaterLossGateOfResnet20 = 1e-3;
constexpr double kOutputGate = 1e-5;  // of the root mean square

/// Numbers that look random; the script makes the same.
std::uint64_t scattered(std::int64_t i, std::uint64_t salt) {
  return (static_cast<std::uint64_t>(i) * 2654435761U + salt * 40503U + 12345U) % (std::uint64_t{1} << 32);
}

double uniform(std::int64_t i, std::uint64_t salt) {
  return static_cast<double>(scattered(i, salt)) / 4294967296.0;
}

/// True for a weight that scales a normalized value, whose initial value is 1.
bool is_factor(const Variable& weight) {
  return weight.path().ends_with("/gamma") || weight.path().ends_with("/moving_variance");
}

void set_formula_weights(const keras::Model& model) {
  std::vector<Tensor> values;
  for (const Variable& weight : model.weights()) {
    const Dims shape = weight.shape();
    const std::int64_t inputs = TensorType{DType::kF32, Dims(shape.begin(), shape.end() - 1)}.num_elements();
    const double scale = shape.size() > 1 ? 2 * std::sqrt(3.0 / static_cast<double>(inputs)) : 0.02;
    const double middle = is_factor(weight) ? 1.0 : 0.0;
    std::vector<float> elements(static_cast<std::size_t>(TensorType{DType::kF32, shape}.num_elements()));
    for (std::size_t i = 0; i < elements.size(); ++i)
      elements[i] =
          static_cast<float>(middle + (uniform(static_cast<std::int64_t>(i), values.size()) - 0.5) * scale);
    values.push_back(Tensor::adopt(shape, std::move(elements)));
  }
  model.set_weights(values);
}

std::vector<std::int32_t> formula_ids(const Dims& shape, std::uint64_t salt, std::uint64_t divisor,
                                      const WorkloadInput& input) {
  std::vector<std::int32_t> ids(static_cast<std::size_t>(TensorType{DType::kI32, shape}.num_elements()));
  for (std::size_t i = 0; i < ids.size(); ++i)
    ids[i] = static_cast<std::int32_t>(scattered(static_cast<std::int64_t>(i), salt) / divisor %
                                       static_cast<std::uint64_t>(input.num_ids_at(i)));
  return ids;
}

Tensor formula_input(const WorkloadInput& input, std::uint64_t salt) {
  const Dims shape = with_batch(input.shape, kGoldenRows);
  if (input.num_ids > 0) return Tensor::adopt(shape, formula_ids(shape, salt, 1, input));
  std::vector<float> values(static_cast<std::size_t>(TensorType{DType::kF32, shape}.num_elements()));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>(uniform(static_cast<std::int64_t>(i), salt));
  return Tensor::adopt(shape, std::move(values));
}

WorkloadData formula_data(const Workload& workload) {
  std::vector<Tensor> x;
  for (const WorkloadInput& input : workload.inputs)
    x.push_back(formula_input(input, x.empty() ? 1000 : 1001 + x.size()));
  if (workload.num_classes == 0) return {x, x[0]};
  const Dims shape = with_batch(workload.labels_as_column ? Dims{1} : workload.label_shape, kGoldenRows);
  std::vector<std::int32_t> labels =
      formula_ids(shape, 1001, 7, {.num_ids = std::max<std::int64_t>(2, workload.num_classes)});
  if (workload.num_classes > 1 && !workload.labels_as_column)
    return {x, Tensor::adopt(shape, std::move(labels))};
  return {x, Tensor::adopt(shape, std::vector<float>(labels.begin(), labels.end()))};
}

TEST(WorkloadsGoldenTest, OutputsLossesAndTrainingStepsAreThoseOfRealKeras) {
  const nlohmann::json goldens = keras::testing::load_golden("workloads").at("cases");
  ASSERT_EQ(goldens.size(), workloads().size() - 2);  // cifar's small batches stand for the large ones
  for (const nlohmann::json& golden : goldens) {
    const Workload& workload = find_workload(golden["workload"].get<std::string>());
    SCOPED_TRACE(workload.name);
    EXPECT_EQ(workload.num_parameters, golden["params"].get<std::int64_t>());
    const WorkloadData data = formula_data(workload);
    keras::Model model = workload.make_model();
    model.compile(workload.compile_options());
    if (!model.built()) model.build(with_batch(workload.inputs[0].shape, keras::kUnknown));
    set_formula_weights(model);
    const auto outputs = golden["outputs"].get<std::vector<float>>();
    const Tensor predicted = model.predict_on_batch(data.x);
    const std::vector<float> first(
        predicted.data<float>().begin(),
        predicted.data<float>().begin() + static_cast<std::ptrdiff_t>(outputs.size()));
    const Dims row = {static_cast<std::int64_t>(outputs.size())};
    keras::testing::expect_close(Tensor::from<float>(row, first), Tensor::from<float>(row, outputs),
                                 kOutputGate, "outputs");
    keras::testing::expect_near_relative(model.test_on_batch(data.x, data.y)["loss"],
                                         golden["loss"].get<double>(), kLossGate, "loss");
    double gate = kLossGate;
    for (const nlohmann::json& loss : golden["step_losses"]) {
      keras::testing::expect_near_relative(model.train_on_batch(data.x, data.y)["loss"], loss.get<double>(),
                                           gate, "loss of a step");
      if (workload.name == "resnet20") gate = kLaterLossGateOfResnet20;
    }
  }
}

}  // namespace
}  // namespace cornu::inline v0::cli
