#include "cornu/ops/case/case.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "cornu/ops/error_label_test_support.h"

namespace cornu::inline v0::ops::case_folder {
namespace {

using ir::DType;

Branch giving(std::vector<ir::Value> values) {
  return [values = std::move(values)](ir::Builder&) { return values; };
}

TEST(CaseTest, I1_RejectsAnIndexThatIsNoI32Scalar) {
  for (const ir::TensorType& type : {ir::TensorType{DType::kI64, {}}, ir::TensorType{DType::kI32, {1}}})
    EXPECT_EQ(
        error_label({type}, [](ir::Builder& b, Operands v) { case_(b, v[0], std::vector{giving({v[0]})}); }),
        "[case] (I1)");
}

TEST(CaseTest, C1_RejectsNoBranch) {
  EXPECT_EQ(error_label({{DType::kI32, {}}}, [](ir::Builder& b, Operands v) { case_(b, v[0], {}); }),
            "[case] (C1)");
}

TEST(CaseTest, C2_RejectsABranchThatTakesArguments) {
  EXPECT_EQ(error_label({{DType::kI32, {}}},
                        [](ir::Builder& b, Operands v) {
                          std::vector<std::unique_ptr<ir::Block>> branches;
                          branches.push_back(std::make_unique<ir::Block>());
                          branches[0]->set_results({branches[0]->add_argument({DType::kF32, {}})});
                          b.create(*op_defs()[0], {v[0]}, {}, std::move(branches));
                        }),
            "[case] (C2)");
}

TEST(CaseTest, C3_RejectsBranchesOfDifferentResults) {
  EXPECT_EQ(error_label({{DType::kI32, {}}},
                        [](ir::Builder& b, Operands v) {
                          case_(b, v[0], std::vector{giving({v[0]}), giving({v[0], v[0]})});
                        }),
            "[case] (C3)");
  EXPECT_EQ(error_label({{DType::kI32, {}}, {DType::kF32, {}}},
                        [](ir::Builder& b, Operands v) {
                          case_(b, v[0], std::vector{giving({v[0]}), giving({v[1]})});
                        }),
            "[case] (C3)");
}

TEST(CaseTest, AnIndexOutsideTakesTheLastBranch) {
  for (const auto& [index, expected] : {std::pair{0, 10}, {1, 20}, {2, 30}, {3, 30}, {-5, 30}}) {
    const auto y =
        run_op({ir::Literal::of<std::int32_t>({}, {index}), ir::Literal::of<std::int32_t>({}, {10}),
                ir::Literal::of<std::int32_t>({}, {20}), ir::Literal::of<std::int32_t>({}, {30})},
               [](ir::Builder& b, Operands v) {
                 return case_(b, v[0], std::vector{giving({v[1]}), giving({v[2]}), giving({v[3]})})[0];
               });
    EXPECT_EQ(y[0].at(0), expected);
  }
}

}  // namespace
}  // namespace cornu::inline v0::ops::case_folder
