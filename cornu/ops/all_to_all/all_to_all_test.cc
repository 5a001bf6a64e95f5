#include "cornu/ops/all_to_all/all_to_all.h"

#include <gtest/gtest.h>

#include "cornu/ops/op_test_support.h"

namespace cornu::inline v0::ops::all_to_all_folder {
namespace {

using ir::DType;

std::string all_to_all_error(const AllToAllDimensions& dimensions, const ReplicaGroups& groups) {
  return build_error({{DType::kF32, {4, 3}}}, [&](ir::Builder& b, std::span<const ir::Value> v) {
    all_to_all(b, v[0], dimensions, groups);
  });
}

TEST(AllToAllTest, C1_C3_RejectDimensionsOutsideTheRank) {
  EXPECT_EQ(all_to_all_error({.split_dimension = 2}, all_replicas(2)),
            "[all_to_all] (C1) split_dimension must be a dimension of (4, 3); got 2");
  EXPECT_EQ(all_to_all_error({.concat_dimension = -1}, all_replicas(2)),
            "[all_to_all] (C3) concat_dimension must be a dimension of (4, 3); got -1");
}

TEST(AllToAllTest, C2_RejectsAnExtentThatCannotBeDivided) {
  EXPECT_EQ(all_to_all_error({.split_dimension = 1}, all_replicas(2)),
            "[all_to_all] (C2) split_dimension of (4, 3) cannot be divided by split_count, 2");
}

TEST(AllToAllTest, C5_C7_RejectWrongGroups) {
  EXPECT_NE(all_to_all_error({}, {.groups = {{1, 1}}}).find("(C5)"), std::string::npos);
  EXPECT_NE(all_to_all_error({}, {.groups = {{0, 2}}}).find("(C7)"), std::string::npos);
}

TEST(AllToAllTest, C8_RejectsACountThatIsNotTheMembers) {
  const std::string error =
      build_error({{DType::kF32, {4}}}, [](ir::Builder& b, std::span<const ir::Value> v) {
        ir::Attributes attributes = group_attributes(all_replicas(2));
        for (const char* name : {"split_dimension", "concat_dimension"})
          attributes.set(name, std::int64_t{0});
        attributes.set("split_count", std::int64_t{4});
        b.create(*op_defs()[0], {v[0]}, attributes);
      });
  EXPECT_EQ(error, "[all_to_all] (C8) split_count must be the number of a group's members, 2; got 4");
}

}  // namespace
}  // namespace cornu::inline v0::ops::all_to_all_folder
