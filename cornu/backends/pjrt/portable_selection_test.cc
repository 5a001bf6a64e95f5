#include "cornu/backends/pjrt/portable_selection.h"

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

std::unique_ptr<ir::Function> selection(ops::ComparisonDirection direction, const ops::SelectWindow& window,
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

TEST(PortableSelectionTest, PaddingBecomesAnOpOfItsOwnAndValuesStay) {
  const Literal x = Literal::of<float>({5}, {-1, 2, 2, -3, 4}), source = Literal::of<float>({3}, {1, 2, 3});
  const Literal arguments[] = {x, source};
  const ops::SelectWindow window{.dimensions = {3}, .strides = {2}, .padding_low = {1}, .padding_high = {1}};
  const ops::SelectWindow cut{.dimensions = {2}, .strides = {1}, .padding_low = {-1}, .padding_high = {0}};
  for (const bool is_cut : {false, true}) {
    const auto direction = is_cut ? ops::ComparisonDirection::kLe : ops::ComparisonDirection::kGe;
    const auto before = selection(direction, is_cut ? cut : window, 3),
               after = without_padded_selection(*before);
    ir::verify(*after);
    EXPECT_EQ(ir::to_stablehlo(*after).find("padding = dense<1>"), std::string::npos)
        << ir::to_stablehlo(*after);
    EXPECT_EQ(backends::reference::evaluate(*after, arguments)[0],
              backends::reference::evaluate(*before, arguments)[0]);
  }
}

TEST(PortableSelectionTest, ProgramsWithoutPaddingStayAsTheyAre) {
  const auto function = selection(ops::ComparisonDirection::kGe, {.dimensions = {2}, .strides = {2}}, 2);
  EXPECT_EQ(ir::to_stablehlo(*without_padded_selection(*function)), ir::to_stablehlo(*function));
}

}  // namespace
}  // namespace cornu::inline v0::backends::pjrt
