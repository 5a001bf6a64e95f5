#include "cornu/ops/resize/resize.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "cornu/ops/error_label_test_support.h"
#include "cornu/ops/resize/interpolation_taps.h"

namespace cornu::inline v0::ops::resize_folder {
namespace {

using ir::DType;

TEST(ResizeTest, RejectsOtherImagesSizesAndInterpolations) {
  const auto error = [](DType dtype, ir::Dims dims, ir::Dims size, const ResizeForm& form = {}) {
    return build_error({{dtype, std::move(dims)}},
                       [=](ir::Builder& b, Operands v) { resize(b, v[0], size, form); });
  };
  EXPECT_EQ(error(DType::kI32, {1, 2, 2, 1}, {1, 1}),
            "[cornu.resize] images must be [batch, rows, columns, channels] of f32 or f64 with pixels; got "
            "tensor<1x2x2x1xi32>");
  EXPECT_EQ(error(DType::kF32, {1, 0, 2, 1}, {1, 1}),
            "[cornu.resize] images must be [batch, rows, columns, channels] of f32 or f64 with pixels; got "
            "tensor<1x0x2x1xf32>");
  EXPECT_EQ(error(DType::kF32, {1, 2, 2, 1}, {1, 0}),
            "[cornu.resize] size must be two positive numbers; got size = (1, 0)");
  EXPECT_EQ(error(DType::kF32, {1, 2, 2, 1}, {1, 1}, {.interpolation = "cubic"}),
            "[cornu.resize] interpolation must be \"nearest\", \"bilinear\", \"bicubic\", \"lanczos3\" or "
            "\"lanczos5\"; got interpolation = \"cubic\"");
}

TEST(ResizeTest, SharesOfTapsAddUpToOne) {
  for (const char* interpolation : {"bilinear", "bicubic", "lanczos3", "lanczos5"})
    for (const bool antialias : {false, true})
      for (const std::int64_t to : {3, 7, 30}) {
        const Taps taps = resize_taps({interpolation, antialias}, 10, to, DType::kF64);
        ASSERT_EQ(taps.num_results(), to);
        for (std::int64_t i = 0; i < to; ++i) {
          double total = 0;
          for (std::int64_t k = 0; k < taps.count; ++k)
            total += taps.shares[static_cast<std::size_t>(i * taps.count + k)];
          EXPECT_NEAR(total, 1, 1e-12) << interpolation << " " << to << " " << i;
        }
      }
}

TEST(ResizeTest, TransposedTapsReadElementsOfTheirOwnSumOnly) {
  const Taps taps = resize_taps({.interpolation = "nearest", .transposed = true}, 3, 8, DType::kF32);
  EXPECT_EQ(taps.count, 1);
  EXPECT_EQ(taps.shares, (std::vector<double>{0, 1, 0, 0, 1, 0, 1, 0}));
  const Taps halved = resize_taps({.interpolation = "nearest", .transposed = true}, 5, 2, DType::kF32);
  EXPECT_EQ(halved.count, 3);
  EXPECT_EQ(halved.places, (std::vector<std::int32_t>{0, 1, 0, 2, 3, 4}));
  EXPECT_EQ(halved.shares, (std::vector<double>{1, 1, 0, 1, 1, 1}));
}

}  // namespace
}  // namespace cornu::inline v0::ops::resize_folder
