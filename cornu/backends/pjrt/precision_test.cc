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
  std::string precise = with_precision(text, runtime::Precision::kHighest);
  const std::string config =
      ", precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]";
  const std::size_t at = precise.find(config);
  ASSERT_NE(at, std::string::npos) << precise;
  EXPECT_EQ(precise.substr(at + config.size(), 6), "}> : (");
  EXPECT_EQ(precise.erase(at, config.size()), text);
  EXPECT_NE(with_precision(text, runtime::Precision::kDefault).find("<precision DEFAULT>"),
            std::string::npos);
}

TEST(PrecisionTest, AlgorithmsAreForDotsOfF32Alone) {
  const auto text_of = [](ir::DType dtype, runtime::Precision precision) {
    ir::Function function;
    function.name = "main";
    const ir::Value x = function.body.add_argument({dtype, {2, 3}});
    const ir::Value y = function.body.add_argument({dtype, {3, 2}});
    ir::Builder b(function.body);
    function.body.set_results({ops::matmul(b, x, y)});
    return with_precision(ir::to_stablehlo(function), precision);
  };
  const std::string bf16 = text_of(ir::DType::kF32, runtime::Precision::kBf16);
  EXPECT_NE(bf16.find("<precision DEFAULT>], algorithm = #stablehlo.dot_algorithm<lhs_precision_type = bf16"),
            std::string::npos)
      << bf16;
  EXPECT_NE(text_of(ir::DType::kF32, runtime::Precision::kTf32).find("rhs_precision_type = tf32"),
            std::string::npos);
  const std::string doubles = text_of(ir::DType::kF64, runtime::Precision::kTf32);
  EXPECT_EQ(doubles.find("algorithm"), std::string::npos) << doubles;
  EXPECT_NE(doubles.find("<precision HIGH>"), std::string::npos) << doubles;
}

TEST(PrecisionTest, AProgramsOwnWordCountsMoreThanItsClients) {
  EXPECT_EQ(precision_of({.precision = runtime::Precision::kBf16}, runtime::Precision::kHigh),
            runtime::Precision::kBf16);
  EXPECT_EQ(precision_of({}, runtime::Precision::kHigh), runtime::Precision::kHigh);
}

}  // namespace
}  // namespace cornu::inline v0::backends::pjrt
