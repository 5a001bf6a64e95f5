#include "cornu/ops/all_gather/all_gather.h"

#include <gtest/gtest.h>

#include "cornu/ops/op_test_support.h"

namespace cornu::inline v0::ops::all_gather_folder {
namespace {

using ir::DType;

std::string all_gather_error(std::int64_t dimension, const ReplicaGroups& groups,
                             const ir::TensorType& type = {DType::kF32, {4, 2}}) {
  return build_error(
      {type}, [&](ir::Builder& b, std::span<const ir::Value> v) { all_gather(b, v[0], dimension, groups); });
}

TEST(AllGatherTest, C1_RejectsADimensionOutsideTheRank) {
  EXPECT_EQ(all_gather_error(2, all_replicas(2)),
            "[all_gather] (C1) all_gather_dim must be a dimension of (4, 2); got 2");
  EXPECT_NE(all_gather_error(-1, all_replicas(2)), "");
}

TEST(AllGatherTest, C2_C4_C5_RejectWrongGroups) {
  EXPECT_NE(all_gather_error(0, {.groups = {{0, 0}}}).find("(C2)"), std::string::npos);
  EXPECT_NE(all_gather_error(0, {.groups = {{0, 5}}}).find("(C4)"), std::string::npos);
  EXPECT_NE(all_gather_error(0, {.groups = {{0}}, .use_global_device_ids = true}).find("(C5)"),
            std::string::npos);
}

TEST(AllGatherTest, RejectsGroupsOfSeveralLengths) {
  EXPECT_NE(all_gather_error(0, {.groups = {{0, 1}, {2}}}).find("must have one length; got 2 and 1"),
            std::string::npos);
}

TEST(AllGatherTest, RefusesAnExtentBeyond63Bits) {
  const std::int64_t huge = std::int64_t{1} << 61;
  EXPECT_NE(all_gather_error(0, all_replicas(8), {DType::kI8, {huge}}).find("63 bits"), std::string::npos);
}

}  // namespace
}  // namespace cornu::inline v0::ops::all_gather_folder
