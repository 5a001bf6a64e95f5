#include "cornu/ops/if/if.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cornu/ops/convert/convert.h"
#include "cornu/ops/error_label_test_support.h"

namespace cornu::inline v0::ops::if_folder {
namespace {

using ir::DType;

Branch returning(std::vector<ir::Value> values) {
  return [values = std::move(values)](ir::Builder&) { return values; };
}

TEST(IfTest, I1_RejectsAPredThatIsNoBooleanScalar) {
  EXPECT_EQ(
      error_label({{DType::kI32, {}}},
                  [](ir::Builder& b, Operands v) { if_(b, v[0], returning({v[0]}), returning({v[0]})); }),
      "[if] (I1)");
  EXPECT_EQ(
      error_label({{DType::kI1, {2}}},
                  [](ir::Builder& b, Operands v) { if_(b, v[0], returning({v[0]}), returning({v[0]})); }),
      "[if] (I1)");
}

/// The error of an if with these numbers of arguments of its branches, one number a branch.
std::string label_of_branches(const std::vector<int>& num_arguments) {
  return error_label({{DType::kI1, {}}}, [&](ir::Builder& b, Operands v) {
    std::vector<std::unique_ptr<ir::Block>> branches;
    for (const int count : num_arguments) {
      branches.push_back(std::make_unique<ir::Block>());
      for (int i = 0; i < count; ++i) branches.back()->add_argument({DType::kF32, {}});
      branches.back()->set_results({v[0]});
    }
    b.create(*op_defs()[0], {v[0]}, {}, std::move(branches));
  });
}

TEST(IfTest, C1_RejectsBranchesThatTakeArgumentsAndOtherNumbersOfBranches) {
  EXPECT_EQ(label_of_branches({0, 0}), "");
  EXPECT_EQ(label_of_branches({1, 0}), "[if] (C1)");
  EXPECT_EQ(label_of_branches({0, 2}), "[if] (C1)");
  EXPECT_EQ(label_of_branches({0}), "[if] (C1)");
  EXPECT_EQ(label_of_branches({0, 0, 0}), "[if] (C1)");
}

TEST(IfTest, C2_RejectsBranchesOfDifferentResults) {
  EXPECT_EQ(error_label(
                {{DType::kI1, {}}},
                [](ir::Builder& b, Operands v) { if_(b, v[0], returning({v[0]}), returning({v[0], v[0]})); }),
            "[if] (C2)");
  EXPECT_EQ(error_label({{DType::kI1, {}}},
                        [](ir::Builder& b, Operands v) {
                          if_(b, v[0], returning({v[0]}), [&](ir::Builder& c) {
                            return std::vector<ir::Value>{convert(c, v[0], DType::kF32)};
                          });
                        }),
            "[if] (C2)");
}

TEST(IfTest, RunsTheBranchThatPredSays) {
  for (const bool pred : {true, false}) {
    const auto y = run_op(
        {ir::Literal::of<bool>({}, {pred}), ir::Literal::scalar(DType::kF32, 3),
         ir::Literal::scalar(DType::kF32, 4)},
        [](ir::Builder& b, Operands v) { return if_(b, v[0], returning({v[1]}), returning({v[2]}))[0]; });
    EXPECT_EQ(y[0].at(0), pred ? 3 : 4);
  }
}

}  // namespace
}  // namespace cornu::inline v0::ops::if_folder
