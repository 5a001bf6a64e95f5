#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "cornu/keras/trainer/model_test_support.h"

namespace cornu::inline v0::keras {
namespace {

class PredictIntoTest : public ModelTest {};
CORNU_TEST_ON_EVERY_PLATFORM(PredictIntoTest);

std::vector<float> predicted(Model& model, const Tensor& x, std::int64_t batch_size) {
  return model.predict(x, {.batch_size = batch_size, .verbose = 0}).to_vector<float>();
}

TEST_P(PredictIntoTest, WritesWhatPredictReturns) {
  const Flowers data(23);
  Sequential model = small_model();
  for (const std::int64_t batch_size : {1, 5, 23, 32}) {  // without and with a last batch that is not full
    std::vector<float> out(23 * 3 + 2, -1.0F);
    model.predict_into(data.x, std::span(out).subspan(1, 23 * 3), {.batch_size = batch_size, .verbose = 0});
    EXPECT_EQ(std::vector<float>(out.begin() + 1, out.end() - 1), predicted(model, data.x, batch_size))
        << batch_size;
    EXPECT_EQ(out.front(), -1.0F) << "nothing before the memory is written";
    EXPECT_EQ(out.back(), -1.0F) << "nothing after the memory is written";
  }
}

TEST_P(PredictIntoTest, SeveralOutputsGoIntoSeveralMemories) {
  const Flowers data(10);
  const Input x({.shape = {4}});
  Model model({.inputs = x,
               .outputs = {layers::Dense({.units = 2, .name = "a"})(x),
                           ops::cast(layers::Dense({.units = 1, .name = "b"})(x), DType::kI32)}});
  std::vector<float> a(20);
  std::vector<std::int32_t> b(10);
  model.predict_into(data.x, {a, b}, {.batch_size = 4, .verbose = 0});
  const Tensors whole = model.predict_many(data.x, {.batch_size = 4, .verbose = 0});
  EXPECT_EQ(a, whole[0].to_vector<float>());
  EXPECT_EQ(b, whole[1].to_vector<std::int32_t>());
}

TEST_P(PredictIntoTest, AnEagerModelWritesItsOutputs) {
  const Flowers data(9);
  Sequential model = small_model();
  model.compile({.optimizer = "sgd", .loss = "mse", .run_eagerly = true});
  std::vector<float> out(27);
  model.predict_into(data.x, out, {.batch_size = 4, .verbose = 0});
  EXPECT_EQ(out, predicted(model, data.x, 4));
  std::vector<float> short_one(26);
  expect_contains(error_of([&] { model.predict_into(data.x, short_one, {.verbose = 0}); }),
                  ErrorCode::kInvalidArgument, {"[predict_into]", "108 bytes", "104 bytes"});
}

TEST_P(PredictIntoTest, MemoryThatDoesNotFitIsRefusedBeforeAnythingIsWritten) {
  const Flowers data(8);
  Sequential model = small_model();
  std::vector<float> out(25, -1.0F);
  expect_contains(error_of([&] { model.predict_into(data.x, out, {.verbose = 0}); }),
                  ErrorCode::kInvalidArgument,
                  {"[predict_into]", "output 0", "(8, 3) float32", "96 bytes", "100 bytes"});
  EXPECT_TRUE(std::all_of(out.begin(), out.end(), [](float value) { return value == -1.0F; }));
  std::vector<std::int32_t> integers(24);
  expect_contains(error_of([&] { model.predict_into(data.x, integers, {.verbose = 0}); }),
                  ErrorCode::kInvalidArgument, {"[predict_into]", "int32"});
  out.resize(24);
  expect_contains(error_of([&] { model.predict_into(data.x, {out, out}, {.verbose = 0}); }),
                  ErrorCode::kInvalidArgument, {"the model has 1 outputs; got memory for 2"});
  expect_contains(
      error_of([&] { model.predict_into(data.x, std::span<const OutputMemory>(), {.verbose = 0}); }),
      ErrorCode::kInvalidArgument, {"[predict_into]", "none"});
}

TEST(ModelHandleTest, AModelMayBeDeclaredBeforeItIsMade) {
  Model model;
  EXPECT_FALSE(static_cast<bool>(model));
  const Flowers data(8);
  const auto undefined = [&](const std::function<void()>& use) {
    expect_contains(error_of(use), ErrorCode::kFailedPrecondition, {"is undefined", "assign it"});
  };
  undefined([&] { model.compile({.loss = "mse"}); });
  undefined([&] { model.fit(data.x, data.one_hot); });
  undefined([&] { model.predict(data.x); });
  undefined([&] { model.summary(); });
  undefined([&] { model.layers(); });
  undefined([&] { model.get_layer("dense"); });
  undefined([&] { (void)model.name(); });
  undefined([&] { (void)model.to_json(); });
  undefined([&] { model.save("undefined.keras"); });
  undefined([&] { model.set_stop_training(true); });
  undefined([&] { model.build({2, 4}); });
  undefined([&] { (void)model.compiled(); });
  model = small_model();
  EXPECT_TRUE(static_cast<bool>(model));
  EXPECT_EQ(model.predict(data.x, {.verbose = 0}).num_rows(), 8);
}

}  // namespace
}  // namespace cornu::inline v0::keras
