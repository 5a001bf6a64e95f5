#include "cornu/ops/iota/iota.h"

#include <gtest/gtest.h>

#include "cornu/ops/op_test_support.h"

namespace cornu::inline v0::ops::iota_folder {
namespace {

std::string error(const ir::TensorType& type, std::int64_t dimension) {
  return build_error({}, [&](ir::Builder& b, std::span<const ir::Value>) { iota(b, type, dimension); });
}

TEST(IotaTest, C1_RejectsADimensionOutsideTheRank) {
  EXPECT_EQ(error({ir::DType::kI32, {2, 3}}, 2),
            "[iota] (C1) iota_dimension must be in [0, 2), the result's rank; got 2");
  EXPECT_NE(error({ir::DType::kI32, {2, 3}}, -1), "");
  EXPECT_NE(error({ir::DType::kI32, {}}, 0), "");
}

TEST(IotaTest, I1_RejectsBooleans) { EXPECT_NE(error({ir::DType::kI1, {2}}, 0), ""); }

TEST(IotaTest, CountsAlongItsDimension) {
  const auto counted = run_op(
      {}, [](ir::Builder& b, std::span<const ir::Value>) { return iota(b, {ir::DType::kI32, {2, 3}}, 1); });
  EXPECT_EQ(elements<std::int32_t>(counted[0]), (std::vector<std::int32_t>{0, 1, 2, 0, 1, 2}));
  const auto empty = run_op(
      {}, [](ir::Builder& b, std::span<const ir::Value>) { return iota(b, {ir::DType::kI32, {2, 0}}, 1); });
  EXPECT_EQ(empty[0].type().num_elements(), 0);
}

}  // namespace
}  // namespace cornu::inline v0::ops::iota_folder
