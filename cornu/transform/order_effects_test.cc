#include "cornu/transform/order_effects.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cornu/backends/reference/interpreter.h"
#include "cornu/base/error.h"
#include "cornu/ir/print.h"
#include "cornu/ir/verify.h"
#include "cornu/ops/custom_call/host_functions.h"
#include "cornu/ops/parse.h"
#include "cornu/transform/replicate.h"
#include "cornu/transform/simplify.h"

namespace cornu::inline v0::transform {
namespace {

/// The calls of host functions: the function's number, and its operand.
using Calls = std::vector<std::pair<std::uint64_t, int>>;
Calls calls;

/// A function of an i32, which it returns.
int record(std::uint64_t id, const void* const* operands, void* const* results, char*, std::size_t) {
  calls.emplace_back(id, *static_cast<const int*>(operands[0]));
  *static_cast<int*>(results[0]) = *static_cast<const int*>(operands[0]);
  return 0;
}

std::string call(const char* result, int number, const char* operand, bool has_side_effect = true) {
  return fmt::format(
      "%{} = stablehlo.custom_call @cornu_host_call(%{}) {{backend_config = \"{}\", has_side_effect = {}}} : "
      "(tensor<i32>) -> tensor<i32>\n",
      result, operand, number, has_side_effect);
}

std::string program(const std::string& body, const char* result) {
  return fmt::format(
      "func.func @main(%x: tensor<i32>) -> tensor<i32> {{\n"
      "%one = stablehlo.constant dense<1> : tensor<i32>\n{}return %{} : tensor<i32> }}",
      body, result);
}

class OrderEffectsTest : public testing::Test {
 protected:
  void SetUp() override {
    calls.clear();
    for (std::uint64_t id = 0; id < 4; ++id) ops::add_host_function(id, record);
  }
  void TearDown() override {
    for (std::uint64_t id = 0; id < 4; ++id) EXPECT_TRUE(ops::remove_host_function(id));
  }

  /// The program's result, after the calls are ordered and the program is simplified.
  static int run(const std::string& text, int x, std::int64_t num_replicas = 1) {
    const ir::ParsedModule parsed = ops::parse_stablehlo(text);
    const auto replicas = replicate(parsed.entry(), num_replicas);
    const auto ordered = order_effects(*replicas);
    const auto simple = simplify(ordered == nullptr ? *replicas : *ordered);
    ir::verify(*simple);
    EXPECT_TRUE(calls.empty());
    std::vector<ir::Literal> arguments;
    for (std::int64_t i = 0; i < num_replicas; ++i)
      arguments.push_back(ir::Literal::of<std::int32_t>({}, {x + static_cast<std::int32_t>(i)}));
    return static_cast<int>(backends::reference::evaluate(*simple, arguments)[0].at(0));
  }
};

TEST_F(OrderEffectsTest, UnusedAndEqualCallsRunInTheirOrder) {
  const std::string text = program(call("a", 0, "x") + call("b", 1, "one") + call("c", 0, "x"), "x");
  EXPECT_EQ(run(text, 7), 7);
  EXPECT_EQ(calls, (Calls{{0, 7}, {1, 1}, {0, 7}}));
}

TEST_F(OrderEffectsTest, CallsWithoutSideEffectsMayBeDroppedAndMerged) {
  const std::string text =
      program(call("a", 0, "x", false) + call("b", 1, "one", false) + call("c", 1, "one", false) +
                  "%d = stablehlo.add %b, %c : tensor<i32>\n",
              "d");
  EXPECT_EQ(order_effects(ops::parse_stablehlo(text).entry()), nullptr);
  EXPECT_EQ(run(text, 7), 2);
  EXPECT_EQ(calls, (Calls{{1, 1}}));
}

std::string loop(const std::string& condition, const std::string& body) {
  return program(
      "%0 = stablehlo.while(%i = %x) : tensor<i32>\n cond {\n" + condition +
          "%n = stablehlo.constant dense<3> : tensor<i32>\n"
          "%p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
          "stablehlo.return %p : tensor<i1>\n} do {\n" +
          body + "%next = stablehlo.add %i, %one : tensor<i32>\nstablehlo.return %next : tensor<i32>\n}\n",
      "0");
}

TEST_F(OrderEffectsTest, CallsInALoopRunInEachTurn) {
  EXPECT_EQ(run(loop("", call("a", 0, "one") + call("b", 1, "i")), 1), 3);
  EXPECT_EQ(calls, (Calls{{0, 1}, {1, 1}, {0, 1}, {1, 2}}));
}

TEST_F(OrderEffectsTest, CallsInTheConditionOfALoopRunOnceMoreThanItsBody) {
  EXPECT_EQ(run(loop(call("t", 2, "i"), call("b", 1, "i")), 1), 3);
  EXPECT_EQ(calls, (Calls{{2, 1}, {1, 1}, {2, 2}, {1, 2}, {2, 3}}));
  calls.clear();
  EXPECT_EQ(run(loop(call("t", 2, "one"), ""), 5), 5);
  EXPECT_EQ(calls, (Calls{{2, 1}}));
}

TEST_F(OrderEffectsTest, OnlyTheCallsOfTheChosenBranchRun) {
  const std::string text = program(
      "%three = stablehlo.constant dense<3> : tensor<i32>\n"
      "%p = stablehlo.compare LT, %x, %three, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n" +
          call("before", 3, "x") + "%0 = \"stablehlo.if\"(%p) ({\n" + call("a", 0, "x") +
          "stablehlo.return %a : tensor<i32>\n}, {\n" + call("b", 1, "one") +
          "stablehlo.return %b : tensor<i32>\n}) : (tensor<i1>) -> tensor<i32>\n" + call("after", 3, "0"),
      "0");
  EXPECT_EQ(run(text, 2), 2);
  EXPECT_EQ(calls, (Calls{{3, 2}, {0, 2}, {3, 2}}));
  calls.clear();
  EXPECT_EQ(run(text, 4), 1);
  EXPECT_EQ(calls, (Calls{{3, 4}, {1, 1}, {3, 1}}));
}

TEST_F(OrderEffectsTest, EachReplicaCallsAlsoWithEqualOperands) {
  EXPECT_EQ(run(program(call("a", 0, "one") + call("b", 1, "x"), "x"), 5, 2), 5);
  EXPECT_EQ(calls, (Calls{{0, 1}, {0, 1}, {1, 5}, {1, 6}}));
}

TEST_F(OrderEffectsTest, ACallInTheBodyOfAReductionIsRefused) {
  const std::string text =
      "func.func @main(%x: tensor<4xi32>) -> tensor<i32> {\n"
      "%zero = stablehlo.constant dense<0> : tensor<i32>\n"
      "%0 = \"stablehlo.reduce\"(%x, %zero) <{dimensions = array<i64: 0>}> ({\n^bb0(%a: tensor<i32>, %b: "
      "tensor<i32>):\n" +
      call("c", 0, "a") +
      "%s = stablehlo.add %c, %b : tensor<i32>\nstablehlo.return %s : tensor<i32>\n}) : (tensor<4xi32>, "
      "tensor<i32>) -> "
      "tensor<i32>\nreturn %0 : tensor<i32> }";
  try {
    order_effects(ops::parse_stablehlo(text).entry());
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string_view(error.what()).find("cannot be in the body of [reduce]"),
              std::string_view::npos);
  }
}

}  // namespace
}  // namespace cornu::inline v0::transform
