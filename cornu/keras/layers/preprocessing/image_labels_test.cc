// Boxes and masks that layers of images change with them: numbers of real Keras
// (tools/goldens/image_labels.py), and the boxes of what masks show.
#include <gtest/gtest.h>

#include <algorithm>

#include "cornu/base/error_test_support.h"
#include "cornu/keras/config/described_options_support.h"
#include "cornu/keras/keras.h"
#include "cornu/keras/testing/golden_test_support.h"

namespace cornu::inline v0::keras {
namespace {

using data::Element;
using layers::ImageHandle;
using nlohmann::json;

Element labeled(const Tensor& images, const Tensor& boxes, const Tensor& labels, const Tensor& masks) {
  return Element({{"images", images},
                  {"bounding_boxes", Element({{"boxes", boxes}, {"labels", labels}})},
                  {"segmentation_masks", masks}});
}

Tensor integers(const json& value) {
  return Tensor::adopt(value.at("shape").get<Dims>(), value.at("data").get<std::vector<std::int32_t>>());
}

/// True if image `i` of the results is that of Keras.
bool is_equal(const Element& ours, const json& wanted, std::int64_t i) {
  const auto differs = [&](const Tensor& x, const Tensor& y, double most) {
    return ops::max(ops::abs(ops::cast(x[i], DType::kF32) - ops::cast(y[i], DType::kF32))).item<double>() >
           most;
  };
  const Element& boxes = ours["bounding_boxes"];
  return !differs(boxes["boxes"].tensor(), testing::golden_tensor(wanted.at("boxes")), 2e-4) &&
         !differs(boxes["labels"].tensor(), integers(wanted.at("labels")), 0) &&
         !differs(ours["segmentation_masks"].tensor(), integers(wanted.at("masks")), 0);
}

TEST(ImageLabelsTest, BoxesAndMasksAreKerass) {
  for (const json& row : testing::load_golden("image_labels").at("cases")) {
    const std::string name = row.at("layer");
    SCOPED_TRACE(name + " " + row.at("config").dump());
    const ImageHandle layer(saving::from_config<Layer>(name, Config::parse(row.at("config").dump())));
    const json& given = row.at("given");
    const Element x =
        labeled(Tensor::zeros(row.at("images").get<Dims>()), testing::golden_tensor(given.at("boxes")),
                integers(given.at("labels")), integers(given.at("masks")));
    const Element result = layer(x);
    EXPECT_EQ(result["segmentation_masks"].tensor().dtype(), DType::kI32);
    for (std::int64_t i = 0; i < 2; ++i)
      EXPECT_TRUE(std::ranges::any_of(row.at("results"),
                                      [&](const json& wanted) { return is_equal(result, wanted, i); }))
          << i << result.str() << row.at("results").dump();
    const ImageHandle copy(saving::deserialize<Layer>(saving::serialize(*layer)));
    EXPECT_EQ(copy.get_config(), layer.get_config());
  }
}

/// One mask of ones inside of each box, [images, rows, columns, 1].
Tensor masks_of(const std::vector<std::vector<int>>& boxes, std::int64_t rows, std::int64_t columns) {
  std::vector<std::int32_t> values;
  for (const std::vector<int>& box : boxes)
    for (int y = 0; y < rows; ++y)
      for (int x = 0; x < columns; ++x)
        values.push_back(x >= box[0] && x < box[2] && y >= box[1] && y < box[3] ? 1 : 0);
  return Tensor::adopt({static_cast<std::int64_t>(boxes.size()), rows, columns, 1}, std::move(values));
}

/// The box around the ones in image `i`; empty if there is none.
std::vector<double> box_of_ones(const Tensor& masks, std::int64_t i) {
  const std::int64_t rows = masks.shape()[1], columns = masks.shape()[2];
  std::vector<double> box;
  for (std::int64_t y = 0; y < rows; ++y)
    for (std::int64_t x = 0; x < columns; ++x) {
      if (masks.at((i * rows + y) * columns + x) == 0) continue;
      const auto left = static_cast<double>(x), top = static_cast<double>(y);
      if (box.empty()) box = {left, top, left + 1, top + 1};
      box = {std::min(box[0], left), std::min(box[1], top), std::max(box[2], left + 1),
             std::max(box[3], top + 1)};
    }
  return box;
}

/// Boxes are around what masks show, up to the pixels at their edges.
void expect_boxes_around_masks(const layers::ImageHandle& layer, double most, std::int64_t rows,
                               std::int64_t columns) {
  const std::vector<std::vector<int>> corners = {
      {6, 8, 15, 20}, {12, 4, 30, 16}, {10, 12, 22, 26}, {4, 4, 28, 12}};
  std::vector<float> numbers;
  for (const auto& box : corners) numbers.insert(numbers.end(), box.begin(), box.end());
  const Tensor masks = masks_of(corners, rows, columns);
  const Element x =
      labeled(ops::cast(masks, DType::kF32) * 255.0, Tensor::adopt({4, 1, 4}, std::move(numbers)),
              Tensor::of<std::int32_t>({4, 1}, {1, 2, 3, 4}), masks);
  int num_shown = 0;
  for (int call = 0; call < 3; ++call) {
    const Element result = layer(x);
    const Tensor boxes = result["bounding_boxes"]["boxes"].tensor(),
                 shown = result["segmentation_masks"].tensor();
    EXPECT_EQ(result["images"].tensor().shape()[1], shown.shape()[1]);
    for (std::int64_t i = 0; i < 4; ++i) {
      const std::vector<double> wanted = box_of_ones(shown, i);
      if (wanted.empty()) continue;
      ++num_shown;
      EXPECT_EQ(result["bounding_boxes"]["labels"].tensor().at(i), static_cast<double>(i + 1));
      for (std::int64_t k = 0; k < 4; ++k)
        EXPECT_NEAR(boxes.at(i * 4 + k), wanted[static_cast<std::size_t>(k)], most) << layer.name() << i << k;
    }
  }
  EXPECT_GT(num_shown, 4);
}

TEST(ImageLabelsTest, BoxesAreAroundWhatMasksShow) {
  const std::string format = "xyxy", constant = "constant";
  expect_boxes_around_masks(layers::RandomFlip({.seed = 1, .bounding_box_format = format}), 0, 32, 40);
  expect_boxes_around_masks(
      layers::RandomCrop({.height = 24, .width = 20, .seed = 2, .bounding_box_format = format}), 0, 32, 40);
  expect_boxes_around_masks(
      layers::RandomCrop({.height = 48, .width = 48, .seed = 2, .bounding_box_format = format}), 1.5, 32, 40);
  expect_boxes_around_masks(layers::RandomTranslation({.height_factor = 0.2,
                                                       .width_factor = 0.3,
                                                       .fill_mode = constant,
                                                       .seed = 3,
                                                       .bounding_box_format = format}),
                            1.01, 32, 40);
  expect_boxes_around_masks(
      layers::RandomRotation(
          {.factor = 0.05, .fill_mode = constant, .seed = 4, .bounding_box_format = format}),
      2, 32, 40);
  expect_boxes_around_masks(layers::RandomZoom({.height_factor = 0.3,
                                                .width_factor = 0.2,
                                                .fill_mode = constant,
                                                .seed = 5,
                                                .bounding_box_format = format}),
                            1.5, 32, 40);
  expect_boxes_around_masks(layers::RandomShear({.x_factor = 0.2,
                                                 .y_factor = 0.1,
                                                 .fill_mode = constant,
                                                 .seed = 6,
                                                 .bounding_box_format = format}),
                            2, 32, 40);
  expect_boxes_around_masks(
      layers::RandomPerspective({.scale = 0.3, .seed = 7, .bounding_box_format = format}), 2, 32, 40);
  expect_boxes_around_masks(layers::CenterCrop({.height = 24, .width = 26, .bounding_box_format = format}), 0,
                            32, 40);
  expect_boxes_around_masks(layers::CenterCrop({.height = 40, .width = 24, .bounding_box_format = format}),
                            1.5, 32, 40);
  expect_boxes_around_masks(
      layers::Resizing(
          {.height = 50, .width = 30, .crop_to_aspect_ratio = true, .bounding_box_format = format}),
      2.5, 32, 40);
}

TEST(ImageLabelsTest, SingleImagesAndPipelines) {
  const layers::RandomFlip flip({.mode = "horizontal", .seed = 1, .bounding_box_format = "xyxy"});
  const Element one = labeled(Tensor::zeros({8, 10, 3}), Tensor::of<float>({1, 4}, {1, 2, 4, 6}),
                              Tensor::of<std::int32_t>({1}, {7}), ops::ones({8, 10, 1}, DType::kI32));
  const Element same = flip(one, {.training = false});
  EXPECT_EQ(same.str(), one.str());
  const Element flipped = flip(one);
  EXPECT_EQ(flipped["images"].tensor().shape(), (Dims{8, 10, 3}));
  const auto box = flipped["bounding_boxes"]["boxes"].tensor().to_vector<float>();
  EXPECT_TRUE(box == (std::vector<float>{1, 2, 4, 6}) || box == (std::vector<float>{6, 2, 9, 6}));
  const layers::Pipeline both({layers::RandomBrightness({.factor = 0.5}),
                               layers::Resizing({.height = 4, .width = 5, .bounding_box_format = "xyxy"})});
  const Element resized = both(one);
  EXPECT_EQ(resized["segmentation_masks"].tensor().shape(), (Dims{4, 5, 1}));
  EXPECT_EQ(resized["bounding_boxes"]["boxes"].tensor().to_vector<float>(),
            (std::vector<float>{0.5, 1, 2, 3}));
  // In a data set.
  const data::Dataset all = data::Dataset::from_tensors(one).map(both);
  EXPECT_EQ((*all.begin())["images"].tensor().shape(), (Dims{4, 5, 3}));
}

TEST(ImageLabelsTest, BoxesBecomeFloatsAsInKeras) {
  const Element one = labeled(Tensor::zeros({8, 10, 3}), Tensor::of<std::int32_t>({1, 4}, {1, 2, 4, 6}),
                              Tensor::of<std::int32_t>({1}, {7}), ops::ones({8, 10, 1}, DType::kI32));
  const auto boxes_of = [&](const layers::ImageHandle& layer) {
    return layer(one, {.training = false})["bounding_boxes"]["boxes"].tensor();
  };
  for (const Tensor& boxes : {boxes_of(layers::RandomContrast({.factor = 0.5})),
                              boxes_of(layers::RandomFlip({.bounding_box_format = "xyxy"}))}) {
    EXPECT_EQ(boxes.dtype(), DType::kF32);
    EXPECT_EQ(boxes.to_vector<float>(), (std::vector<float>{1, 2, 4, 6}));
  }
}

CallArguments draw_of(std::uint32_t counter) {
  return {.training = true, .random_counter = Tensor::of<std::uint32_t>({}, {counter})};
}

bool are_close(const Tensor& x, const Tensor& y, double most = 1e-5) {
  return ops::max(ops::absolute(ops::cast(x, DType::kF32) - ops::cast(y, DType::kF32))).item<double>() <=
         most;
}

// Keras's results with the weights 0 and 1 of an image; ours have a weight between them.
TEST(ImageLabelsTest, MixUpMixesAllPartsOfAnElementAsKeras) {
  const json golden = testing::load_golden("image_mixing").at("mix_up");
  const layers::MixUp mix({.alpha = 1.0, .seed = 3, .bounding_box_format = "xyxy"});
  const Element given({{"images", testing::golden_tensor(golden.at("images"))},
                       {"labels", testing::golden_tensor(golden.at("labels"))},
                       {"bounding_boxes", Element({{"boxes", testing::golden_tensor(golden.at("boxes"))},
                                                   {"labels", integers(golden.at("box_labels"))}})},
                       {"segmentation_masks", integers(golden.at("masks"))}});
  std::vector<int> seen(golden.at("orders").size());
  for (std::uint32_t counter = 0; counter < 24; ++counter) {
    const Element result = mix(given, draw_of(counter));
    const Element& boxes = result["bounding_boxes"];
    const auto row = std::ranges::find_if(golden.at("orders"), [&](const json& each) {
      return are_close(boxes["boxes"].tensor(), testing::golden_tensor(each.at("boxes")));
    });
    ASSERT_NE(row, golden.at("orders").end()) << result.str();
    ++seen[static_cast<std::size_t>(row - golden.at("orders").begin())];
    EXPECT_TRUE(are_close(boxes["labels"].tensor(), integers(row->at("box_labels")), 0));
    EXPECT_EQ(boxes["labels"].tensor().dtype(), DType::kI32);
    const auto ends = [&](const char* part) { return testing::golden_tensors(row->at(part)); };
    const Tensor images = result["images"].tensor(), range = ends("images")[1] - ends("images")[0];
    const Tensor weight =
        ops::sum((images - ends("images")[0]) * range, {.axis = {1, 2, 3}}) /
        ops::maximum(ops::sum(ops::square(range), {.axis = {1, 2, 3}}), 1e-9);  // 0 of an image with itself
    const auto expect_mixed = [&](const Tensor& mixed, const char* part) {
      const Tensor share =
          mixed.rank() == 2 ? ops::expand_dims(weight, 1) : ops::reshape(weight, {3, 1, 1, 1});
      EXPECT_TRUE(are_close(mixed, ends(part)[0] + share * (ends(part)[1] - ends(part)[0]), 1e-4)) << part;
      EXPECT_EQ(mixed.dtype(), DType::kF32);
    };
    expect_mixed(images, "images");
    expect_mixed(result["labels"].tensor(), "labels");
    expect_mixed(result["segmentation_masks"].tensor(), "masks");
  }
  EXPECT_GT(std::ranges::count_if(seen, [](int count) { return count > 0; }), 3);
  EXPECT_EQ(mix(given, {.training = false}).str(), given.str());
}

TEST(ImageLabelsTest, CutMixCutsMasksAsImages) {
  const layers::CutMix cut({.seed = 4});
  const Tensor masks = ops::cast(random::uniform({6, 8, 9, 1}, {.maxval = 5.0, .seed = 2}), DType::kI32);
  const Tensor images = ops::cast(ops::concatenate({masks, masks, masks}, -1), DType::kF32);
  int num_changed = 0;
  for (std::uint32_t counter = 0; counter < 8; ++counter) {
    const Element result = cut(Element({{"images", images},
                                        {"segmentation_masks", masks},
                                        {"labels", ops::one_hot(ops::arange(6, DType::kI32), 6)}}),
                               draw_of(counter));
    EXPECT_EQ(result["segmentation_masks"].tensor().dtype(), DType::kI32);
    EXPECT_TRUE(are_close(result["images"].tensor(),
                          ops::broadcast_to(result["segmentation_masks"].tensor(), {6, 8, 9, 3}), 0));
    EXPECT_TRUE(are_close(ops::sum(result["labels"].tensor(), {.axis = 1}), ops::ones({6})));
    num_changed += are_close(result["segmentation_masks"].tensor(), masks, 0) ? 0 : 1;
  }
  EXPECT_GT(num_changed, 5);
}

TEST(ImageLabelsTest, AugMixMixesMasksWithKerassMoments) {
  const json golden = testing::load_golden("image_mixing").at("aug_mix");
  Config config = Config::parse(golden.at("config").dump());
  config.set("seed", 7);
  const ImageHandle layer(saving::from_config<Layer>("AugMix", config));
  const std::int64_t batch = golden.at("batch");
  const Tensor mask = ops::broadcast_to(integers(golden.at("mask")), {batch, 5, 6, 1});
  const Element given({{"images", Tensor::zeros({batch, 5, 6, 3})}, {"segmentation_masks", mask}});
  Tensor sum = ops::zeros({5, 6, 1}), squares = ops::zeros({5, 6, 1});
  constexpr std::uint32_t kDraws = 300;
  for (std::uint32_t counter = 0; counter < kDraws; ++counter) {
    const Tensor drawn = layer(given, draw_of(counter))["segmentation_masks"].tensor();
    EXPECT_EQ(drawn.dtype(), DType::kF32);
    sum = sum + ops::mean(drawn, {.axis = 0});
    squares = squares + ops::mean(ops::square(drawn), {.axis = 0});
  }
  const Tensor mean = sum / static_cast<double>(kDraws);
  const Tensor variance = squares / static_cast<double>(kDraws) - ops::square(mean);
  EXPECT_TRUE(are_close(mean, testing::golden_tensor(golden.at("mean")), 0.2)) << mean.str();
  EXPECT_TRUE(are_close(variance, testing::golden_tensor(golden.at("variance")), 0.2)) << variance.str();
}

TEST(ImageLabelsTest, MixingRefusesWhatKerasRefuses) {
  const Tensor images = Tensor::zeros({2, 8, 8, 3}), boxes = Tensor::zeros({2, 1, 4});
  const Tensor labels = ops::zeros({2, 1}, DType::kI32), masks = ops::zeros({2, 8, 8, 1}, DType::kI32);
  const Element two = labeled(images, boxes, labels, masks);
  expect_error(ErrorCode::kInvalidArgument, {"mix_up", "bounding_box_format"}, [&] { layers::MixUp()(two); });
  expect_error(ErrorCode::kInvalidArgument, {"cut_mix", "takes no bounding_boxes", "use MixUp"},
               [&] { layers::CutMix()(two); });
  const Element one = labeled(images[0], boxes[0], labels[0], masks[0]);
  expect_error(ErrorCode::kInvalidArgument, {"mix_up", "of one image"},
               [&] { layers::MixUp({.bounding_box_format = "xyxy"})(one); });
  expect_error(ErrorCode::kInvalidArgument, {"mix_up", "[batch, classes]"},
               [&] { layers::MixUp()(Element({{"images", images}, {"labels", ops::zeros({2})}})); });
}

TEST(ImageLabelsTest, ElasticTransformMovesMasksWithTheirImagesAndRefusesBoxes) {
  const layers::RandomElasticTransform layer({.factor = {1.0, 1.0},
                                              .scale = {1.0, 1.0},
                                              .interpolation = "nearest",
                                              .fill_mode = "nearest",
                                              .value_range = {0, 255},
                                              .seed = 3});
  const Tensor pixels = ops::mod(ops::reshape(ops::arange(2 * 96 * 80, DType::kI32), {2, 96, 80, 1}), 251);
  const Element moved =
      layer(Element({{"images", ops::cast(pixels, DType::kF32)}, {"segmentation_masks", pixels}}));
  const Tensor masks = moved["segmentation_masks"].tensor();
  EXPECT_EQ(masks.dtype(), DType::kI32);
  testing::expect_close(ops::cast(masks, DType::kF32), moved["images"].tensor(), 0, "masks and images");
  EXPECT_GT(ops::max(ops::abs(masks - pixels)).item<std::int32_t>(), 0);
  const Element with_boxes = labeled(Tensor::zeros({2, 8, 8, 3}), Tensor::zeros({2, 1, 4}),
                                     ops::zeros({2, 1}, DType::kI32), ops::zeros({2, 8, 8, 1}, DType::kI32));
  expect_error(ErrorCode::kInvalidArgument, {"random_elastic_transform", "takes no bounding_boxes"},
               [&] { layer(with_boxes); });
}

TEST(ImageLabelsTest, MistakesAreErrors) {
  const Tensor images = Tensor::zeros({1, 8, 8, 3}), boxes = Tensor::zeros({1, 2, 4});
  const Tensor labels = ops::zeros({1, 2}, DType::kI32), masks = ops::zeros({1, 8, 8, 1}, DType::kI32);
  expect_error(ErrorCode::kInvalidArgument, {"bounding_box_format", "random_flip"},
               [&] { layers::RandomFlip()(labeled(images, boxes, labels, masks)); });
  expect_error(ErrorCode::kInvalidArgument, {"bounding_box_format", "xxyy"},
               [] { layers::RandomFlip({.bounding_box_format = "xxyy"}); });
  const layers::RandomFlip flip({.bounding_box_format = "xyxy"});
  expect_error(ErrorCode::kInvalidArgument, {"images"}, [&] { flip(Element({{"image", images}})); });
  expect_error(ErrorCode::kInvalidArgument, {"[batch, boxes, 4]"},
               [&] { flip(labeled(images, Tensor::zeros({2, 2, 4}), labels, masks)); });
  expect_error(ErrorCode::kInvalidArgument, {"segmentation_masks"},
               [&] { flip(labeled(images, boxes, labels, ops::zeros({1, 8, 9, 1}, DType::kI32))); });
}

}  // namespace
}  // namespace cornu::inline v0::keras
