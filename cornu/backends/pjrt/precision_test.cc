#include "cornu/backends/pjrt/precision.h"

#include <gtest/gtest.h>

#include "cornu/base/error.h"
#include "cornu/ir/print.h"
#include "cornu/ops/all.h"

namespace cornu::inline v0::backends::pjrt {
namespace {

TEST(PrecisionTest, DotsAndConvolutionsAskForItAndNothingElseChanges) {
  ir::Function function;
  function.name = "main";
  const ir::Value x = function.body.add_argument({ir::DType::kF32, {2, 3}});
  const ir::Value y = function.body.add_argument({ir::DType::kF32, {3, 2}});
  ir::Builder b(function.body);
  function.body.set_results({ops::tanh(b, ops::matmul(b, x, y))});
  const std::string text = ir::to_stablehlo(function);
  std::string precise = with_precision(text, Precision::kHighest);
  const std::string config =
      ", precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]";
  const std::size_t at = precise.find(config);
  ASSERT_NE(at, std::string::npos) << precise;
  EXPECT_EQ(precise.substr(at + config.size(), 6), "}> : (");
  EXPECT_EQ(precise.erase(at, config.size()), text);
  EXPECT_NE(with_precision(text, Precision::kDefault).find("<precision DEFAULT>"), std::string::npos);
}

TEST(PrecisionTest, NamesAreThree) {
  EXPECT_EQ(parse_precision("high"), Precision::kHigh);
  EXPECT_THROW(parse_precision("HIGH"), Error);
  EXPECT_THROW(parse_precision(""), Error);
}

}  // namespace
}  // namespace cornu::inline v0::backends::pjrt
