#include "cornu/ops/custom_call/host_call.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "cornu/backends/reference/interpreter.h"
#include "cornu/base/error.h"
#include "cornu/ir/print.h"
#include "cornu/ops/op_test_support.h"
#include "cornu/ops/parse.h"

namespace cornu::inline v0::ops {
namespace {

constexpr std::uint64_t kNumber = 4711;

/// The sum and the difference of two vectors of three elements; fails if the first one begins with -1.
int add_and_subtract(std::uint64_t id, const void* const* operands, void* const* results, char* message,
                     std::size_t capacity) {
  const auto *const a = static_cast<const float*>(operands[0]), *const b =
                                                                    static_cast<const float*>(operands[1]);
  if (a[0] == -1) {
    std::snprintf(message, capacity, "function %llu wants no -1", static_cast<unsigned long long>(id));
    return 1;
  }
  for (int i = 0; i < 3; ++i) {
    static_cast<float*>(results[0])[i] = a[i] + b[i];
    static_cast<double*>(results[1])[i] = a[i] - b[i];
  }
  return 0;
}

std::string program(const std::string& attributes, const std::string& type = "tensor<3xf32>") {
  return fmt::format(
      "func.func @main(%a: {0}, %b: {0}) -> (tensor<3xf32>, tensor<3xf64>) {{\n"
      "  %0:2 = stablehlo.custom_call @cornu_host_call(%a, %b) {{{1}}} : ({0}, {0}) -> (tensor<3xf32>, "
      "tensor<3xf64>)\n"
      "  return %0#0, %0#1 : tensor<3xf32>, tensor<3xf64> }}",
      type, attributes);
}

const std::string kCall = "backend_config = \"4711 of the test\", has_side_effect = true";

class HostCallTest : public testing::Test {
 protected:
  void SetUp() override { add_host_function(kNumber, add_and_subtract); }
  void TearDown() override { EXPECT_TRUE(remove_host_function(kNumber)); }

  static std::vector<ir::Literal> run(const std::string& text, float first) {
    const ir::ParsedModule parsed = parse_stablehlo(text);
    const ir::Literal operands[] = {ir::Literal::of<float>({3}, {first, 2, 3}),
                                    ir::Literal::of<float>({3}, {4, 5, 7})};
    return backends::reference::evaluate(parsed.entry(), operands);
  }
  static Error error_of(const std::string& text, float first = 1) {
    try {
      run(text, first);
    } catch (const Error& error) {
      return error;
    }
    return Error(ErrorCode::kInternal, "no error");
  }
};

TEST_F(HostCallTest, CallsTheFunctionWithItsNumber) {
  const auto results = run(program(kCall), 1);
  EXPECT_EQ(elements<float>(results[0]), (std::vector<float>{5, 7, 10}));
  EXPECT_EQ(elements<double>(results[1]), (std::vector<double>{-3, -3, -4}));
}

TEST_F(HostCallTest, IsPrintedAndReadAgain) {
  const std::string printed = ir::to_stablehlo(parse_stablehlo(program(kCall)).module);
  EXPECT_NE(printed.find("has_side_effect = true"), std::string::npos) << printed;
  EXPECT_EQ(ir::to_stablehlo(parse_stablehlo(printed).module), printed);
  EXPECT_EQ(elements<float>(run(printed, 1)[0]), (std::vector<float>{5, 7, 10}));
}

TEST_F(HostCallTest, AFailureHasTheMessageOfTheFunction) {
  const Error error = error_of(program(kCall), -1);
  EXPECT_EQ(error.code(), ErrorCode::kFailedPrecondition);
  EXPECT_EQ(error.message(), "function 4711 wants no -1");
}

TEST_F(HostCallTest, AFunctionOfAnotherProcessIsRefused) {
  const Error error = error_of(program("backend_config = \"12\""));
  EXPECT_NE(std::string_view(error.what()).find("this process has no function with the number 12"),
            std::string_view::npos)
      << error.what();
}

TEST_F(HostCallTest, I1_RejectsAConfigurationWithoutNumber) {
  for (const char* const config : {"backend_config = \"x\"", "has_side_effect = true"})
    EXPECT_NE(std::string_view(error_of(program(config)).what()).find("(I1)"), std::string_view::npos);
}

TEST_F(HostCallTest, I2_RejectsComplexAndSmallTypes) {
  for (const char* const type : {"tensor<3xcomplex<f32>>", "tensor<3xi4>", "tensor<3xf8E4M3FN>"})
    EXPECT_NE(std::string_view(error_of(program(kCall, type)).what()).find("(I2)"), std::string_view::npos);
}

TEST_F(HostCallTest, I3_RejectsATokenThatIsNoOperandOrNoResult) {
  const std::string call = "  %0 = stablehlo.custom_call @cornu_host_call({0}) {{" + kCall +
                           ", cornu.has_token = true}} : ({1}) -> {2}\n  return %0 : {2} }}";
  const auto error = [&](const char* operand, const char* type, const char* result) {
    const std::string begin =
        fmt::format("func.func @main(%a: tensor<f32>, %t: tensor<i1>) -> {} {{\n", result);
    return std::string(error_of(begin + fmt::format(fmt::runtime(call), operand, type, result)).what());
  };
  EXPECT_NE(error("", "", "tensor<i1>").find("(I3)"), std::string::npos);
  EXPECT_NE(error("%a", "tensor<f32>", "tensor<i1>").find("(I3)"), std::string::npos);
  EXPECT_NE(error("%t", "tensor<i1>", "tensor<f32>").find("(I3)"), std::string::npos);
}

TEST_F(HostCallTest, AFunctionThatAProgramRefersToStays) {
  auto held = find_host_function(kNumber);
  EXPECT_FALSE(remove_host_function(kNumber));
  held = nullptr;
  EXPECT_THROW(add_host_function(kNumber, add_and_subtract), Error);
  EXPECT_TRUE(remove_host_function(kNumber));
  EXPECT_TRUE(remove_host_function(kNumber));
  EXPECT_THROW(find_host_function(kNumber), Error);
}

TEST_F(HostCallTest, TokensAreReadAndOrderNothing) {
  const std::string text =
      "func.func @main(%t: !stablehlo.token, %a: tensor<3xf32>, %b: tensor<3xf32>) -> (!stablehlo.token, "
      "tensor<3xf32>) {\n"
      "  %0 = stablehlo.create_token : !stablehlo.token\n"
      "  %1 = stablehlo.after_all %t, %0 : !stablehlo.token\n"
      "  %2 = stablehlo.add %a, %b : tensor<3xf32>\n"
      "  return %1, %2 : !stablehlo.token, tensor<3xf32> }";
  const ir::ParsedModule parsed = parse_stablehlo(text);
  EXPECT_EQ(parsed.entry().body.arguments()[0].type().str(), "tensor<0xi1>");
  EXPECT_EQ(parsed.entry().body.results()[0].type().str(), "tensor<0xi1>");
  try {
    parse_stablehlo(
        "func.func @main(%a: tensor<3xf32>) -> !stablehlo.token {\n"
        "  %0 = \"stablehlo.after_all\"(%a) : (tensor<3xf32>) -> !stablehlo.token\n  return %0 : "
        "!stablehlo.token }");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string_view(error.what()).find("operands must be tokens"), std::string_view::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace cornu::inline v0::ops
