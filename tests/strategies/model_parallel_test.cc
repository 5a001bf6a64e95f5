#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cornu/base/temporary_folder.h"
#include "cornu/distribute/connect.h"
#include "cornu/keras/distribution/distribution.h"
#include "cornu/keras/files/load_model.h"
#include "tests/strategies/model_parallel_test_support.h"
#include "tests/strategies/strategies_test_support.h"
#include "tests/strategies/training_cases_test_support.h"

// Models whose weights have layouts over a mesh train as on one device.
namespace cornu::inline v0::keras {
namespace {

using distribution::DataParallel;
using distribution::DeviceMesh;
using distribution::LayoutAxes;
using distribution::LayoutMap;
using distribution::ModelParallel;

DeviceMesh mesh_of(int num_devices) {
  return {{1, num_devices}, {"batch", "model"}, distribute::first_devices(num_devices)};
}

TEST(ModelParallelTest, EachModelTrainsAsOnOneDevice) {
  distribute::first_devices(1);
  // Sample and class weights, faults and activities do not depend on where weights are.
  const std::vector<std::string> same = {"synchronized_renorm", "activity_of_convolution", "watched",
                                         "sample_weights", "class_weights"};
  for (const Case& it : cases()) {
    if (std::find(same.begin(), same.end(), it.name) != same.end()) continue;
    const Trained expected = run(it, nullptr, 1);
    SCOPED_TRACE(it.name);
    const ModelParallel strategy(layouts_of_all(it, mesh_of(4)));
    const Trained found = run(it, &strategy, 3);
    expect_near(found, expected, it.tolerance);
    EXPECT_GE(num_in_parts(found.weights), 2U);
  }
}

Sequential wide_model() {
  return Sequential({layers::Dense({.units = 64, .activation = "tanh", .name = "wide"}),
                     layers::Dense({.units = 3, .activation = "softmax", .name = "last"})});
}
LayoutMap layouts_of_wide(int num_devices) {
  LayoutMap layouts(mesh_of(num_devices));
  layouts.set(".*wide/kernel", {std::nullopt, "model"});
  layouts.set(".*wide/bias", {"model"});
  layouts.set(".*last/kernel", {"model", std::nullopt});
  return layouts;
}
const CompileOptions kCompiled{.optimizer = "adam", .loss = "sparse_categorical_crossentropy"};

TEST(ModelParallelTest, EachDeviceStoresItsPartOfWeightsAndSlots) {
  const ModelParallel strategy(layouts_of_wide(4));
  std::optional<Strategy::Scope> scope(strategy);
  Sequential model = wide_model();
  const optimizers::Adam adam;
  CompileOptions options = kCompiled;
  options.optimizer = adam;
  model.compile(options);
  scope.reset();
  const Flowers data(32);
  model.fit(data.x, data.class_id, {.batch_size = 16, .verbose = 0});
  EXPECT_EQ(num_in_parts(model.weights()), 3U);
  EXPECT_EQ(num_in_parts(adam.variables()), 6U);
  const Variable kernel = model.weights()[0];
  EXPECT_EQ(kernel.shape(), (Dims{4, 64}));
  for (const Variable& part : detail::parts_of(kernel)->here) EXPECT_EQ(part.shape(), (Dims{4, 16}));
  EXPECT_EQ(strategy.get_variable_layout(kernel).axes(), (LayoutAxes{std::nullopt, "model"}));
  EXPECT_EQ(strategy.num_model_replicas(), 1);
}

TEST(ModelParallelTest, FilesHaveWholeWeights) {
  const TemporaryFolder folder("model_parallel");
  const Flowers data(32);
  std::vector<float> expected;
  {
    const ModelParallel strategy(layouts_of_wide(4));
    std::optional<Strategy::Scope> scope(strategy);
    Sequential model = wide_model();
    model.compile(kCompiled);
    scope.reset();
    model.fit(data.x, data.class_id, {.batch_size = 16, .verbose = 0});
    expected = model.predict(data.x, {.verbose = 0}).to_vector<float>();
    model.save((folder.path() / "parts.keras").string());
  }
  for (const int num_devices : {1, 2, 8}) {
    const ModelParallel strategy(layouts_of_wide(num_devices));
    const auto scope = strategy.scope();
    Model loaded = load_model((folder.path() / "parts.keras").string());
    const std::vector<float> found = loaded.predict(data.x, {.verbose = 0}).to_vector<float>();
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-6f);
  }
}

TEST(ModelParallelTest, AStrategyOfTwoAxesCutsAWeightOverAllDevices) {
  LayoutMap layouts(DeviceMesh({2, 4}, {"batch", "model"}, distribute::first_devices(8)));
  layouts.set(".*wide/kernel", {std::nullopt, "model"});
  const ModelParallel strategy(layouts);
  EXPECT_EQ(strategy.num_model_replicas(), 2);
  const auto scope = strategy.scope();
  Sequential model = wide_model();
  model.compile(kCompiled);
  const Flowers data(32);
  model.fit(data.x, data.class_id, {.batch_size = 16, .verbose = 0});
  EXPECT_EQ(detail::parts_of(model.weights()[0])->here.size(), 8U);
}

TEST(ModelParallelTest, DataParallelAndSetDistributionAreStrategies) {
  const Case it = cases()[0];
  const Trained expected = run(it, nullptr, 1);
  distribution::set_distribution(DataParallel(distribute::first_devices(4)));
  EXPECT_EQ(distribution::distribution().name(), "DataParallel");
  EXPECT_EQ(distribution::distribution().num_replicas_in_sync(), 4);
  expect_near(run(it, nullptr, 1), expected, it.tolerance);
  distribution::set_distribution(DataParallel(DeviceMesh({2}, {"rows"}, distribute::first_devices(2))));
  EXPECT_EQ(distribution::distribution().num_replicas_in_sync(), 2);
  distribution::set_distribution({});
  EXPECT_EQ(distribution::distribution().num_replicas_in_sync(), 1);
}

TEST(ModelParallelTest, WrongMeshesAndLayoutsAreRefused) {
  const std::vector<std::string> two = distribute::first_devices(2);
  expect_error(ErrorCode::kInvalidArgument, {"[DeviceMesh]", "the shape (3,) needs as many devices; got 2"},
               [&] { DeviceMesh({3}, {"batch"}, two); });
  expect_error(ErrorCode::kInvalidArgument, {"[DeviceMesh]", "2 axes and 1 names"},
               [&] { DeviceMesh({1, 2}, {"batch"}, two); });
  expect_error(ErrorCode::kInvalidArgument, {"[DeviceMesh]", "must differ"},
               [&] { DeviceMesh({1, 2}, {"batch", "batch"}, two); });
  const std::vector<std::string> none = distribution::list_devices("gpu");
  ASSERT_TRUE(none.empty());
  expect_error(ErrorCode::kInvalidArgument, {"[DeviceMesh]", "got 0"},
               [&] { DeviceMesh({1}, {"batch"}, none); });
  expect_error(ErrorCode::kInvalidArgument, {"[DeviceMesh]", "got 0"}, [&] { DataParallel strategy(none); });
  EXPECT_EQ(DataParallel().num_replicas_in_sync(), distribution::get_device_count("cpu"));
  LayoutMap layouts(mesh_of(2));
  expect_error(ErrorCode::kInvalidArgument, {"the mesh has the axes \"batch\", \"model\"; got \"rows\""},
               [&] { layouts.set("kernel", {"rows"}); });
  expect_error(ErrorCode::kInvalidArgument, {"[LayoutMap]", "is no regular expression"},
               [&] { layouts.set("(", {"model"}); });
  layouts.set(".*kernel", {std::nullopt, "model"});
  expect_error(ErrorCode::kInvalidArgument, {"[LayoutMap]", "has a layout already"},
               [&] { layouts.set(".*kernel", {"model"}); });
  layouts.set(".*dense.*", {"model", std::nullopt});
  expect_error(ErrorCode::kInvalidArgument, {"[LayoutMap]", "\"dense/kernel\" matches the keys"},
               [&] { layouts.find("dense/kernel"); });
  EXPECT_EQ(layouts.find("conv/bias"), std::nullopt);
  EXPECT_TRUE(layouts.erase(".*dense.*"));
  EXPECT_EQ(layouts.find("dense/kernel")->axes(), (LayoutAxes{std::nullopt, "model"}));
  expect_error(ErrorCode::kInvalidArgument, {"the mesh has the axes", "got \"rows\""},
               [&] { ModelParallel(layouts, "rows"); });
  LayoutMap moved = layouts;
  const LayoutMap taken = std::move(moved);
  EXPECT_THROW(ModelParallel{moved}, Error);  // NOLINT(bugprone-use-after-move)
  EXPECT_THROW(DataParallel{moved.device_mesh()}, Error);
  expect_error(ErrorCode::kInvalidArgument, {"[TensorLayout]", "two dimensions"},
               [&] { distribution::TensorLayout({"model", "model"}); });
}

TEST(ModelParallelTest, WeightsThatCannotBeCutAreRefused) {
  const auto built = [](const layers::DenseOptions& options, LayoutAxes axes,
                        const OptimizerSpec& optimizer) {
    LayoutMap layouts(mesh_of(2));
    layouts.set(".*kernel", std::move(axes));
    const ModelParallel strategy(layouts);
    const auto scope = strategy.scope();
    Sequential model({layers::Dense(options)});
    model.compile({.optimizer = optimizer, .loss = "mse"});
    model.fit(Tensor::zeros({8, 4}), Tensor::zeros({8, 6}), {.verbose = 0});
  };
  const LayoutAxes columns = {std::nullopt, "model"};
  expect_error(ErrorCode::kInvalidArgument, {"[ModelParallel]", "its layout has 1 axes"},
               [&] { built({.units = 6}, {"model"}, "sgd"); });
  expect_error(ErrorCode::kUnimplemented, {"has a constraint", "give it no layout"},
               [&] { built({.units = 6, .kernel_constraint = "max_norm"}, columns, "sgd"); });
  expect_error(ErrorCode::kUnimplemented, {"computes norms of whole variables"},
               [&] { built({.units = 6}, columns, optimizers::Lamb()); });
}

}  // namespace
}  // namespace cornu::inline v0::keras
