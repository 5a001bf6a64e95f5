#include "cornu/transform/rewrite.h"

#include <gtest/gtest.h>

#include "cornu/ops/all.h"
#include "cornu/transform/text_test_support.h"

namespace cornu::inline v0::transform {
namespace {

using ir::DType;
using Operands = std::span<const ir::Value>;

std::unique_ptr<ir::Function> loop_with_composite() {
  return make_function({{DType::kF32, {2}}, {DType::kF32, {}}}, [](ir::Builder& b, Operands v) {
    b.set_location("loop");
    return ops::while_(
        b, {v[0]},
        [&](ir::Builder& c, Operands w) {
          const ir::Value sum = ops::reduce_sum(c, w[0], {0});
          return ops::compare(c, sum, v[1], ops::ComparisonDirection::kLt);
        },
        [](ir::Builder& c, Operands w) { return std::vector<ir::Value>{ops::log_cosh(c, w[0])}; });
  });
}

TEST(RewriteTest, ACloneIsEqualAndIndependent) {
  auto function = loop_with_composite();
  const std::string text = ir::to_stablehlo(*function);
  const auto copy = clone_function(*function);
  function.reset();
  ir::verify(*copy);
  EXPECT_EQ(ir::to_stablehlo(*copy), text);
  EXPECT_EQ(copy->body.ops()[0]->location(), "loop");
}

TEST(RewriteTest, CompositesAreInlinedInRegionsAndInEachOther) {
  const auto flat = inline_composites(*loop_with_composite());
  ir::verify(*flat);
  const std::string text = ir::to_stablehlo(*flat);
  EXPECT_EQ(text.find("composite"), std::string::npos);
  EXPECT_NE(text.find("stablehlo.log_plus_one"), std::string::npos);  // from softplus inside log_cosh
  for (const auto& op : flat->body.ops()[0]->region(1).ops()) EXPECT_EQ(op->location(), "loop");
}

TEST(RewriteTest, UnmappedValuesStandForThemselves) {
  ir::Block block;
  const ir::Value x = block.add_argument({DType::kF32, {}}), y = block.add_argument({DType::kF32, {}});
  EXPECT_EQ(mapped({{x, y}}, x), y);
  EXPECT_EQ(mapped({{x, y}}, y), y);
}

}  // namespace
}  // namespace cornu::inline v0::transform
