#include "cornu/keras/visualization/draw.h"

#include <gtest/gtest.h>

#include "cornu/base/error.h"
#include "cornu/keras/testing/golden_test_support.h"
#include "cornu/tensor/ops.h"

/// Numbers of real Keras: tools/goldens/images_and_masks.py.
namespace cornu::inline v0::keras::visualization {
namespace {

using nlohmann::json;

TEST(DrawSegmentationMasksTest, PicturesAreKerass) {
  const json golden = testing::load_golden("images_and_masks").at("masks");
  const Tensor images = ops::cast(testing::golden_tensor(golden.at("images")), DType::kU8),
               ids = testing::golden_tensor(golden.at("ids"));
  for (const json& row : golden.at("cases")) {
    const json& given = row.at("options");
    DrawSegmentationMasksOptions options;
    if (given.contains("num_classes")) options.num_classes = given.at("num_classes").get<std::int64_t>();
    if (given.contains("alpha")) options.alpha = given.at("alpha");
    if (given.contains("blend")) options.blend = given.at("blend");
    if (given.contains("ignore_index")) options.ignore_index = given.at("ignore_index");
    if (given.contains("color_mapping"))
      options.color_mapping = given.at("color_mapping").get<std::vector<Color>>();
    const Tensor y = draw_segmentation_masks(images, ids, options);
    EXPECT_EQ(y.dtype(), options.blend ? DType::kU8 : DType::kF32);
    const std::vector<float> drawn = ops::cast(y, DType::kF32).to_vector<float>(),
                             wanted = ops::cast(testing::golden_tensor(row.at("y")), DType::kF32)
                                          .to_vector<float>();
    ASSERT_EQ(drawn.size(), wanted.size());
    for (std::size_t i = 0; i < drawn.size(); ++i) EXPECT_NEAR(drawn[i], wanted[i], 1) << given << " " << i;
    const Tensor first =
        draw_segmentation_masks(ops::transpose(images, {0, 3, 1, 2}), ops::squeeze(ids, {.axis = 3}), [&] {
          DrawSegmentationMasksOptions of_first = options;
          of_first.data_format = "channels_first";
          return of_first;
        }());
    EXPECT_EQ(ops::transpose(ops::cast(first, DType::kF32), {0, 2, 3, 1}).to_vector<float>(), drawn);
  }
}

TEST(DrawBoundingBoxesTest, FramesAreOnTheEdgesAndInTheImage) {
  const Tensor images = Tensor::zeros({2, 8, 10, 3}, DType::kU8);
  const Tensor boxes =
      Tensor::of<float>({2, 2, 4}, {2, 1, 7, 6, -100, 3, 300, 1e20F, 0, 0, 9, 7, 4, 4, 5, 5});
  const Tensor labels = Tensor::of<std::int32_t>({2, 2}, {0, 1, -1, 3});
  const Tensor drawn =
      draw_bounding_boxes(images, {boxes, labels}, "xyxy", {.color = {9, 8, 7}, .line_thickness = 1});
  EXPECT_EQ(drawn.shape(), images.shape());
  const auto red = [&](std::int64_t image, std::int64_t y, std::int64_t x) {
    return static_cast<int>(drawn.at(((image * 8 + y) * 10 + x) * 3));
  };
  EXPECT_EQ(red(0, 1, 2), 9);
  EXPECT_EQ(red(0, 6, 7), 9);
  EXPECT_EQ(red(0, 2, 3), 0) << "inside";
  EXPECT_EQ(red(0, 0, 2), 0) << "above";
  EXPECT_EQ(red(0, 3, 0), 9) << "of the box that is larger than the image";
  EXPECT_EQ(red(1, 0, 0), 0) << "the label is -1";
  EXPECT_EQ(red(1, 4, 4), 9);
  EXPECT_EQ(ops::sum(ops::cast(drawn, DType::kI32)).item<int>() % 24, 0);
  const Tensor shares = draw_bounding_boxes(ops::full({2, 8, 10, 3}, 0.5), {boxes, labels}, "xyxy");
  EXPECT_EQ(shares.at(2 * 8 * 10 * 3 - 1), 127);
}

TEST(DrawTest, RefusesOtherShapes) {
  const Tensor images = ops::ones({1, 4, 4, 3}), boxes = ops::ones({1, 2, 4}), labels = ops::ones({1, 2});
  EXPECT_THROW((void)draw_bounding_boxes(ops::ones({4, 4, 3}), {boxes, labels}, "xyxy"), Error);
  EXPECT_THROW((void)draw_bounding_boxes(images, {boxes, {}}, "xyxy"), Error);
  EXPECT_THROW((void)draw_bounding_boxes(images, {boxes, labels}, "corners"), Error);
  EXPECT_THROW((void)draw_bounding_boxes(images, {boxes, labels}, "xyxy", {.line_thickness = 0}), Error);
  EXPECT_THROW((void)draw_segmentation_masks(images, ops::ones({1, 4, 4})), Error);
  EXPECT_THROW((void)draw_segmentation_masks(images, ops::ones({1, 4, 5}, {.dtype = DType::kI32})), Error);
  EXPECT_THROW((void)draw_segmentation_masks(images, ops::ones({1, 4, 4}, {.dtype = DType::kI32}),
                                             {.num_classes = 2, .color_mapping = {{1, 2, 3}}}),
               Error);
}

}  // namespace
}  // namespace cornu::inline v0::keras::visualization
