// Random augmentation: ranges, moments and what stays; numbers of real Keras are in
// preprocessing_layers_test.cc.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "cornu/base/error.h"
#include "cornu/keras/keras.h"
#include "cornu/keras/testing/check_layer_test_support.h"

namespace cornu::inline v0::keras {
namespace {

using nlohmann::json;
using testing::golden_tensor;

Tensor augmented(const LayerHandle& layer, const Tensor& x, std::uint32_t counter) {
  return layer(x, {.training = true, .random_counter = Tensor::of<std::uint32_t>({}, {counter})});
}

double mean_of(const Tensor& x) { return ops::mean(x).item<double>(); }

double largest_difference(const Tensor& a, const Tensor& b) {
  return ops::max(ops::absolute(a - b)).item<double>();
}

TEST(RandomAugmentTest, ShearsAreKerassInBothDirections) {
  const json goldens = testing::load_golden("preprocessing_layers");
  for (const json& row : goldens.at("sheared")) {
    SCOPED_TRACE(row.at("config").dump());
    const LayerHandle layer(
        saving::from_config<Layer>("RandomShear", Config::parse(row.at("config").dump())));
    const Tensor x = golden_tensor(row.at("input"));
    const std::vector<Tensor> wanted = testing::golden_tensors(row.at("results"));
    std::vector<int> seen(2);
    for (std::uint32_t counter = 0; counter < 32; ++counter) {
      const Tensor y = augmented(layer, x, counter);
      const std::size_t sign = largest_difference(y, wanted[0]) < 1e-3 ? 0 : 1;
      EXPECT_LT(largest_difference(y, wanted[sign]), 1e-3);
      ++seen[sign];
    }
    EXPECT_GT(seen[0], 4);
    EXPECT_GT(seen[1], 4);
  }
}

// A bright rectangle, its mask and its box: changes of colors leave mask and box, the others move all three.
TEST(RandomAugmentTest, BoxesAndMasksOfRandAugmentMoveWithTheImages) {
  const layers::RandAugment layer({.value_range = {0, 1},
                                   .num_ops = 1,
                                   .interpolation = "nearest",
                                   .seed = 3,
                                   .bounding_box_format = "xyxy"});
  const Tensor mask = ops::pad(ops::ones({1, 8, 6, 1}), {{0, 0}, {12, 12}, {13, 13}, {0, 0}});
  const Tensor boxes = Tensor::of<float>({1, 1, 4}, {13, 12, 19, 20});
  int moved = 0, stayed = 0, compared = 0;
  for (std::uint32_t counter = 0; counter < 24; ++counter) {
    const data::Element given(
        {{"images", mask * 0.5 + 0.25},
         {"segmentation_masks", ops::cast(mask, DType::kI32)},
         {"bounding_boxes",
          data::Element({{"boxes", boxes}, {"labels", Tensor::of<std::int32_t>({1, 1}, {4})}})}});
    const data::Element result =
        layer(given, {.training = true, .random_counter = Tensor::of<std::uint32_t>({}, {counter})});
    const Tensor found = ops::cast(result["segmentation_masks"].tensor(), DType::kF32);
    const Tensor box = result["bounding_boxes"]["boxes"].tensor();
    if (largest_difference(found, mask) == 0 && largest_difference(box, boxes) == 0) {
      ++stayed;
      continue;
    }
    ++moved;
    const Tensor bright = ops::cast(ops::greater(result["images"].tensor(), 0.5), DType::kF32);
    EXPECT_EQ(largest_difference(bright, found), 0) << counter;
    const double width = box.at(2) - box.at(0), height = box.at(3) - box.at(1);
    if (width * height < 40) continue;  // partly outside
    const auto column = static_cast<std::int64_t>(box.at(0) + width / 2),
               row = static_cast<std::int64_t>(box.at(1) + height / 2);
    EXPECT_EQ(found.at(row * 32 + column), 1) << counter << ": " << row << ", " << column;
    EXPECT_LT(width * height, 120) << counter;
    ++compared;
  }
  EXPECT_GT(compared, 1);
  EXPECT_GT(moved, 2);
  EXPECT_GT(stayed, 8);
}

TEST(RandomAugmentTest, PerspectivesKeepACornerAndShowTheImage) {
  const layers::RandomPerspective layer({.fill_value = -1.0, .seed = 2});
  const Tensor x = ops::ones({64, 9, 12, 1});
  const Tensor y = augmented(layer, x, 1);
  EXPECT_EQ(largest_difference(ops::slice(y, {0, 0, 0, 0}, {64, 1, 1, 1}), ops::ones({64, 1, 1, 1})), 0);
  EXPECT_GE(ops::min(y).item<double>(), -1.0);
  EXPECT_LE(ops::max(y).item<double>(), 1.0 + 1e-5);
  EXPECT_GT(mean_of(y), 0.3);
  EXPECT_LT(mean_of(y), 1.0);  // some corners move inwards
}

TEST(RandomAugmentTest, ErasedRectanglesHaveTheirAreaAndTheirNoise) {
  const std::int64_t count = 400;
  const Tensor x = ops::zeros({count, 20, 20, 1});
  const layers::RandomErasing filled(
      {.factor = {1.0, 1.0}, .scale = {0.25, 0.25}, .fill_value = 1.0, .seed = 3});
  const Tensor areas = ops::sum(augmented(filled, x, 1), {.axis = {1, 2, 3}});
  EXPECT_EQ(largest_difference(areas, ops::full({count}, 100.0)), 0);  // 10 x 10 pixels at any position
  const layers::RandomErasing half({.factor = {0.5, 0.5}, .scale = {1.0, 1.0}, .fill_value = 1.0, .seed = 3});
  EXPECT_NEAR(mean_of(augmented(half, x, 1)), 0.5, 5 * std::sqrt(0.25 / count));
  const layers::RandomErasing noisy(
      {.factor = {1.0, 1.0}, .scale = {1.0, 1.0}, .value_range = {-10, 1}, .seed = 3});
  const Tensor noise = augmented(noisy, x, 1);
  EXPECT_NEAR(mean_of(noise), -0.083, 0.02);  // of a normal number that is cut at 1
  EXPECT_LE(ops::max(noise).item<double>(), 1.0);
}

TEST(RandomAugmentTest, MixedImagesAndLabelsHaveTheSameShares) {
  const std::int64_t count = 2000;
  std::vector<float> ids;
  for (std::int64_t i = 0; i < count; ++i) ids.push_back(static_cast<float>(i % 2));
  const Tensor classes = Tensor::adopt({count}, std::move(ids));
  const Tensor labels = ops::one_hot(ops::cast(classes, DType::kI32), 2);
  const Tensor images = ops::ones({count, 8, 8, 1}) * ops::reshape(classes, {count, 1, 1, 1});
  const auto check = [&](const LayerHandle& layer, double tolerance) {
    const std::vector<Tensor> mixed = layer.call_many(
        {images, labels}, {.training = true, .random_counter = Tensor::of<std::uint32_t>({}, {7U})});
    ASSERT_EQ(mixed.size(), 2U);
    const Tensor shares = ops::mean(mixed[0], {.axis = {1, 2, 3}});
    const Tensor of_second = ops::reshape(ops::slice(mixed[1], {0, 1}, {count, 1}), {count});
    EXPECT_LT(largest_difference(shares, of_second), tolerance);
    EXPECT_LT(largest_difference(ops::sum(mixed[1], {.axis = 1}), ops::ones({count})), 1e-5);
    EXPECT_GT(mean_of(ops::cast(ops::greater(ops::absolute(shares - classes), 1e-3), DType::kF32)), 0.2);
  };
  check(layers::MixUp({.alpha = 0.4, .seed = 1}), 1e-5);
  check(layers::CutMix({.factor = {1.0, 1.0}, .seed = 1}), 0.3);  // areas are of whole pixels
  // w of beta(a, a): mean 1 / 2, variance 1 / (4 (2 a + 1)). Neighbours differ in half of the pairs.
  const Tensor mixed = augmented(layers::MixUp({.alpha = 0.4, .seed = 5}), images, 3);
  const Tensor moved = ops::mean(ops::absolute(mixed - images), {.axis = {1, 2, 3}});
  EXPECT_NEAR(mean_of(moved), 0.25, 0.04);
  EXPECT_NEAR(mean_of(ops::square(moved)), 0.5 * (0.25 + 0.25 / 1.8), 0.04);
}

TEST(RandomAugmentTest, MixingNeedsABatchAndTraining) {
  const layers::MixUp mix({.seed = 1});
  const Tensor x = random::uniform({4, 3, 3, 2}, {.seed = 1});
  EXPECT_EQ(largest_difference(mix(x, {.training = false}), x), 0);
  EXPECT_LT(largest_difference(augmented(mix, x.rows(0, 1), 1), x.rows(0, 1)), 1e-6);
  EXPECT_EQ(augmented(mix, ops::ones({3, 3, 2}), 1).shape(), (Dims{3, 3, 2}));
  EXPECT_THROW((void)mix.call_many({x, ops::ones({4})}), Error);
  EXPECT_THROW((void)mix.call_many({x, ops::ones({3, 2})}), Error);
  EXPECT_THROW(layers::MixUp({.alpha = 0.0}), Error);
}

TEST(RandomAugmentTest, ChainsOfChangesStayInTheRangeAndDiffer) {
  const Tensor x = random::uniform({3, 8, 8, 3}, {.maxval = 255.0, .seed = 4});
  for (const LayerHandle& layer :
       {LayerHandle(layers::RandAugment({.seed = 1})), LayerHandle(layers::AugMix({.seed = 1})),
        LayerHandle(layers::AugMix({.num_chains = 1, .all_ops = false, .seed = 1}))}) {
    SCOPED_TRACE(layer->class_name());
    EXPECT_EQ(largest_difference(layer(x, {.training = false}), x), 0);
    std::size_t num_changed = 0;
    for (std::uint32_t counter = 0; counter < 12; ++counter) {
      const Tensor y = augmented(layer, x, counter);
      EXPECT_EQ(y.shape(), x.shape());
      EXPECT_GE(ops::min(y).item<double>(), -1e-3);
      EXPECT_LE(ops::max(y).item<double>(), 255.01);
      EXPECT_EQ(largest_difference(y, augmented(layer, x, counter)), 0);
      num_changed += largest_difference(y, x) > 1 ? 1 : 0;
    }
    EXPECT_GT(num_changed, 4U);
    const LayerHandle again(saving::from_config<Layer>(layer->class_name(), layer->get_config()));
    EXPECT_EQ(again->get_config(), layer->get_config());
  }
}

TEST(RandomAugmentTest, AugmentedModelsTrain) {
  Sequential model({Input({.shape = {8, 8, 3}}), layers::RandAugment({.seed = 2}),
                    layers::RandomErasing({.seed = 3}), layers::Flatten(), layers::Dense({.units = 1})});
  model.compile({.optimizer = "adam", .loss = "mse"});
  const Tensor x = random::uniform({10, 8, 8, 3}, {.maxval = 255.0, .seed = 4});
  const callbacks::History history =
      model.fit(x, ops::ones({10, 1}), {.batch_size = 4, .epochs = 2, .verbose = 0});
  EXPECT_TRUE(std::isfinite(history["loss"].back()));
}

TEST(RandomAugmentErrorsTest, OptionsThatCannotHoldAreRefused) {
  EXPECT_THROW(layers::RandomShear({.x_factor = -0.5}), Error);
  EXPECT_THROW(layers::RandomShear({.y_factor = {0.5, 1.5}}), Error);
  EXPECT_THROW(layers::RandomPerspective({.scale = 2.0}), Error);
  EXPECT_THROW(layers::RandomErasing({.fill_value = ops::ones({2})}), Error);
  EXPECT_THROW(layers::RandomErasing({.scale = 1.5}), Error);
  EXPECT_THROW(layers::RandomGaussianBlur({.kernel_size = 4}), Error);
  EXPECT_THROW(layers::RandomGaussianBlur({.sigma = 2.0}), Error);
  EXPECT_THROW(layers::Equalization({.bins = 1}), Error);
  EXPECT_THROW(layers::ContrastLimitedAdaptiveHistogramEqualization({.tile_grid_size = {8}}), Error);
  EXPECT_THROW(layers::CutMix({.factor = 2.0}), Error);
  EXPECT_THROW(layers::RandAugment({.num_ops = -1}), Error);
  EXPECT_THROW(layers::AugMix({.num_chains = 0}), Error);
}

}  // namespace
}  // namespace cornu::inline v0::keras
