#include "cornu/ops/reduce_scatter/reduce_scatter.h"

#include <gtest/gtest.h>

#include "cornu/ops/op_test_support.h"

namespace cornu::inline v0::ops::reduce_scatter_folder {
namespace {

using ir::DType;

std::string reduce_scatter_error(std::int64_t dimension, const ReplicaGroups& groups) {
  return build_error({{DType::kF32, {4, 3}}}, [&](ir::Builder& b, std::span<const ir::Value> v) {
    reduce_scatter_sum(b, v[0], dimension, groups);
  });
}

TEST(ReduceScatterTest, C1_RejectsAnExtentThatCannotBeDivided) {
  EXPECT_EQ(reduce_scatter_error(1, all_replicas(2)),
            "[reduce_scatter] (C1) dimension 1 of (4, 3) cannot be divided by the 2 members of a group");
}

TEST(ReduceScatterTest, C2_RejectsADimensionOutsideTheRank) {
  EXPECT_NE(reduce_scatter_error(2, all_replicas(2)).find("(C2)"), std::string::npos);
}

TEST(ReduceScatterTest, C3_C5_C6_RejectWrongGroups) {
  EXPECT_NE(reduce_scatter_error(0, {.groups = {{1, 1}}}).find("(C3)"), std::string::npos);
  EXPECT_NE(reduce_scatter_error(0, {.groups = {{0, 2}}}).find("(C5)"), std::string::npos);
  EXPECT_NE(reduce_scatter_error(0, {.groups = {{0, 1}}, .use_global_device_ids = true}).find("(C6)"),
            std::string::npos);
}

TEST(ReduceScatterTest, C7_RejectsABodyOfAnotherType) {
  const std::string error =
      build_error({{DType::kF32, {4}}}, [](ir::Builder& b, std::span<const ir::Value> v) {
        reduce_scatter(b, v[0], 0, all_replicas(2), [](ir::Builder&, std::span<const ir::Value> w) {
          return std::vector<ir::Value>{w[0], w[1]};
        });
      });
  EXPECT_NE(error.find("(C7) body must map"), std::string::npos) << error;
}

}  // namespace
}  // namespace cornu::inline v0::ops::reduce_scatter_folder
