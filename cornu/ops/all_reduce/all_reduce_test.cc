#include "cornu/ops/all_reduce/all_reduce.h"

#include <gtest/gtest.h>

#include "cornu/ops/op_test_support.h"

namespace cornu::inline v0::ops::all_reduce_folder {
namespace {

using ir::DType;

std::string all_reduce_error(const ReplicaGroups& groups) {
  return build_error({{DType::kF32, {4}}},
                     [&](ir::Builder& b, std::span<const ir::Value> v) { all_reduce_sum(b, v[0], groups); });
}

TEST(AllReduceTest, C1_RejectsAReplicaThatStandsTwice) {
  EXPECT_EQ(all_reduce_error({.groups = {{0, 1}, {2, 1}}}),
            "[all_reduce] (C1) replica_groups must name each replica once; got 1 twice");
}

TEST(AllReduceTest, C3_RejectsReplicasOutsideTheirNumber) {
  EXPECT_EQ(all_reduce_error({.groups = {{0, 2}}}),
            "[all_reduce] (C3) replica_groups must number replicas from 0 to 1; got 2");
  EXPECT_EQ(all_reduce_error({.groups = {{0}, {-2}}}),
            "[all_reduce] (C3) replica_groups must number replicas from 0 to 1; got -2");
}

TEST(AllReduceTest, C4_RejectsGlobalIdsWithoutAChannel) {
  EXPECT_EQ(all_reduce_error({.groups = {{0, 1}}, .use_global_device_ids = true}),
            "[all_reduce] (C4) use_global_device_ids needs a channel_id above 0; got 0");
}

TEST(AllReduceTest, C5_RejectsABodyOfAnotherType) {
  const std::string error =
      build_error({{DType::kF32, {4}}, {DType::kI32, {4}}}, [](ir::Builder& b, std::span<const ir::Value> v) {
        all_reduce(b, {v[0], v[1]}, all_replicas(2),
                   [](ir::Builder&, std::span<const ir::Value> w) { return std::vector<ir::Value>{w[0]}; });
      });
  EXPECT_NE(error.find("(C5) body must map"), std::string::npos) << error;
}

TEST(AllReduceTest, RejectsGroupsThatAreEmpty) {
  EXPECT_NE(all_reduce_error({}).find("i64 matrix with a row a group"), std::string::npos);
  EXPECT_NE(all_reduce_error({.groups = {{0}, {}}}).find("each row of replica_groups must name a replica"),
            std::string::npos);
}

TEST(AllReduceTest, AReplicaThatIsAloneRefusesGroupsOfSeveral) {
  EXPECT_THROW(run_op({ir::Literal::of<float>({1}, {3})},
                      [](ir::Builder& b, std::span<const ir::Value> v) {
                        return all_reduce_sum(b, v[0], all_replicas(2));
                      }),
               Error);
}

}  // namespace
}  // namespace cornu::inline v0::ops::all_reduce_folder
