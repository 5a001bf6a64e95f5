#include "cornu/keras/layers/core/embedding.h"

#include <gtest/gtest.h>

#include "cornu/base/error.h"
#include "cornu/base/log_test_support.h"
#include "cornu/keras/base/names.h"
#include "cornu/keras/layers/core/masking.h"
#include "cornu/keras/layers/reshaping/flatten.h"
#include "cornu/keras/losses/losses.h"
#include "cornu/keras/models/sequential.h"
#include "cornu/keras/optimizers/optimizers.h"
#include "cornu/keras/testing/golden_test_support.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras {
namespace {

std::string embedding_error(layers::EmbeddingOptions options) {
  clear_session();
  try {
    layers::Embedding{std::move(options)};
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(EmbeddingTest, RejectsEmptyTablesAndWeightsOfAnotherShape) {
  EXPECT_EQ(embedding_error({.input_dim = 0, .output_dim = 3}),
            "[embedding] input_dim must be positive; got input_dim = 0; in layer \"embedding\"");
  EXPECT_EQ(embedding_error({.input_dim = 4, .output_dim = -1}),
            "[embedding] output_dim must be positive; got output_dim = -1; in layer \"embedding\"");
  EXPECT_EQ(embedding_error({.input_dim = 4, .output_dim = 3, .weights = Tensor::zeros({3, 4})}),
            "[embedding] weights must have the shape (4, 3); got (3, 4) float32; in layer \"embedding\"");
}

TEST(EmbeddingTest, WeightsAreTheInitialTable) {
  const layers::Embedding layer(
      {.input_dim = 2, .output_dim = 2, .weights = Tensor::of<float>({2, 2}, {1, 2, 3, 4})});
  EXPECT_TRUE(layer->built());
  EXPECT_EQ(layer(Tensor::of<std::int32_t>({1, 2}, {1, 0})).to_vector<float>(),
            (std::vector<float>{3, 4, 1, 2}));
  ASSERT_EQ(layer->trainable_weights().size(), 1U);
}

TEST(EmbeddingTest, AnInputLengthIsWarnedOf) {
  CapturedLog log;
  const layers::Embedding layer({.input_dim = 2, .output_dim = 2, .input_length = 4, .name = "words"});
  EXPECT_EQ(log.take(), "warning: [embedding] input_length has no effect; in layer \"words\"\n");
}

class EmbeddingPlatformTest : public testing::OnEachPlatform {};
INSTANTIATE_TEST_SUITE_P(On, EmbeddingPlatformTest, testing::platforms(), testing::PlatformName());

TEST_P(EmbeddingPlatformTest, IdsOutsideTheVocabularyReadTheFirstOrTheLastRow) {
  const layers::Embedding layer(
      {.input_dim = 3, .output_dim = 1, .weights = Tensor::of<float>({3, 1}, {10, 20, 30})});
  const Tensor ids =
      Tensor::of<std::int64_t>({1, 5}, {-1, 3, 1, std::int64_t{1} << 40, std::int64_t{-1} << 40});
  EXPECT_EQ(layer(ids).to_vector<float>(), (std::vector<float>{10, 30, 20, 30, 10}));
  EXPECT_EQ(layer(Tensor::of<std::uint8_t>({1, 2}, {255, 1})).to_vector<float>(),
            (std::vector<float>{30, 20}));
}

TEST_P(EmbeddingPlatformTest, TrainingClampsIdsAsReadingDoes) {
  Sequential model({layers::Embedding({.input_dim = 3, .output_dim = 1, .weights = Tensor::zeros({3, 1})})});
  model.compile({.optimizer = optimizers::SGD({.learning_rate = 1.0}), .loss = "mse"});
  // The mean over the three elements: each moves its row by 2 / 3.
  model.train_on_batch(Tensor::of<std::int32_t>({1, 3}, {-5, 7, 2}), Tensor::of<float>({1, 3, 1}, {3, 3, 3}));
  const std::vector<float> table = model.get_weights()[0].to_vector<float>();
  EXPECT_NEAR(table[0], 2, 1e-6);
  EXPECT_EQ(table[1], 0);
  EXPECT_NEAR(table[2], 4, 1e-6);
}

TEST_P(EmbeddingPlatformTest, AdamMovesRowsThatAreNotReadAnyMore) {
  Sequential model({layers::Embedding({.input_dim = 3, .output_dim = 1, .weights = Tensor::zeros({3, 1})})});
  model.compile({.optimizer = optimizers::Adam({.learning_rate = 0.1}), .loss = "mse"});
  model.train_on_batch(Tensor::of<std::int32_t>({1, 1}, {0}), Tensor::of<float>({1, 1, 1}, {1}));
  const float before = model.get_weights()[0].to_vector<float>()[0];
  model.train_on_batch(Tensor::of<std::int32_t>({1, 1}, {1}), Tensor::of<float>({1, 1, 1}, {1}));
  const std::vector<float> table = model.get_weights()[0].to_vector<float>();
  EXPECT_GT(table[0], before + 0.01F);
  EXPECT_GT(table[1], 0);
  EXPECT_EQ(table[2], 0);
}

TEST_P(EmbeddingPlatformTest, CheckIdsNamesValueAndPosition) {
  clear_session();
  Sequential model({layers::Embedding({.input_dim = 3, .output_dim = 1, .weights = Tensor::zeros({3, 1})})});
  model.compile({.optimizer = "sgd", .loss = "mse", .check_ids = true});
  try {
    model.train_on_batch(Tensor::of<std::int32_t>({2, 2}, {0, 2, 1, 3}), Tensor::zeros({2, 2, 1}));
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("id 3 at (1, 1) is outside [0, 3)"), std::string::npos) << message;
    EXPECT_NE(message.find("in layer \"embedding\""), std::string::npos) << message;
  }
}

TEST(MaskingTest, KeepsIntegersAndReplacesTheInputsMask) {
  const layers::Masking layer({.mask_value = 7});
  const Tensor x =
      Tensor::of<std::int32_t>({1, 2, 2}, {7, 7, 7, 1}).with_mask(Tensor::of<bool>({1, 2}, {true, false}));
  const Tensor y = layer(x);
  EXPECT_EQ(y.dtype(), DType::kI32);
  EXPECT_EQ(y.to_vector<int>(), (std::vector<int>{0, 0, 7, 1}));
  ASSERT_NE(y.mask(), nullptr);
  EXPECT_EQ(y.mask()->to_vector<int>(), (std::vector<int>{0, 1}));
}

TEST(MaskingTest, ALayerThatDoesNotSupportMasksSaysOnceThatTheyEndThere) {
  const Tensor x = Tensor::zeros({1, 2, 2}).with_mask(Tensor::of<bool>({1, 2}, {true, false}));
  const layers::Flatten layer({.name = "rows"});
  CapturedLog log;
  EXPECT_EQ(layer(x).mask(), nullptr);
  EXPECT_EQ(layer(x).mask(), nullptr);
  EXPECT_EQ(log.take(),
            "warning: [flatten] got an input with a mask, which the layer does not support: the mask ends "
            "here; in layer \"rows\"\n");
}

}  // namespace
}  // namespace cornu::inline v0::keras
