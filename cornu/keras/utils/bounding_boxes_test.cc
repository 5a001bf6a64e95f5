#include "cornu/keras/utils/bounding_boxes.h"

#include <gtest/gtest.h>

#include "cornu/base/error.h"
#include "cornu/keras/testing/golden_test_support.h"
#include "cornu/tensor/function.h"
#include "cornu/tensor/ops.h"

/// Numbers of real Keras: tools/goldens/bounding_boxes.py.
namespace cornu::inline v0::keras::utils::bounding_boxes {
namespace {

using nlohmann::json;
using testing::expect_close;
using testing::golden_tensor;

class BoundingBoxesTest : public ::testing::Test {
 protected:
  json golden = testing::load_golden("bounding_boxes");
  Tensor boxes = golden_tensor(golden.at("boxes"));
  double height = golden.at("height"), width = golden.at("width");
};

TEST_F(BoundingBoxesTest, EveryFormatIsConvertedIntoEveryOther) {
  ASSERT_EQ(golden.at("conversions").size(), 81U);
  for (const json& row : golden.at("conversions")) {
    const std::string source = row.at("source"), target = row.at("target");
    const auto convert = [&](const Tensor& x) {
      return convert_format(x, source, target, {.height = height, .width = width});
    };
    const Tensor given = golden_tensor(row.at("boxes"));
    expect_close(convert(given), golden_tensor(row.at("result")), 1e-6, source + " " + target);
    expect_close(function(convert)(given), golden_tensor(row.at("result")), 1e-6, source + " traced");
  }
  EXPECT_EQ(convert_format(boxes, "XYXY", "xyWH").shape(), boxes.shape());
}

TEST_F(BoundingBoxesTest, BoxesAreClippedMovedCroppedAndPaddedAsInKeras) {
  for (const json& row : golden.at("clips")) {
    const BoundingBoxes cut =
        clip_to_image_size({golden_tensor(row.at("boxes")), golden_tensor(row.at("labels"))},
                           {.height = height, .width = width, .bounding_box_format = row.at("format")});
    expect_close(cut.boxes, golden_tensor(row.at("result")), 1e-6, row.at("format"));
    EXPECT_EQ(cut.labels.to_vector<int>(), golden_tensor(row.at("result_labels")).to_vector<int>());
  }
  const json& affine = golden.at("affine");
  AffineTransformBoxesOptions how = {.angle = golden_tensor(affine.at("angle")),
                                     .translate_x = golden_tensor(affine.at("translate_x")),
                                     .translate_y = golden_tensor(affine.at("translate_y")),
                                     .scale = golden_tensor(affine.at("scale")),
                                     .shear_x = golden_tensor(affine.at("shear_x")),
                                     .shear_y = golden_tensor(affine.at("shear_y")),
                                     .height = static_cast<std::int64_t>(height),
                                     .width = static_cast<std::int64_t>(width)};
  expect_close(affine_transform(boxes, how), golden_tensor(affine.at("middle")), 1e-5, "about the middle");
  how.center_x = 0.25;
  how.center_y = 0.75;
  expect_close(affine_transform(boxes, how), golden_tensor(affine.at("moved")), 1e-5, "about a point");
  expect_close(crop(boxes, {.top = 3, .left = 7, .height = 20, .width = 30}),
               golden_tensor(golden.at("crop")), 1e-6, "crop");
  expect_close(pad(boxes, {.top = 3, .left = 7}), golden_tensor(golden.at("pad")), 1e-6, "pad");
}

TEST_F(BoundingBoxesTest, DeltasAreKerassAndLeadBack) {
  const Tensor anchors = golden_tensor(golden.at("deltas").at("anchors"));
  for (const json& row : golden.at("deltas").at("cases")) {
    BoxDeltaOptions how = {
        .encoding_format = row.at("encoding"),
        .image_shape = ImageShape{static_cast<std::int64_t>(height), static_cast<std::int64_t>(width), 3}};
    if (!row.at("variance").is_null()) how.variance = row.at("variance").get<std::array<double, 4>>();
    const std::string format = row.at("format");
    const Tensor given = golden_tensor(row.at("boxes"));
    const Tensor deltas = encode_box_to_deltas(anchors, given, "xyxy", format, how);
    expect_close(deltas, golden_tensor(row.at("deltas")), 1e-5, "deltas");
    const Tensor decoded = decode_deltas_to_boxes(anchors, deltas, "xyxy", format, how);
    expect_close(decoded, golden_tensor(row.at("decoded")), 1e-5, "decoded");
    expect_close(decoded, given, 1e-4, "there and back");
  }
}

TEST_F(BoundingBoxesTest, OverlapsAreKerassForAllRanks) {
  const json& rows = golden.at("overlaps");
  const Tensor others = golden_tensor(rows.at("others")), first = ops::squeeze(boxes.rows(0, 1), 0),
               first_other = ops::squeeze(others.rows(0, 1), 0);
  const auto check = [&](const char* name, const Tensor& a, const Tensor& b,
                         const ComputeIouOptions& how = {}) {
    expect_close(compute_iou(a, b, "xyxy", how), golden_tensor(rows.at("iou").at(name)), 1e-6, name);
  };
  check("batches", boxes, others);
  check("one_batch", boxes, first_other);
  check("other_batch", first, others);
  check("plain", first, first_other);
  check("masked", boxes, golden_tensor(rows.at("masked_boxes")), {.use_masking = true, .mask_val = -2});
  expect_close(compute_ciou(boxes, golden_tensor(rows.at("same")), "xyxy"), golden_tensor(rows.at("ciou")),
               1e-5, "complete IoU");
}

TEST_F(BoundingBoxesTest, RefusesFormatsAndShapesThatCannotBe) {
  EXPECT_THROW((void)convert_format(boxes, "xyxy", "corners"), Error);
  EXPECT_THROW((void)convert_format(boxes, "xyxy", "rel_xyxy"), Error);
  EXPECT_THROW((void)convert_format(boxes, "xyxy", "rel_xyxy", {.height = 4.0}), Error);
  EXPECT_THROW((void)convert_format(ops::ones({2, 3}), "xyxy", "yxyx"), Error);
  EXPECT_THROW((void)clip_to_image_size({boxes, {}}), Error);
  EXPECT_THROW(
      (void)clip_to_image_size({boxes, {}}, {.height = 1, .width = 1, .bounding_box_format = "xywh"}), Error);
  EXPECT_THROW((void)affine_transform(boxes, {}), Error);
  EXPECT_THROW((void)crop(boxes, {.bounding_box_format = "xywh"}), Error);
  EXPECT_THROW((void)encode_box_to_deltas(boxes, boxes, "xyxy", "xyxy", {.encoding_format = "xyxy"}), Error);
  EXPECT_THROW((void)compute_iou(ops::ones({4}), boxes, "xyxy"), Error);
  EXPECT_THROW((void)compute_ciou(boxes, boxes, "rel_xyxy"), Error);
}

}  // namespace
}  // namespace cornu::inline v0::keras::utils::bounding_boxes
