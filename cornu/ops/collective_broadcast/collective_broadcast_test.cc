#include "cornu/ops/collective_broadcast/collective_broadcast.h"

#include <gtest/gtest.h>

#include "cornu/ops/op_test_support.h"

namespace cornu::inline v0::ops::collective_broadcast_folder {
namespace {

using ir::DType;

std::string broadcast_error(const ReplicaGroups& groups) {
  return build_error({{DType::kF32, {4}}}, [&](ir::Builder& b, std::span<const ir::Value> v) {
    collective_broadcast(b, v[0], groups);
  });
}

TEST(CollectiveBroadcastTest, C1_RejectsAReplicaThatStandsTwice) {
  EXPECT_EQ(broadcast_error({.groups = {{5, 5}}}),
            "[collective_broadcast] (C1) replica_groups must name each replica once; got 5 twice");
}

TEST(CollectiveBroadcastTest, C2_RejectsNegativeNumbers) {
  EXPECT_EQ(broadcast_error({.groups = {{0, -2}}}),
            "[collective_broadcast] (C2) replicas are numbered from 0; got -2");
}

}  // namespace
}  // namespace cornu::inline v0::ops::collective_broadcast_folder
