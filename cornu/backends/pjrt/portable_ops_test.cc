#include "cornu/backends/pjrt/portable_ops.h"

#include <gtest/gtest.h>

#include "cornu/backends/reference/interpreter.h"
#include "cornu/ir/print.h"
#include "cornu/ir/verify.h"
#include "cornu/ops/all.h"

namespace cornu::inline v0::backends::pjrt {
namespace {

using ir::DType;
using ir::Literal;
using ir::Value;

std::unique_ptr<ir::Function> selection(ops::ComparisonDirection direction, const ops::PoolWindow& window,
                                        std::int64_t windows) {
  auto function = std::make_unique<ir::Function>();
  function->name = "main";
  const Value x = function->body.add_argument({DType::kF32, {5}});
  const Value source = function->body.add_argument({DType::kF32, {windows}});
  ir::Builder b(function->body);
  // Inside a branch, to see that regions are looked into.
  const Value yes = ops::compare(b, ops::reduce_sum(b, x, {0}), ops::scalar(b, DType::kF32, 0),
                                 ops::ComparisonDirection::kGt);
  function->body.set_results(ops::if_(
      b, yes,
      [&](ir::Builder& c) -> std::vector<Value> {
        return {ops::select_and_scatter_add(c, x, source, window, direction)};
      },
      [&](ir::Builder&) -> std::vector<Value> { return {x}; }));
  return function;
}

TEST(PortableOpsTest, PaddingBecomesAnOpOfItsOwnAndValuesStay) {
  const Literal x = Literal::of<float>({5}, {-1, 2, 2, -3, 4}), source = Literal::of<float>({3}, {1, 2, 3});
  const Literal arguments[] = {x, source};
  const ops::PoolWindow window{.dimensions = {3}, .strides = {2}, .padding_low = {1}, .padding_high = {1}};
  const ops::PoolWindow cut{.dimensions = {2}, .strides = {1}, .padding_low = {-1}, .padding_high = {0}};
  for (const bool is_cut : {false, true}) {
    const auto direction = is_cut ? ops::ComparisonDirection::kLe : ops::ComparisonDirection::kGe;
    const auto before = selection(direction, is_cut ? cut : window, 3), after = with_portable_ops(*before);
    ir::verify(*after);
    EXPECT_EQ(ir::to_stablehlo(*after).find("padding = dense<1>"), std::string::npos)
        << ir::to_stablehlo(*after);
    EXPECT_EQ(backends::reference::evaluate(*after, arguments)[0],
              backends::reference::evaluate(*before, arguments)[0]);
  }
}

TEST(PortableOpsTest, ProgramsWithoutPaddingStayAsTheyAre) {
  const auto function = selection(ops::ComparisonDirection::kGe, {.dimensions = {2}, .strides = {2}}, 2);
  EXPECT_EQ(ir::to_stablehlo(*with_portable_ops(*function)), ir::to_stablehlo(*function));
}

TEST(PortableOpsTest, KernelsAreReversedInFrontOfConvolutions) {
  auto before = std::make_unique<ir::Function>();
  before->name = "main";
  const Value x = before->body.add_argument({DType::kF32, {1, 4, 5, 2}});
  const Value kernel = before->body.add_argument({DType::kF32, {2, 3, 2, 3}});
  ir::Builder b(before->body);
  before->body.set_results(
      {ops::convolution(b, x, kernel, ops::channels_last(2), {.window_reversal = {0, 1}}),
       ops::convolution(b, x, kernel, ops::channels_last(2))});
  const auto after = with_portable_ops(*before);
  ir::verify(*after);
  const std::string text = ir::to_stablehlo(*after);
  EXPECT_EQ(text.find("array<i1: false, true>"), std::string::npos) << text;
  EXPECT_NE(text.find("stablehlo.reverse"), std::string::npos) << text;
  EXPECT_NE(ir::to_stablehlo(*before).find("array<i1: false, true>"), std::string::npos)
      << ir::to_stablehlo(*before);
  std::vector<float> rows(40), weights(36);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<float>(i * 7 % 11) - 5;
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<float>(i * 5 % 13) - 6;
  const Literal arguments[] = {Literal::of<float>({1, 4, 5, 2}, rows),
                               Literal::of<float>({2, 3, 2, 3}, weights)};
  EXPECT_EQ(backends::reference::evaluate(*after, arguments),
            backends::reference::evaluate(*before, arguments));
}

TEST(PortableOpsTest, ConvolutionsOfIntegersAreRefusedByLayer) {
  for (const DType dtype : {DType::kF32, DType::kI8}) {
    ir::Function function;
    function.name = "main";
    const Value x = function.body.add_argument({dtype, {1, 4, 2}}),
                kernel = function.body.add_argument({dtype, {2, 2, 3}});
    ir::Builder b(function.body);
    b.set_location("conv_3");
    function.body.set_results({ops::convolution(b, x, kernel, ops::channels_last(1))});
    try {
      refuse_integer_convolutions(function.body);
      EXPECT_EQ(dtype, DType::kF32);
    } catch (const Error& error) {
      EXPECT_EQ(dtype, DType::kI8);
      EXPECT_EQ(error.code(), ErrorCode::kUnimplemented);
      EXPECT_EQ(error.layer(), "conv_3") << error.what();
    }
  }
}

}  // namespace
}  // namespace cornu::inline v0::backends::pjrt
