#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "cli/workloads.h"
#include "cornu/keras/testing/golden.h"

// Against real Keras: tools/goldens/workloads.py.
namespace cornu::inline v0::cli {
namespace {

constexpr std::int64_t kGoldenRows = 4;
constexpr double kLossGate = 1e-5;    // relative; what Keras's own backends reach among themselves
constexpr double kOutputGate = 1e-5;  // of the root mean square

/// Numbers that look random; the script makes the same.
std::uint64_t scattered(std::int64_t i, std::uint64_t salt) {
  return (static_cast<std::uint64_t>(i) * 2654435761U + salt * 40503U + 12345U) % (std::uint64_t{1} << 32);
}

double uniform(std::int64_t i, std::uint64_t salt) { return static_cast<double>(scattered(i, salt)) / 4294967296.0; }

void set_formula_weights(const keras::Sequential& model) {
  std::vector<Tensor> values;
  for (const Variable& weight : model.weights()) {
    const Dims shape = weight.shape();
    const std::int64_t inputs = TensorType{DType::kF32, Dims(shape.begin(), shape.end() - 1)}.num_elements();
    const double scale = shape.size() > 1 ? 2 * std::sqrt(3.0 / static_cast<double>(inputs)) : 0.02;
    std::vector<float> elements(static_cast<std::size_t>(TensorType{DType::kF32, shape}.num_elements()));
    for (std::size_t i = 0; i < elements.size(); ++i)
      elements[i] = static_cast<float>((uniform(static_cast<std::int64_t>(i), values.size()) - 0.5) * scale);
    values.push_back(Tensor::adopt(shape, std::move(elements)));
  }
  model.set_weights(values);
}

WorkloadData formula_data(const Workload& workload) {
  Dims shape = workload.input_shape;
  shape.insert(shape.begin(), kGoldenRows);
  const std::int64_t count = TensorType{DType::kF32, shape}.num_elements();
  WorkloadData data;
  if (workload.num_ids > 0) {
    std::vector<std::int32_t> ids;
    for (std::int64_t i = 0; i < count; ++i)
      ids.push_back(static_cast<std::int32_t>(scattered(i, 1000) % static_cast<std::uint64_t>(workload.num_ids)));
    data.x = Tensor::adopt(shape, std::move(ids));
  } else {
    std::vector<float> values;
    for (std::int64_t i = 0; i < count; ++i) values.push_back(static_cast<float>(uniform(i, 1000)));
    data.x = Tensor::adopt(shape, std::move(values));
  }
  std::vector<std::int32_t> labels;
  const auto num_labels = static_cast<std::uint64_t>(std::max<std::int64_t>(2, workload.num_classes));
  for (std::int64_t i = 0; i < kGoldenRows; ++i) labels.push_back(static_cast<std::int32_t>(scattered(i, 1001) / 7 % num_labels));
  const std::vector<float> numbers(labels.begin(), labels.end());
  data.y = workload.labels_as_column   ? Tensor::from<float>({kGoldenRows, 1}, numbers)
           : workload.num_classes == 1 ? Tensor::from<float>({kGoldenRows}, numbers)
                                       : Tensor::adopt({kGoldenRows}, labels);
  return data;
}

TEST(WorkloadsGoldenTest, OutputsLossesAndTrainingStepsAreThoseOfRealKeras) {
  const nlohmann::json goldens = keras::testing::load_golden("workloads").at("cases");
  ASSERT_EQ(goldens.size(), 10U);
  for (const nlohmann::json& golden : goldens) {
    const Workload& workload = find_workload(golden["workload"].get<std::string>());
    SCOPED_TRACE(workload.name);
    EXPECT_EQ(workload.num_parameters, golden["params"].get<std::int64_t>());
    const WorkloadData data = formula_data(workload);
    keras::Sequential model = workload.make_model();
    model.compile(workload.compile_options());
    model.build([&] {
      Dims shape = workload.input_shape;
      shape.insert(shape.begin(), keras::kUnknown);
      return shape;
    }());
    set_formula_weights(model);
    const auto outputs = golden["outputs"].get<std::vector<float>>();
    const Tensor predicted = model.predict_on_batch(data.x);
    const std::vector<float> first(predicted.data<float>().begin(),
                                   predicted.data<float>().begin() + static_cast<std::ptrdiff_t>(outputs.size()));
    const Dims row = {static_cast<std::int64_t>(outputs.size())};
    keras::testing::expect_close(Tensor::from<float>(row, first), Tensor::from<float>(row, outputs), kOutputGate, "outputs");
    keras::testing::expect_near_relative(model.test_on_batch(data.x, data.y)["loss"], golden["loss"].get<double>(), kLossGate, "loss");
    for (const nlohmann::json& loss : golden["step_losses"])
      keras::testing::expect_near_relative(model.train_on_batch(data.x, data.y)["loss"], loss.get<double>(), kLossGate, "loss of a step");
  }
}

}  // namespace
}  // namespace cornu::inline v0::cli
