#include "cornu/ops/sample_pixels/sample_pixels.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "cornu/ops/error_label_test_support.h"

namespace cornu::inline v0::ops::sample_pixels_folder {
namespace {

using ir::DType;

TEST(SamplePixelsTest, RejectsOtherForms) {
  const auto error = [](ir::TensorType x, ir::TensorType positions, const SamplingForm& form) {
    return build_error({std::move(x), std::move(positions)},
                       [=](ir::Builder& b, Operands v) { sample_pixels(b, v[0], v[1], form); });
  };
  const ir::TensorType x{DType::kF32, {2, 3, 4, 1}}, places{DType::kF32, {2, 2, 5}};
  EXPECT_EQ(error(x, places, {.order = 2}), "[cornu.sample_pixels] order must be 0 or 1; got order = 2");
  EXPECT_EQ(error(x, places, {.fill_mode = "edge"}),
            "[cornu.sample_pixels] fill_mode must be \"constant\", \"nearest\", \"wrap\", \"mirror\" or "
            "\"reflect\"; got fill_mode = \"edge\"");
  EXPECT_EQ(error({DType::kI32, {2, 3, 4, 1}}, places, {}),
            "[cornu.sample_pixels] x must have pixels of floats; got tensor<2x3x4x1xi32>");
  EXPECT_EQ(error({DType::kF32, {2, 0, 4, 1}}, places, {}),
            "[cornu.sample_pixels] x must have pixels of floats; got tensor<2x0x4x1xf32>");
  EXPECT_EQ(error(x, {DType::kF32, {2}}, {}),
            "[cornu.sample_pixels] positions must be [num_extents, d...] of f32 or f64; got tensor<2xf32>");
  for (const ir::Dims& dims : {ir::Dims{2, 3, 5}, ir::Dims{3, 2, 5}, ir::Dims{0, 2}})
    EXPECT_EQ(error(x, {DType::kF32, dims}, {}).substr(0, 31), "[cornu.sample_pixels] positions")
        << ir::shape_str(dims);
}

TEST(SamplePixelsTest, HalvesAreRoundedAwayFromZero) {
  const auto x = ir::Literal::of<float>({4}, {10, 11, 12, 13});
  const auto at = ir::Literal::of<float>({1, 5}, {0.5F, 1.5F, 2.49F, -0.5F, -1.5F});
  const auto result = run_op({x, at}, [](ir::Builder& b, Operands v) {
    return sample_pixels(b, v[0], v[1], {.order = 0, .fill_mode = "wrap"});
  });
  EXPECT_EQ(elements<float>(result[0]), (std::vector<float>{11, 12, 12, 13, 12}));
}

TEST(SamplePixelsTest, IntegersAreTakenAtIntegers) {
  const auto x = ir::Literal::of<std::int32_t>({1, 2, 2, 1}, {1, 2, 3, 4});
  const auto at = ir::Literal::of<std::int32_t>({2, 1, 3}, {0, 1, 2, 1, 0, 0});
  const auto result = run_op({x, at}, [](ir::Builder& b, Operands v) {
    return sample_pixels(b, v[0], v[1], {.order = 0, .fill_value = 7});
  });
  EXPECT_EQ(elements<std::int32_t>(result[0]), (std::vector<std::int32_t>{2, 3, 7}));
}

}  // namespace
}  // namespace cornu::inline v0::ops::sample_pixels_folder
