#include "cornu/ir/verify.h"

#include <gtest/gtest.h>

#include "cornu/ir/ops_test_support.h"

namespace cornu::inline v0::ir {
namespace {

template <typename Subject>
std::string verify_error(const Subject& subject) {
  try {
    verify(subject);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    return error.what();
  }
  return "";
}

struct VerifyTest : testing::Test {
  VerifyTest() {
    f.name = "main";
    x = f.body.add_argument({DType::kF32, {2}});
  }
  /// Appends without the builder's checks.
  Op& append(Block& block, const OpDef& def, std::vector<Value> operands, std::vector<TensorType> types) {
    return block.append(std::make_unique<Op>(def, std::move(operands), Attributes(),
                                             std::vector<std::unique_ptr<Block>>(), std::move(types)));
  }
  Function f;
  Value x;
};

TEST_F(VerifyTest, AcceptsAFinishedFunction) {
  Builder b(f.body);
  f.body.set_results({b.create(test_ops::kAdd, {x, x}).result()});
  EXPECT_EQ(verify_error(f), "");
}

TEST_F(VerifyTest, RejectsAUseOfAnotherFunctionsValue) {
  Block other;
  const Value foreign = other.add_argument(x.type());
  append(f.body, test_ops::kAdd, {x, foreign}, {x.type()});
  EXPECT_EQ(verify_error(f),
            "function \"main\", op \"add\": operand 1 is not defined before its use, or not visible there");
}

TEST_F(VerifyTest, RejectsAUseAfterTheRegionThatDefinesIt) {
  Builder b(f.body);
  std::vector<std::unique_ptr<Block>> regions;
  regions.push_back(std::make_unique<Block>());
  const Value inside = regions[0]->add_argument(x.type());
  regions[0]->set_results({inside});
  b.create(test_ops::kRegion, {}, {}, std::move(regions));
  f.body.set_results({inside});
  EXPECT_EQ(verify_error(f),
            "function \"main\": returned value 0 is not defined before its use, or not visible there");
}

TEST_F(VerifyTest, RejectsATypeThatTheShapeRuleDoesNotGive) {
  Op& op = append(f.body, test_ops::kAdd, {x, x}, {{DType::kF32, {3}}});
  op.set_location("dense");
  EXPECT_EQ(
      verify_error(f),
      "function \"main\", op \"add\": result 0 is tensor<3xf32>, must be tensor<2xf32>; in layer \"dense\"");
}

TEST_F(VerifyTest, RejectsWhatTheShapeRuleRejects) {
  const Value y = f.body.add_argument({DType::kF64, {2}});
  append(f.body, test_ops::kAdd, {x, y}, {x.type()});
  EXPECT_EQ(verify_error(f), "function \"main\", op \"add\": (C1) operands must have one type");
}

TEST_F(VerifyTest, RejectsTheWrongNumberOfResults) {
  append(f.body, test_ops::kAdd, {x, x}, {x.type(), x.type()});
  EXPECT_EQ(verify_error(f), "function \"main\", op \"add\": has 2 results, must have 1");
}

TEST_F(VerifyTest, RejectsEmptyResults) {
  f.body.set_results({Value()});
  EXPECT_EQ(verify_error(f), "function \"main\": returned value 0 is empty");
}

TEST(VerifyModuleTest, RejectsTwoFunctionsOfOneName) {
  Module module;
  module.add_function("main");
  module.add_function("main");
  EXPECT_EQ(verify_error(module), "two functions are called \"main\"");
}

}  // namespace
}  // namespace cornu::inline v0::ir
