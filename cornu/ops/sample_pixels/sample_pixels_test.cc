#include "cornu/ops/sample_pixels/sample_pixels.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

#include "cornu/ops/error_label_test_support.h"

namespace cornu::inline v0::ops::sample_pixels_folder {
namespace {

using ir::DType;

TEST(SamplePixelsTest, RejectsOtherForms) {
  const auto error = [](ir::TensorType x, std::vector<ir::TensorType> positions, const SamplingForm& form) {
    std::vector<ir::TensorType> types = {std::move(x)};
    types.insert(types.end(), positions.begin(), positions.end());
    return build_error(types,
                       [=](ir::Builder& b, Operands v) { sample_pixels(b, v[0], v.subspan(1), form); });
  };
  const ir::TensorType x{DType::kF32, {2, 3, 4, 1}}, places{DType::kF32, {2, 5}};
  EXPECT_EQ(error(x, {places, places}, {.order = 2}),
            "[cornu.sample_pixels] order must be 0 or 1; got order = 2");
  EXPECT_EQ(error(x, {places, places}, {.fill_mode = "edge"}),
            "[cornu.sample_pixels] fill_mode must be \"constant\", \"nearest\", \"wrap\", \"mirror\" or "
            "\"reflect\"; got fill_mode = \"edge\"");
  EXPECT_EQ(
      error(x, {places}, {}),
      "[cornu.sample_pixels] x must be [batch, extents..., channels] of floats with 1 extents above 0; got "
      "tensor<2x3x4x1xf32>");
  EXPECT_EQ(
      error({DType::kI32, {2, 3, 4, 1}}, {places, places}, {}),
      "[cornu.sample_pixels] x must be [batch, extents..., channels] of floats with 2 extents above 0; got "
      "tensor<2x3x4x1xi32>");
  EXPECT_EQ(
      error(x, {places, {DType::kF32, {2, 6}}}, {}),
      "[cornu.sample_pixels] positions must have one type [2, d...] of f32 or f64; got tensor<2x6xf32>");
  EXPECT_EQ(
      error(x, {{DType::kF32, {1, 5}}, {DType::kF32, {1, 5}}}, {}),
      "[cornu.sample_pixels] positions must have one type [2, d...] of f32 or f64; got tensor<1x5xf32>");
}

TEST(SamplePixelsTest, HalvesAreRoundedAwayFromZero) {
  const auto x = ir::Literal::of<float>({1, 4, 1}, {10, 11, 12, 13});
  const auto at = ir::Literal::of<float>({1, 5}, {0.5F, 1.5F, 2.49F, -0.5F, -1.5F});
  const auto result = run_op({x, at}, [](ir::Builder& b, Operands v) {
    return sample_pixels(b, v[0], v.subspan(1), {.order = 0, .fill_mode = "wrap"});
  });
  EXPECT_EQ(elements<float>(result[0]), (std::vector<float>{11, 12, 12, 13, 12}));
}

TEST(SamplePixelsTest, IntegersAreTakenAtIntegers) {
  const auto x = ir::Literal::of<std::int32_t>({1, 2, 2, 1}, {1, 2, 3, 4});
  const auto rows = ir::Literal::of<std::int32_t>({1, 3}, {0, 1, 2});
  const auto columns = ir::Literal::of<std::int32_t>({1, 3}, {1, 0, 0});
  const auto result = run_op({x, rows, columns}, [](ir::Builder& b, Operands v) {
    return sample_pixels(b, v[0], v.subspan(1), {.order = 0, .fill_value = 7});
  });
  EXPECT_EQ(elements<std::int32_t>(result[0]), (std::vector<std::int32_t>{2, 3, 7}));
}

}  // namespace
}  // namespace cornu::inline v0::ops::sample_pixels_folder
