#include "cornu/ops/fft/fft.h"

#include <gtest/gtest.h>

#include "cornu/ops/error_label_test_support.h"

namespace cornu::inline v0::ops::fft_folder {
namespace {

using ir::DType;

std::string label(const ir::TensorType& operand, FftType type, const ir::Dims& length) {
  return error_label({operand}, [&](ir::Builder& b, Operands v) { fft(b, v[0], type, length); });
}

TEST(FftTest, C1_RejectsMoreLengthsThanDimensions) {
  EXPECT_EQ(label({DType::kC64, {4}}, FftType::kFft, {4, 4}), "[fft] (C1)");
}

TEST(FftTest, C2_RejectsRealNumbersWhereComplexOnesAreTransformed) {
  EXPECT_EQ(label({DType::kF32, {4}}, FftType::kFft, {4}), "[fft] (C2)");
  EXPECT_EQ(label({DType::kC64, {4}}, FftType::kRfft, {4}), "[fft] (C2)");
  EXPECT_EQ(label({DType::kF16, {4}}, FftType::kRfft, {4}), "[fft] (C2)");
}

TEST(FftTest, C3_RejectsNoLengthAndFour) {
  EXPECT_EQ(label({DType::kC64, {4}}, FftType::kFft, {}), "[fft] (C3)");
  EXPECT_EQ(label({DType::kC64, {1, 1, 1, 1}}, FftType::kFft, {1, 1, 1, 1}), "[fft] (C3)");
}

TEST(FftTest, C4_RejectsARealOperandOfOtherExtents) {
  EXPECT_EQ(label({DType::kF32, {5}}, FftType::kRfft, {4}), "[fft] (C4)");
}

TEST(FftTest, C5_RejectsAComplexOperandOfOtherExtents) {
  EXPECT_EQ(label({DType::kC64, {5}}, FftType::kFft, {4}), "[fft] (C5)");
  EXPECT_EQ(label({DType::kC64, {4}}, FftType::kIrfft, {4}), "[fft] (C5)");
}

}  // namespace
}  // namespace cornu::inline v0::ops::fft_folder
