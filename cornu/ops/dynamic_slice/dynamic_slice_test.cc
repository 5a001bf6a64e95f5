#include "cornu/ops/dynamic_slice/dynamic_slice.h"

#include <gtest/gtest.h>

#include "cornu/ops/error_label_test_support.h"

namespace cornu::inline v0::ops::dynamic_slice_folder {
namespace {

using ir::DType;

TEST(DynamicSliceTest, C2_RejectsTooFewStarts) {
  EXPECT_EQ(error_label({{DType::kF32, {2, 3}}, {DType::kI32, {}}},
                        [](ir::Builder& b, Operands v) { dynamic_slice(b, v[0], {v[1]}, {1, 1}); }),
            "[dynamic_slice] (C2)");
}

TEST(DynamicSliceTest, C2_RejectsTooFewSizes) {
  EXPECT_EQ(error_label({{DType::kF32, {2, 3}}, {DType::kI32, {}}},
                        [](ir::Builder& b, Operands v) { dynamic_slice(b, v[0], {v[1], v[1]}, {1}); }),
            "[dynamic_slice] (C2)");
}

TEST(DynamicSliceTest, C3_RejectsStartsOfDifferentTypes) {
  EXPECT_EQ(error_label({{DType::kF32, {2, 3}}, {DType::kI32, {}}, {DType::kI64, {}}},
                        [](ir::Builder& b, Operands v) { dynamic_slice(b, v[0], {v[1], v[2]}, {1, 1}); }),
            "[dynamic_slice] (C3)");
}

TEST(DynamicSliceTest, C3_RejectsAStartThatIsNoInteger) {
  EXPECT_EQ(error_label({{DType::kF32, {2}}, {DType::kF32, {}}},
                        [](ir::Builder& b, Operands v) { dynamic_slice(b, v[0], {v[1]}, {1}); }),
            "[dynamic_slice] (C3)");
}

TEST(DynamicSliceTest, C4_RejectsASizeBeyondTheExtent) {
  EXPECT_EQ(error_label({{DType::kF32, {2}}, {DType::kI32, {}}},
                        [](ir::Builder& b, Operands v) { dynamic_slice(b, v[0], {v[1]}, {3}); }),
            "[dynamic_slice] (C4)");
}

TEST(DynamicSliceTest, ClampsTheStartSoThatTheSliceFits) {
  for (const auto& [start, expected] : {std::pair{-5, 0}, {1, 1}, {9, 2}}) {
    const auto y =
        run_op({ir::Literal::of<std::int32_t>({4}, {0, 1, 2, 3}), ir::Literal::scalar(DType::kI64, start)},
               [](ir::Builder& b, Operands v) { return dynamic_slice(b, v[0], {v[1]}, {2}); });
    EXPECT_EQ(elements<std::int32_t>(y[0]), (std::vector<std::int32_t>{expected, expected + 1}));
  }
}

}  // namespace
}  // namespace cornu::inline v0::ops::dynamic_slice_folder
