#include "cli/grad.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "cli/program_file.h"
#include "cornu/base/check.h"
#include "cornu/io/file.h"
#include "cornu/ir/print.h"
#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/parse.h"

namespace cornu::inline v0::cli {
namespace {

const std::filesystem::path kPrograms = "tests/programs/gradients";

ir::ParsedModule parse(const std::string& text) { return ops::parse_stablehlo(text, {.name = "p.mlir"}); }

std::string refused(const std::string& text, const GradientOptions& options = {}) {
  const ir::ParsedModule parsed = parse(text);
  try {
    (void)gradient_program(parsed.entry(), options);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

class JaxGradientTest : public testing::TestWithParam<std::string> {};

TEST_P(JaxGradientTest, PrintedProgramsGiveTheGradientsOfJax) {
  const std::string stem = (kPrograms / GetParam()).string();
  const ir::ParsedModule parsed = parse(read_program(stem + ".mlir"));
  const bool has_cotangent = parsed.entry().body.results()[0].rank() != 0;
  const std::string printed =
      ir::to_stablehlo(*gradient_program(parsed.entry(), {.cotangent = has_cotangent}));
  const ir::ParsedModule gradient = parse(printed);
  const std::shared_ptr<runtime::Client> client = runtime::make_client("cpu");
  const CompiledFunction compiled(gradient.entry(), *client);
  const std::vector<ir::Literal> results = compiled.run(read_arguments(stem + ".npz", gradient.entry()));
  const std::vector<ir::Literal> expected = read_expected(stem + ".npz", gradient.entry());
  ASSERT_EQ(results.size(), expected.size());
  for (std::size_t i = 0; i < results.size(); ++i)
    EXPECT_EQ(ops::compare_literals(results[i], expected[i]), "") << "gradient " << i;
}

std::vector<std::string> programs() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kPrograms))
    if (entry.path().extension() == ".mlir") names.push_back(entry.path().stem());
  return names;
}

INSTANTIATE_TEST_SUITE_P(Programs, JaxGradientTest, testing::ValuesIn(programs()),
                         [](const auto& test) { return test.param; });

constexpr const char* kSquare =
    "func.func @main(%x: tensor<3xf32>, %n: tensor<i32>, %y: tensor<f32>) -> (tensor<f32>, tensor<3xf32>) {\n"
    "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
    "  %p = stablehlo.multiply %x, %x : tensor<3xf32>\n"
    "  %s = stablehlo.reduce(%p init: %z) applies stablehlo.add across dimensions = [0] : (tensor<3xf32>, "
    "tensor<f32>) -> tensor<f32>\n"
    "  return %s, %p : tensor<f32>, tensor<3xf32>\n}\n";

TEST(GradTest, ResultsAreTheChosenArgumentsGradientsInTheirOrder) {
  const ir::ParsedModule parsed = parse(kSquare);
  const auto all = gradient_program(parsed.entry());
  ASSERT_EQ(all->body.arguments().size(), 3U);
  ASSERT_EQ(all->body.results().size(), 2U);  // not of the integer
  EXPECT_EQ(all->body.results()[0].type().str(), "tensor<3xf32>");
  const auto reversed = gradient_program(parsed.entry(), {.wrt = {2, 0}});
  EXPECT_EQ(reversed->body.results()[0].type().str(), "tensor<f32>");
  EXPECT_EQ(reversed->body.results()[1].type().str(), "tensor<3xf32>");
}

TEST(GradTest, AProgramWithoutWhatAGradientNeedsIsRefused) {
  EXPECT_EQ(refused(kSquare, {.wrt = {1}}),
            "[grad] argument 1 is tensor<i32>: only floating-point arguments have a gradient");
  EXPECT_EQ(refused(kSquare, {.wrt = {3}}),
            "[grad] the program has 3 arguments, numbered from 0; there is no argument 3");
  EXPECT_EQ(refused(kSquare, {.wrt = {0, 0}}), "[grad] argument 0 is given twice");
  const std::string vector =
      "func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {\n  return %x : tensor<3xf32>\n}\n";
  EXPECT_NE(refused(vector).find("[grad] the first result is tensor<3xf32>, and no scalar"),
            std::string::npos);
  EXPECT_EQ(refused(vector, {.cotangent = true}), "accepted");
  EXPECT_EQ(refused("func.func @main(%n: tensor<i32>) -> tensor<i32> {\n  return %n : tensor<i32>\n}\n"),
            "[grad] the first result is tensor<i32>; it must be floating-point");
  EXPECT_NE(refused("func.func @main(%n: tensor<i32>) -> tensor<f32> {\n"
                    "  %x = stablehlo.convert %n : (tensor<i32>) -> tensor<f32>\n"
                    "  return %x : tensor<f32>\n}\n")
                .find("no floating-point argument"),
            std::string::npos);
}

}  // namespace
}  // namespace cornu::inline v0::cli
