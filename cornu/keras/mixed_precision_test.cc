// Layers and models whose computations are of other types than their weights.
#include <gtest/gtest.h>

#include "cornu/keras/keras.h"
#include "cornu/keras/testing/golden_test_support.h"

namespace cornu::inline v0::keras {
namespace {

using nlohmann::json;

std::string mixed_error_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(MixedPrecisionTest, WeightsStayWideAndAreReadInTheTypeOfTheComputation) {
  const layers::Dense dense({.units = 3, .dtype = "mixed_float16"});
  const Tensor x = ops::ones({2, 4});
  const Tensor y = dense(x);
  EXPECT_EQ(y.dtype(), DType::kF16);
  EXPECT_EQ(dense.kernel().dtype(), DType::kF32);
  EXPECT_EQ(dense->dtype(), DType::kF32);
  EXPECT_EQ(dense.compute_dtype(), DType::kF16);
  EXPECT_EQ(dense.dtype_policy().name(), "mixed_float16");
  EXPECT_EQ(dense.kernel().value().dtype(), DType::kF32);  // outside of a call
  GradientTape tape;
  const Tensor loss = ops::sum(ops::cast(dense(x), DType::kF32));
  const std::vector<Tensor> gradients = tape.gradient(loss, dense.trainable_weights());
  EXPECT_EQ(gradients[0].dtype(), DType::kF32);
  EXPECT_EQ(gradients[0].at(0), 2);
}

TEST(MixedPrecisionTest, ALayerInsideHasItsOwnPolicy) {
  class Outer : public Layer {
   public:
    Outer() : Layer(LayerSettings{.class_name = "Outer", .dtype = DTypePolicy("mixed_bfloat16")}) {}
    std::vector<DType> seen;

   protected:
    void build(const Dims& shape) override {
      scale_ = add_weight({.name = "scale", .shape = {shape.back()}, .initializer = "ones"});
      count_ = add_weight(
          {.name = "count", .shape = {}, .initializer = "zeros", .trainable = false, .autocast = false});
    }
    Tensor call(const Tensor& x, const CallContext&) override {
      seen = {x.dtype(), scale_.value().dtype(), count_.value().dtype()};
      count_.assign_add(1.0);
      return wide_(x * scale_);
    }

   private:
    LayerHandle wide_ = track(layers::Dense({.units = 2, .dtype = "float32"}));
    Variable scale_, count_;
  };
  const LayerOf<Outer> outer;
  EXPECT_EQ(outer(ops::ones({2, 3})).dtype(), DType::kF32);
  EXPECT_EQ(outer->seen, (std::vector<DType>{DType::kBF16, DType::kBF16, DType::kF32}));
}

TEST(MixedPrecisionTest, ConfigurationsHoldThePolicy) {
  const layers::Dense dense({.units = 3, .name = "d", .dtype = "mixed_bfloat16"});
  const Config config = dense.get_config();
  EXPECT_EQ(config.at("dtype").at("config").at("name"), Config("mixed_bfloat16"));
  const LayerHandle again(saving::from_config<Layer>("Dense", config));
  EXPECT_EQ(again.dtype_policy(), dense.dtype_policy());
  const optimizers::LossScaleOptimizer scaled(
      {.inner_optimizer = optimizers::SGD({.learning_rate = 0.5}), .initial_scale = 8});
  const OptimizerHandle read(saving::deserialize<Optimizer>(saving::serialize<Optimizer>(*scaled)));
  EXPECT_EQ(read.get_config().json(), scaled.get_config().json());
  EXPECT_EQ(read.learning_rate().item<float>(), 0.5F);
}

TEST(MixedPrecisionTest, ErrorsNameTheLayerAndTheOption) {
  const std::string error =
      mixed_error_of([] { layers::Dense({.units = 3, .name = "d", .dtype = DType::kI32}); });
  EXPECT_EQ(error, "[dense] dtype must be a floating-point one; got dtype = int32; in layer \"d\"");
  const layers::Dense dense({.units = 3, .name = "named"});
  EXPECT_NE(mixed_error_of([&] { (void)dense.kernel(); }).find("named"), std::string::npos);
  (void)dense(ops::ones({1, 2}));
  const std::string missing = mixed_error_of([&] { (void)dense.gamma(); });
  EXPECT_NE(missing.find("gamma"), std::string::npos) << missing;
  EXPECT_NE(missing.find("kernel"), std::string::npos) << missing;
}

TEST(MixedPrecisionTest, OnlyModelsOfMixedFloat16GetAScaledLoss) {
  const auto class_of = [](const char* policy, bool automatic) {
    const DTypePolicyScope scope{policy};
    Sequential model({layers::Input({.shape = {2}}), layers::Dense({.units = 1})});
    model.compile({.optimizer = "sgd", .loss = "mse", .auto_scale_loss = automatic});
    return model.optimizer()->class_name();
  };
  EXPECT_EQ(class_of("mixed_float16", true), "LossScaleOptimizer");
  EXPECT_EQ(class_of("mixed_float16", false), "SGD");
  EXPECT_EQ(class_of("mixed_bfloat16", true), "SGD");
}

TEST(MixedPrecisionTest, AStepThatOverflowsChangesNothingAndHalvesTheScale) {
  for (const bool eagerly : {false, true}) {
    const DTypePolicyScope scope{"mixed_float16"};
    Sequential model({layers::Input({.shape = {2}}), layers::Dense({.units = 1})});
    model.compile(
        {.optimizer = optimizers::LossScaleOptimizer({.inner_optimizer = "sgd", .initial_scale = 1e30}),
         .loss = "mse",
         .run_eagerly = eagerly,
         .stop_on_nan = true});
    const std::vector<Tensor> before = model.get_weights();
    model.train_on_batch(ops::ones({4, 2}), ops::ones({4, 1}) * 3.0);
    const std::vector<Tensor> after = model.get_weights();
    EXPECT_TRUE(before[0].literal() == after[0].literal());
    EXPECT_EQ(model.optimizer().iterations().item<int>(), 0);
    for (int step = 0; step < 100; ++step) model.train_on_batch(ops::ones({4, 2}), ops::ones({4, 1}) * 3.0);
    EXPECT_GT(model.optimizer().iterations().item<int>(), 5);
    EXPECT_FALSE(before[0].literal() == model.get_weights()[0].literal());
  }
}

class MixedPrecisionGoldenTest : public testing::OnEachPlatform {};
INSTANTIATE_TEST_SUITE_P(On, MixedPrecisionGoldenTest, testing::platforms(), testing::PlatformName());

TEST_P(MixedPrecisionGoldenTest, TenStepsOfTrainingAreKerass) {
  const json golden = testing::load_golden("mixed_precision");
  for (const json& row : golden.at("training")) {
    const std::string policy = row.at("policy");
    clear_session();
    const DTypePolicyScope scope{policy};
    Sequential model(
        {layers::Input({.shape = {6}}), layers::Dense({.units = 16, .activation = "tanh"}),
         layers::BatchNormalization(),
         layers::Dense(
             {.units = 8, .activation = "relu", .kernel_regularizer = regularizers::L2({.l2 = 0.01})}),
         layers::LayerNormalization(),
         layers::Dense({.units = 3, .activation = "softmax", .dtype = "float32"})});
    model.compile(
        {.optimizer = optimizers::Adam({.learning_rate = 0.01}), .loss = "sparse_categorical_crossentropy"});
    EXPECT_EQ(model.optimizer()->class_name(), row.at("optimizer").get<std::string>());
    std::vector<std::string> dtypes, output_dtypes;
    for (const Variable& weight : model.weights()) dtypes.emplace_back(ir::numpy_name(weight.dtype()));
    for (const LayerHandle& layer : model.layers())
      output_dtypes.emplace_back(ir::numpy_name(layer.compute_dtype()));
    EXPECT_EQ(dtypes, row.at("weight_dtypes").get<std::vector<std::string>>());
    EXPECT_EQ(output_dtypes, row.at("output_dtypes").get<std::vector<std::string>>());
    std::vector<Tensor> weights;
    for (const json& value : row.at("weights")) weights.push_back(testing::golden_tensor(value));
    model.set_weights(weights);
    const Tensor x = testing::golden_tensor(row.at("x")), y = testing::golden_tensor(row.at("y"));
    const double tolerance = policy == "mixed_float16" ? 1e-2 : 4e-2;
    testing::expect_close(model.predict(x, {.batch_size = 32, .verbose = 0}),
                          testing::golden_tensor(row.at("before")), tolerance, policy);
    for (const json& expected : row.at("losses")) {
      model.reset_metrics();
      EXPECT_NEAR(model.train_on_batch(x, y).at("loss"), expected.get<double>(),
                  tolerance * expected.get<double>())
          << policy;
    }
    testing::expect_close(model.predict(x, {.batch_size = 32, .verbose = 0}),
                          testing::golden_tensor(row.at("after")), 2 * tolerance, policy);
  }
}

}  // namespace
}  // namespace cornu::inline v0::keras
