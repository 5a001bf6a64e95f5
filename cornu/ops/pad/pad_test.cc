#include "cornu/ops/pad/pad.h"

#include <gtest/gtest.h>

#include <limits>

#include "cornu/ops/error_label_test_support.h"

namespace cornu::inline v0::ops::pad_folder {
namespace {

using ir::DType;

TEST(PadTest, C1_RejectsAValueOfAnotherDtype) {
  EXPECT_EQ(error_label({{DType::kF32, {2}}, {DType::kF64, {}}},
                        [](ir::Builder& b, Operands v) { pad(b, v[0], v[1], {0}, {0}, {0}); }),
            "[pad] (C1)");
}

TEST(PadTest, C1_RejectsAValueThatIsNoScalar) {
  EXPECT_EQ(error_label({{DType::kF32, {2}}, {DType::kF32, {1}}},
                        [](ir::Builder& b, Operands v) { pad(b, v[0], v[1], {0}, {0}, {0}); }),
            "[pad] (C1)");
}

TEST(PadTest, C2_RejectsListsOfAnotherSize) {
  EXPECT_EQ(error_label({{DType::kF32, {2}}, {DType::kF32, {}}},
                        [](ir::Builder& b, Operands v) { pad(b, v[0], v[1], {0, 0}, {0}, {0}); }),
            "[pad] (C2)");
}

TEST(PadTest, C3_RejectsANegativeInterior) {
  EXPECT_EQ(error_label({{DType::kF32, {2}}, {DType::kF32, {}}},
                        [](ir::Builder& b, Operands v) { pad(b, v[0], v[1], {0}, {0}, {-1}); }),
            "[pad] (C3)");
}

TEST(PadTest, C4_RejectsCuttingMoreThanThereIs) {
  EXPECT_EQ(error_label({{DType::kF32, {2}}, {DType::kF32, {}}},
                        [](ir::Builder& b, Operands v) { pad(b, v[0], v[1], {-2}, {-1}, {0}); }),
            "[pad] (C4)");
}

TEST(PadTest, C4_RejectsAnExtentThatOverflows) {
  EXPECT_EQ(build_error({{DType::kF32, {3}}, {DType::kF32, {}}},
                        [](ir::Builder& b, Operands v) {
                          pad(b, v[0], v[1], {0}, {0}, {std::numeric_limits<std::int64_t>::max()});
                        }),
            "[pad] (C4) the extent that dimension 0 would get is beyond 63 bits");
}

TEST(PadTest, PutsTheValueAroundAndBetweenAndCutsAtNegativeEdges) {
  const auto y = run_op({ir::Literal::of<float>({3}, {1, 2, 3}), ir::Literal::scalar(DType::kF32, 9)},
                        [](ir::Builder& b, Operands v) { return pad(b, v[0], v[1], {1}, {-1}, {1}); });
  EXPECT_EQ(elements<float>(y[0]), (std::vector<float>{9, 1, 9, 2, 9}));
}

}  // namespace
}  // namespace cornu::inline v0::ops::pad_folder
