#include "cornu/ops/collective_reduce/collective_reduce.h"

#include <gtest/gtest.h>

#include "cornu/ops/error_label_test_support.h"
#include "cornu/ops/op_test_support.h"

namespace cornu::inline v0::ops::collective_reduce_folder {
namespace {

using ir::DType;

std::string label_of(const ReplicaGroups& groups) {
  return error_label({{DType::kF32, {4}}},
                     [&](ir::Builder& b, Operands v) { collective_reduce_sum(b, v[0], groups); });
}

TEST(CollectiveReduceTest, C1_C2_RejectWrongGroups) {
  EXPECT_EQ(label_of({.groups = {{1, 1}}}), "[collective_reduce] (C1)");
  EXPECT_EQ(label_of({.groups = {{0, -2}}}), "[collective_reduce] (C2)");
}

TEST(CollectiveReduceTest, C3_RejectsRootsOfAnotherType) {
  EXPECT_EQ(
      error_label({{DType::kF32, {4}}, {DType::kI32, {2}}},
                  [](ir::Builder& b, Operands v) { collective_reduce_sum(b, v[0], all_replicas(1), v[1]); }),
      "[collective_reduce] (C3)");
}

TEST(CollectiveReduceTest, C4_RejectsABodyOfAnotherType) {
  EXPECT_EQ(error_label({{DType::kF32, {4}}, {DType::kI32, {4}}},
                        [](ir::Builder& b, Operands v) {
                          collective_reduce(b, {v[0], v[1]}, all_replicas(1), add_scalars);
                        }),
            "[collective_reduce] (C4)");
}

TEST(CollectiveReduceTest, AReplicaThatIsAloneIsItsOnlyRoot) {
  const auto run = [](std::int32_t root) {
    return run_op(
        {ir::Literal::of<float>({2}, {3, 4}), ir::Literal::of<std::int32_t>({1}, {root})},
        [](ir::Builder& b, Operands v) { return collective_reduce_sum(b, v[0], all_replicas(1), v[1]); });
  };
  EXPECT_EQ(elements<float>(run(0)[0]), (std::vector<float>{3, 4}));
  EXPECT_THROW(run(1), Error);
}

}  // namespace
}  // namespace cornu::inline v0::ops::collective_reduce_folder
