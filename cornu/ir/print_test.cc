#include "cornu/ir/print.h"

#include <gtest/gtest.h>

#include <clocale>
#include <cmath>

#include "cornu/ir/ops_test_support.h"

namespace cornu::inline v0::ir {
namespace {

TEST(DenseStrTest, WritesDecimalsThatReadBack) {
  EXPECT_EQ(dense_str(Literal::of<float>({2}, {1, -0.1f})), "dense<[1.0e+00, -1.0e-01]>");
  EXPECT_EQ(dense_str(Literal::scalar(DType::kF64, 0.1 + 0.2)), "dense<3.0000000000000004e-01>");
  EXPECT_EQ(dense_str(Literal::scalar(DType::kF32, 16777217)), "dense<1.6777216e+07>");
  EXPECT_EQ(dense_str(Literal::of<std::int32_t>({2, 2}, {1, 2, 3, -4})), "dense<[[1, 2], [3, -4]]>");
  EXPECT_EQ(dense_str(Literal::of<std::int8_t>({2}, {65, -1})), "dense<[65, -1]>");
  EXPECT_EQ(dense_str(Literal::of<bool>({2}, {true, false})), "dense<[true, false]>");
  EXPECT_EQ(dense_str(Literal::scalar(DType::kF32, -0.0)), "dense<-0.0e+00>");
}

TEST(DenseStrTest, WritesNonFiniteFloatsAsBits) {
  EXPECT_EQ(dense_str(Literal::scalar(DType::kF32, HUGE_VAL)), "dense<0x7F800000>");
  EXPECT_EQ(dense_str(Literal::scalar(DType::kF64, -HUGE_VAL)), "dense<0xFFF0000000000000>");
  EXPECT_EQ(dense_str(Literal::scalar(DType::kF16, std::nan(""))), "dense<0x7E00>");
  EXPECT_EQ(dense_str(Literal::scalar(DType::kBF16, HUGE_VAL)), "dense<0x7F80>");
}

TEST(DenseStrTest, ShortensSplatsEmptyAndLargeLiterals) {
  EXPECT_EQ(dense_str(Literal::of<float>({3}, {2, 2, 2})), "dense<2.0e+00>");
  EXPECT_EQ(dense_str(Literal({DType::kF32, {0, 3}})), "dense<>");
  std::vector<std::uint8_t> values(70);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::uint8_t>(i);
  const std::string blob = dense_str(Literal::of<std::uint8_t>({70}, values));
  EXPECT_EQ(blob.substr(0, 16), "dense<\"0x0001020");
  EXPECT_EQ(blob.size(), std::string("dense<\"0x\">").size() + 140);
}

TEST(PrintTest, NamesThatAreNoWordsAreQuoted) {
  Function function;
  function.name = "a \"b\"\x01";
  EXPECT_EQ(to_stablehlo(function), "module {\n  func.func @\"a \\22b\\22\\01\"() {\n    return\n  }\n}\n");
}

TEST(PrintTest, ElementwiseOpsHaveTheShortForm) {
  Function f;
  f.name = "main";
  const Value x = f.body.add_argument({DType::kF32, {2}});
  Builder b(f.body);
  f.body.set_results({b.create(test_ops::kAdd, {x, x}).result()});
  EXPECT_EQ(to_stablehlo(f), R"(module {
  func.func @main(%arg0: tensor<2xf32>) -> tensor<2xf32> {
    %0 = stablehlo.add %arg0, %arg0 : tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}
)");
}

TEST(PrintTest, OtherOpsHaveTheGenericFormWithTheirAttributes) {
  Function f;
  f.name = "main";
  const Value x = f.body.add_argument({DType::kF32, {}});
  Builder b(f.body);
  const Op& split = b.create(test_ops::kSplit, {x},
                             {{"a_bool", true},
                              {"b_integer", std::int64_t{3}},
                              {"c_double", 0.5},
                              {"d_string", std::string("say \"hi\"")},
                              {"e_list", std::vector<std::int64_t>{1, 2}},
                              {"f_empty", std::vector<std::int64_t>{}},
                              {"g_literal", Literal::of<std::int32_t>({1}, {7})},
                              {"h_type", DType::kBF16}});
  f.body.set_results({split.result(1), split.result(0)});
  EXPECT_EQ(
      to_stablehlo(f),
      R"(module {
  func.func @main(%arg0: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
    %0:2 = "stablehlo.split"(%arg0) <{a_bool = true, b_integer = 3 : i64, c_double = 5.0e-01 : f64, d_string = "say \22hi\22", )"
      R"(e_list = array<i64: 1, 2>, f_empty = array<i64>, g_literal = dense<7> : tensor<1xi32>, h_type = bf16}> )"
      R"(: (tensor<f32>) -> (tensor<f32>, tensor<f32>)
    return %0#1, %0#0 : tensor<f32>, tensor<f32>
  }
}
)");
}

TEST(PrintTest, RegionsAreNestedAndMayUseValuesFromOutside) {
  Function f;
  f.name = "main";
  const Value x = f.body.add_argument({DType::kF32, {}});
  Builder b(f.body);
  auto region = std::make_unique<Block>();
  const Value y = region->add_argument({DType::kF32, {}});
  Builder inner(*region);
  region->set_results({inner.create(test_ops::kAdd, {x, y}).result()});
  std::vector<std::unique_ptr<Block>> regions;
  regions.push_back(std::move(region));
  f.body.set_results({b.create(test_ops::kRegion, {x}, {}, std::move(regions)).result()});
  EXPECT_EQ(to_stablehlo(f), R"(module {
  func.func @main(%arg0: tensor<f32>) -> tensor<f32> {
    %2 = "stablehlo.region"(%arg0) ({
      ^bb0(%0: tensor<f32>):
        %1 = stablehlo.add %arg0, %0 : tensor<f32>
        "stablehlo.return"(%1) : (tensor<f32>) -> ()
    }) : (tensor<f32>) -> tensor<f32>
    return %2 : tensor<f32>
  }
}
)");
}

