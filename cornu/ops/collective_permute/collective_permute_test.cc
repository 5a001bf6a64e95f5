#include "cornu/ops/collective_permute/collective_permute.h"

#include <gtest/gtest.h>

#include "cornu/ops/op_test_support.h"

namespace cornu::inline v0::ops::collective_permute_folder {
namespace {

using ir::DType;

std::string permute_error(const SourceTargetPairs& pairs) {
  return build_error({{DType::kF32, {4}}}, [&](ir::Builder& b, std::span<const ir::Value> v) {
    collective_permute(b, v[0], pairs);
  });
}

TEST(CollectivePermuteTest, C1_RejectsPairsThatAreNone) {
  const std::string error =
      build_error({{DType::kF32, {4}}}, [](ir::Builder& b, std::span<const ir::Value> v) {
        b.create(*op_defs()[0], {v[0]},
                 {{"source_target_pairs", ir::Literal::of<std::int64_t>({1, 3}, {0, 1, 2})},
                  {"channel_id", std::int64_t{0}}});
      });
  EXPECT_NE(error.find("(C1) source_target_pairs must be an i64 matrix of two columns"), std::string::npos)
      << error;
}

TEST(CollectivePermuteTest, C2_C3_RejectSourcesAndTargetsThatStandTwice) {
  EXPECT_EQ(permute_error({{0, 1}, {0, 2}}), "[collective_permute] (C2) sources must differ; got 0 twice");
  EXPECT_EQ(permute_error({{0, 1}, {2, 1}}), "[collective_permute] (C3) targets must differ; got 1 twice");
}

TEST(CollectivePermuteTest, C4_RejectsNegativeNumbers) {
  EXPECT_EQ(permute_error({{0, -1}}),
            "[collective_permute] (C4) replicas are numbered from 0; got the pair 0, -1");
}

TEST(CollectivePermuteTest, WithoutPairsEverybodyGetsZeros) {
  const auto found =
      run_op({ir::Literal::of<float>({1}, {3})},
             [](ir::Builder& b, std::span<const ir::Value> v) { return collective_permute(b, v[0], {}); });
  EXPECT_EQ(found[0].at(0), 0);
}

}  // namespace
}  // namespace cornu::inline v0::ops::collective_permute_folder
