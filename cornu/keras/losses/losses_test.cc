#include "cornu/keras/losses/losses.h"

#include <gtest/gtest.h>

#include "cornu/base/error.h"
#include "cornu/keras/layer.h"
#include "cornu/keras/testing/golden.h"

namespace cornu::keras {
namespace {

std::shared_ptr<Loss> golden_loss(const std::string& name, const nlohmann::json& config) {
  const std::string reduction = config.value("reduction", "sum_over_batch_size");
  const losses::CategoricalCrossentropyOptions crossentropy = {
      .from_logits = config.value("from_logits", false), .label_smoothing = config.value("label_smoothing", 0.0), .reduction = reduction};
  if (name == "CategoricalCrossentropy") return losses::CategoricalCrossentropy(crossentropy).shared();
  if (name == "BinaryCrossentropy") return losses::BinaryCrossentropy(crossentropy).shared();
  if (name == "SparseCategoricalCrossentropy")
    return losses::SparseCategoricalCrossentropy({.from_logits = crossentropy.from_logits}).shared();
  if (name == "MeanSquaredError") return losses::MeanSquaredError({.reduction = reduction}).shared();
  return Loss::from_name(name);
}

class LossesGoldenTest : public testing::OnEachPlatform {};
INSTANTIATE_TEST_SUITE_P(On, LossesGoldenTest, testing::platforms(), testing::PlatformName());

TEST_P(LossesGoldenTest, ValuesReductionsAndGradientsAreKeras) {
  const nlohmann::json golden = testing::load_golden("losses");
  int number = 0;
  for (const nlohmann::json& row : golden.at("cases")) {
    const std::string what = row.at("loss").get<std::string>() + " " + row.at("config").dump() + " case " + std::to_string(number++);
    const std::shared_ptr<Loss> loss = golden_loss(row.at("loss"), row.at("config"));
    const Tensor y_true = testing::golden_tensor(row.at("y_true"));
    const Tensor y_pred = testing::golden_tensor(row.at("y_pred"));
    SampleWeights weights;
    if (!row.at("sample_weight").is_null()) weights.weight = testing::golden_tensor(row.at("sample_weight"));
    EXPECT_NO_THROW(loss->check_types(y_true.type(), y_pred.type())) << what;
    testing::expect_close(loss->call(y_true, y_pred), testing::golden_tensor(row.at("values")), 1e-5, what);
    testing::expect_near_relative((*loss)(y_true, y_pred, weights).item<double>(), row.at("result"), 1e-5, what);
    const Tensor gradient = testing::gradient_at(y_pred, [&](const Tensor& p) { return (*loss)(y_true, p, weights); });
    testing::expect_close(gradient, testing::golden_tensor(row.at("gradient")), 1e-5, what + " gradient");
  }
  EXPECT_GT(number, 30);
}

TEST(LossesTest, PaddingRowsCountNowhereEvenWhenNaN) {
  const testing::OnReferenceBackend on_reference;
  const Tensor y_true = Tensor::of<float>({4, 2}, {0, 1, 1, 0, 5, 5, 5, 5});
  const Tensor y_pred = Tensor::of<float>({4, 2}, {1, 1, 1, 2, NAN, 7, INFINITY, 7});
  const losses::MeanSquaredError loss;
  const RowMask rows = RowMask::first_rows(2, 4);
  EXPECT_EQ((*loss)(y_true, y_pred, {.rows = rows}).item<float>(), (*loss)(y_true.rows(0, 2), y_pred.rows(0, 2)).item<float>());
  const Tensor gradient = testing::gradient_at(
      y_pred, [&](const Tensor& p) { return (*loss)(y_true, p, {.rows = RowMask::first_rows(Tensor::of<std::int32_t>({}, {2}), 4)}); });
  EXPECT_EQ(gradient.at(0), 0.5);
  EXPECT_EQ(gradient.at(3), 1.0);
}

TEST(LossesTest, NamesAreKerasSpellings) {
  for (const char* name : {"log_cosh", "logcosh", "LogCosh"}) EXPECT_EQ(Loss::from_name(name)->name(), "log_cosh");
  for (const char* name : {"mse", "MSE", "mean_squared_error", "MeanSquaredError"})
    EXPECT_EQ(Loss::from_name(name)->name(), "mean_squared_error");
}

std::string loss_error_message(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(LossesTest, UnknownNameIsAnsweredWithTheNearest) {
  const std::string message = loss_error_message([] { (void)Loss::from_name("sparse_categorical_crosentropy"); });
  EXPECT_NE(message.find("did you mean \"sparse_categorical_crossentropy\"?"), std::string::npos) << message;
}

TEST(LossesTest, ClassIdsForADenseLossProposeOneHotOrTheSparseLoss) {
  const TensorType output = {DType::kF32, {kUnknown, 3}};
  const auto expect_proposals = [&](const LossHandle& loss, const Dims& labels) {
    const std::string message = loss_error_message([&] { loss->check_types({DType::kI32, labels}, output); });
    EXPECT_NE(message.find("one-hot"), std::string::npos) << message;
    EXPECT_NE(message.find("sparse_categorical_crossentropy"), std::string::npos) << message;
  };
  expect_proposals(losses::LogCosh(), {kUnknown});
  expect_proposals(losses::CategoricalCrossentropy(), {kUnknown});
  expect_proposals(losses::CategoricalCrossentropy(), {kUnknown, 1});
  expect_proposals(losses::BinaryCrossentropy(), {kUnknown, 1});
  EXPECT_NO_THROW(losses::LogCosh()->check_types({DType::kI32, {kUnknown, 1}}, output)) << "broadcasts, as in Keras";
  EXPECT_NO_THROW(losses::LogCosh()->check_types({DType::kF32, {150, 3}}, output));
}

TEST(LossesTest, OneHotLabelsForTheSparseLossProposeTheDenseOne) {
  const losses::SparseCategoricalCrossentropy loss;
  const TensorType output = {DType::kF32, {kUnknown, 3}};
  const std::string message = loss_error_message([&] { loss->check_types({DType::kF32, {150, 3}}, output); });
  EXPECT_NE(message.find("\"categorical_crossentropy\""), std::string::npos) << message;
  EXPECT_NO_THROW(loss->check_types({DType::kI32, {150}}, output));
  EXPECT_NO_THROW(loss->check_types({DType::kI32, {150, 1}}, output));
  EXPECT_EQ(loss->num_label_classes(output.dims), 3);
  EXPECT_FALSE(losses::LogCosh()->num_label_classes(output.dims).has_value());
}

}  // namespace
}  // namespace cornu::keras