TEST(PrintTest, CompositesCallTheirDecompositionsEachPrintedOnce) {
  Function f;
  f.name = "main";
  const Value x = f.body.add_argument({DType::kF32, {}});
  Builder b(f.body);
  const Value y = b.create(test_ops::kTwice, {x}, {{"axis", std::int64_t{1}}}).result();
  const Value z = b.create(test_ops::kFourTimes, {y}).result();
  f.body.set_results({b.create(test_ops::kFourTimes, {z}).result()});
  EXPECT_EQ(to_stablehlo(f), R"(module {
  func.func @main(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = "stablehlo.composite"(%arg0) <{composite_attributes = {axis = 1 : i64}, decomposition = @cornu.twice.0, name = "cornu.twice"}> )"
                             R"(: (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.composite"(%0) <{decomposition = @cornu.four_times.1, name = "cornu.four_times"}> : (tensor<f32>) -> tensor<f32>
    %2 = "stablehlo.composite"(%1) <{decomposition = @cornu.four_times.1, name = "cornu.four_times"}> : (tensor<f32>) -> tensor<f32>
    return %2 : tensor<f32>
  }
  func.func private @cornu.twice.0(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.add %arg0, %arg0 : tensor<f32>
    return %0 : tensor<f32>
  }
  func.func private @cornu.four_times.1(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = "stablehlo.composite"(%arg0) <{decomposition = @cornu.twice.2, name = "cornu.twice"}> : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.composite"(%0) <{decomposition = @cornu.twice.2, name = "cornu.twice"}> : (tensor<f32>) -> tensor<f32>
    return %1 : tensor<f32>
  }
  func.func private @cornu.twice.2(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.add %arg0, %arg0 : tensor<f32>
    return %0 : tensor<f32>
  }
}
)");
}

TEST(PrintTest, OtherFunctionsOfAModuleArePrivate) {
  Module module;
  module.add_function("main");
  module.add_function("helper");
  EXPECT_EQ(to_stablehlo(module),
            "module {\n  func.func @main() {\n    return\n  }\n  func.func private @helper() {\n    return\n "
            " }\n}\n");
}

std::unique_ptr<Function> donating_function() {
  auto owned = std::make_unique<Function>();
  Function& function = *owned;
  function.name = "main";
  const Value a = function.body.add_argument({DType::kF32, {2}});
  const Value x = function.body.add_argument({DType::kF32, {3}});
  function.body.set_results({x, a});
  return owned;
}

TEST(PrintTest, DonatedArgumentsNameTheResultThatTakesTheirMemory) {
  const auto function = donating_function();
  const std::string text = to_stablehlo(*function, std::vector<std::int64_t>{1, kNotDonated});
  EXPECT_NE(text.find("@main(%arg0: tensor<2xf32> {tf.aliasing_output = 1 : i32}, %arg1: tensor<3xf32>) ->"),
            std::string::npos)
      << text;
  EXPECT_EQ(to_stablehlo(*function, std::vector<std::int64_t>{kNotDonated, kNotDonated}),
            to_stablehlo(*function));
}

TEST(PrintTest, RejectsDonationsThatNoResultCanTake) {
  const auto function = donating_function();
  for (const std::vector<std::int64_t>& donations :
       {std::vector<std::int64_t>{1}, {0, kNotDonated}, {2, kNotDonated}, {-2, kNotDonated}, {1, 1}})
    EXPECT_THROW((void)to_stablehlo(*function, donations), Error);
}

TEST(PrintTest, LocationsStandBehindTheirOpsOnTheSameLines) {
  Function f;
  f.name = "main";
  const Value x = f.body.add_argument({DType::kF32, {}});
  Builder b(f.body);
  b.set_location("dense \"1\"");
  const Value sum = b.create(test_ops::kAdd, {x, x}).result();
  b.set_location("");
  f.body.set_results({b.create(test_ops::kAdd, {sum, x}).result()});
  EXPECT_EQ(to_stablehlo_with_locations(f, std::vector<std::int64_t>{kNotDonated}), R"(module {
  func.func @main(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.add %arg0, %arg0 : tensor<f32> loc("dense \221\22")
    %1 = stablehlo.add %0, %arg0 : tensor<f32>
    return %1 : tensor<f32>
  }
}
)");
}

TEST(DenseStrTest, WritesTheSameInALocaleWithACommaForThePoint) {
  const std::string before = std::setlocale(LC_NUMERIC, nullptr);
  if (std::setlocale(LC_NUMERIC, "de_DE.UTF-8") == nullptr)
    GTEST_SKIP() << "there is no locale de_DE.UTF-8 here";
  EXPECT_EQ(dense_str(Literal::scalar(DType::kF32, 0.5)), "dense<5.0e-01>");
  std::setlocale(LC_NUMERIC, before.c_str());
}

}  // namespace
}  // namespace cornu::inline v0::ir
