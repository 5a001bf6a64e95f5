#include "cornu/ops/parse.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>

#include "cornu/base/check.h"
#include "cornu/base/error.h"
#include "cornu/ir/builder.h"
#include "cornu/ir/op_def.h"
#include "cornu/ir/print.h"
#include "cornu/ops/registry.h"

namespace cornu::inline v0::ops {
namespace {

std::string error_of(const std::string& text) {
  try {
    parse_stablehlo(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::string around(const std::string& arguments, const std::string& op) {
  return "func.func @main(" + arguments + ") {\n  " + op + "\n  return\n}";
}

/// Each number of operands from 0 to 9 that the shape rule accepts or refuses for another reason.
std::set<std::size_t> operand_counts(const ir::OpDef& def) {
  std::set<std::size_t> counts;
  for (std::size_t count = 0; count < 10; ++count) {
    ir::Function function;
    std::vector<ir::Value> operands;
    for (std::size_t i = 0; i < count; ++i)
      operands.push_back(function.body.add_argument({ir::DType::kF32, {}}));
    try {
      ir::Builder(function.body).create(def, operands);
    } catch (const Error& error) {
      if (std::string_view(error.what()).find(fmt::format(" operands; got {}", count)) !=
          std::string_view::npos)
        continue;
    }
    counts.insert(count);
  }
  return counts;
}

TEST(CheckOperandsTest, ShapeRulesDeclareTheNumberOfOperands) {
  using Counts = std::set<std::size_t>;
  EXPECT_EQ(operand_counts(*find_op_def("constant")), Counts({0}));
  EXPECT_EQ(operand_counts(*find_op_def("replica_id")), Counts({0}));
  EXPECT_EQ(operand_counts(*find_op_def("sine")), Counts({1}));
  EXPECT_EQ(operand_counts(*find_op_def("add")), Counts({2}));
  EXPECT_EQ(operand_counts(*find_op_def("compare")), Counts({2}));
  EXPECT_EQ(operand_counts(*find_op_def("clamp")), Counts({3}));
  EXPECT_EQ(operand_counts(*find_op_def("cornu.erf")), Counts({1}));
  EXPECT_EQ(operand_counts(*find_op_def("cornu.batch_norm_gradient")), Counts({5, 6}));
  EXPECT_EQ(operand_counts(*find_op_def("cornu.gru")), Counts({3, 4, 5}));
  EXPECT_EQ(operand_counts(*find_op_def("dynamic_update_slice")), Counts({2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST(CheckOperandsTest, AnElementwiseOpAcceptsOneNumberOfOperands) {
  for (const ir::OpDef* def : all_op_defs())
    EXPECT_TRUE(!def->elementwise || operand_counts(*def).size() == 1) << def->name;
}

/// `part` `count` times, with commas between.
std::string repeated(const std::string& part, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += (i == 0 ? "" : ", ") + part;
  return all;
}

TEST(ParseStableHloTest, TuplesThatNameTooManyElementsInFewBytesAreRefused) {
  const std::string tuple =
      "%t = stablehlo.tuple " + repeated("%a", 1000) + " : tuple<" + repeated("tensor<f32>", 1000) + ">\n";
  for (const std::string& last : {"%u = stablehlo.tuple " + repeated("%t", 1000) + " : tuple<tensor<f32>>",
                                  "func.return " + repeated("%t", 1000) + " : tensor<f32>"}) {
    const std::string error =
        error_of("func.func @main(%a: tensor<f32>) -> tensor<f32> {\n" + tuple + last + "\n}");
    EXPECT_TRUE(error.starts_with("program:3:")) << error;
    EXPECT_NE(error.find("too many elements"), std::string::npos) << error;
  }
}

TEST(ParseStableHloTest, AnOpOfTooFewOrTooManyOperandsIsRefusedWithItsPosition) {
  for (const ir::OpDef* def : all_op_defs()) {
    const std::string name(def->name);
    for (const int count : {0, 1, 2, 3, 4, 9}) {
      const std::string operands = repeated("%a", count),
                        types = "(" + repeated("tensor<f32>", count) + ") -> tensor<f32>";
      const std::string text = !def->is_stablehlo()
                                   ? "%0 = stablehlo.composite \"" + name + "\" " + operands +
                                         " {decomposition = @main} : " + types
                                   : "%0 = \"stablehlo." + name + "\"(" + operands + ") : " + types;
      const std::string error = error_of(around("%a: tensor<f32>", text));
      // An allowed number may be refused for its types or attributes.
      const bool is_allowed = operand_counts(*def).contains(static_cast<std::size_t>(count));
      EXPECT_TRUE(error.starts_with("program:2:") || (is_allowed && error == "no error"))
          << text << ": " << error;
    }
  }
}

TEST(ParseStableHloTest, AShortFormWithoutItsAttributesIsReadOrRefusedWithAPosition) {
  for (const ir::OpDef* def : all_op_defs()) {
    if (!def->is_stablehlo()) continue;
    for (const int count : {0, 1, 2, 3, 9}) {
      const std::string text =
          "%0 = stablehlo." + std::string(def->name) + " " + repeated("%a", count) + " : tensor<f32>";
      const std::string error = error_of(around("%a: tensor<f32>", text));
      EXPECT_TRUE(error == "no error" || error.starts_with("program:")) << text << ": " << error;
    }
  }
}

TEST(ParseStableHloTest, UnsupportedTypesAndCustomCallsAreRefusedByName) {
  EXPECT_NE(error_of(around("%a: tensor<3x!quant.uniform<i8:f32, 0.5>>", ""))
                .find("quantized types are not supported"),
            std::string::npos);
  EXPECT_NE(error_of(around("%a: tensor<?x3xf32>", "")).find("an extent that is known at run time only"),
            std::string::npos);
  const std::string types = " : (tensor<3xf32>) -> tensor<3xf32>";
  for (const std::string op : {"%0 = stablehlo.custom_call @Foo(%a) {api_version = 1 : i32}",
                               "%0 = \"stablehlo.custom_call\"(%a) <{call_target_name = \"Foo\"}>"})
    EXPECT_EQ(error_of(around("%a: tensor<3xf32>", op + types)),
              "program:2:8: Cornu has no custom call \"Foo\"");
}

TEST(ParseStableHloTest, TuplesAreTheListsOfTheirTensors) {
  const auto program = [](const std::string& index) {
    return around("%a: tensor<2xf64>, %b: tensor<i64>",
                  "%0 = stablehlo.tuple %b : tuple<tensor<i64>>\n"
                  "%1 = stablehlo.tuple %a, %0 : tuple<tensor<2xf64>, tuple<tensor<i64>>>\n"
                  "%2 = stablehlo.get_tuple_element %1[" +
                      index +
                      "] : (tuple<tensor<2xf64>, tuple<tensor<i64>>>) -> "
                      "tuple<tensor<i64>>\n"
                      "%3 = \"stablehlo.get_tuple_element\"(%2) <{index = 0 : i32}> : (tuple<tensor<i64>>) "
                      "-> tensor<i64>\n"
                      "%4 = stablehlo.add %3, %b : tensor<i64>");
  };
  const ir::ParsedModule parsed = parse_stablehlo(program("1"));
  const ir::Block& body = parsed.entry().body;
  ASSERT_EQ(body.ops().size(), 1U);
  EXPECT_EQ(body.ops()[0]->operand(0), body.arguments()[1]);
  EXPECT_NE(error_of(program("2")).find("[stablehlo.get_tuple_element] (C1) index must be in [0, 2); got 2"),
            std::string::npos);
}

TEST(ParseStableHloTest, AnOpInGenericFormMayHaveATupleAsItsResult) {
  const std::string tuple = "tuple<tensor<2x2xf32>, tensor<2xi32>, tensor<2xi32>>";
  const ir::ParsedModule parsed =
      parse_stablehlo(around("%a: tensor<2x2xf32>",
                             "%0 = \"stablehlo.custom_call\"(%a) <{call_target_name = \"LuDecomposition\"}> "
                             ": (tensor<2x2xf32>) -> " +
                                 tuple + "\n%1 = stablehlo.get_tuple_element %0[1] : (" + tuple +
                                 ") -> tensor<2xi32>\n%2 = stablehlo.add %1, %1 : tensor<2xi32>"));
  EXPECT_EQ(parsed.entry().body.ops().back()->operand(0).dims(), ir::Dims{2});
}

TEST(ParseStableHloTest, TuplesWithoutElementsAreRefusedAsTypesOfResults) {
  for (const std::string& text : {std::string("func.func @main() -> (tuple<> {a = 1 : i64}) {\n  return\n}"),
                                  std::string("func.func @main() -> tuple<> {\n  return\n}"),
                                  around("", "%0 = stablehlo.iota dim = 0 : tuple<>"),
                                  around("", "%0 = \"stablehlo.iota\"() : () -> tuple<>")})
    EXPECT_NE(error_of(text).find("tuples without elements are not supported"), std::string::npos)
        << error_of(text);
}

TEST(ParseStableHloTest, ShardingOfShardyMeansNothingOnOneDevice) {
  const ir::ParsedModule parsed = parse_stablehlo(R"(
    module @jit_f attributes {mhlo.num_partitions = 1 : i32} {
      sdy.mesh @mesh = <["a"=1, "b"=2]> {stablehlo.mesh = {axes = [{name = "a", size = 1 : i64}]}}
      sdy.mesh @empty_mesh = <[]>
      func.func public @main(%arg0: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) -> (tensor<4x6xf32> {jax.result_info = "result"}) {
        %0 = stablehlo.add %arg0, %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>]>} : tensor<4x6xf32>
        %1 = sdy.sharding_constraint %0 <@mesh, [{"a"}, {}]> : tensor<4x6xf32>
        %2 = "sdy.sharding_constraint"(%1) <{sharding = #sdy.sharding<@mesh, [{}, {}]>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
        return %2 : tensor<4x6xf32>
      }
    })");
  const ir::Block& body = parsed.entry().body;
  EXPECT_EQ(body.ops().size(), 1U);
  EXPECT_EQ(body.results()[0], body.ops()[0]->result());
  EXPECT_EQ(
      error_of(around("%a: tensor<3xf32>", "%0 = sdy.sharding_constraint %a, %a <@m, [{}]> : tensor<3xf32>"))
          .find("program:2:"),
      0U);
  EXPECT_EQ(error_of(around("%a: tensor<3xf32>",
                            "%0 = sdy.manual_computation(%a) in_shardings=[<@m, [{}]>] : tensor<3xf32>")),
            "program:2:8: Cornu has no operation \"sdy.manual_computation\"");
}

TEST(ParseStableHloTest, SmallTypesArePrintedAndRead) {
  const std::string text = R"(
    func.func @main(%a: tensor<3xi4>, %b: tensor<2xf8E4M3FN>) -> (tensor<3xi4>, tensor<3xui2>, tensor<2xf32>, tensor<4xf4E2M1FN>) {
      %c = stablehlo.constant dense<[-8, 7, 1]> : tensor<3xi4>
      %d = stablehlo.constant dense<[0, 3, 1]> : tensor<3xui2>
      %e = stablehlo.constant dense<[1.0, -0.5, 6.0, 0.0]> : tensor<4xf4E2M1FN>
      %0 = stablehlo.add %a, %c : tensor<3xi4>
      %1 = stablehlo.convert %b : (tensor<2xf8E4M3FN>) -> tensor<2xf32>
      return %0, %d, %1, %e : tensor<3xi4>, tensor<3xui2>, tensor<2xf32>, tensor<4xf4E2M1FN>
    })";
  const std::string printed = ir::to_stablehlo(parse_stablehlo(text).module);
  EXPECT_NE(printed.find("dense<[-8, 7, 1]> : tensor<3xi4>"), std::string::npos) << printed;
  EXPECT_NE(printed.find("dense<[1.0e+00, -5.0e-01, 6.0e+00, 0.0e+00]> : tensor<4xf4E2M1FN>"),
            std::string::npos)
      << printed;
  EXPECT_EQ(ir::to_stablehlo(parse_stablehlo(printed).module), printed);
  EXPECT_NE(error_of(around("", "%c = stablehlo.constant dense<8> : tensor<i4>")).find("8 does not fit i4"),
            std::string::npos);
}

TEST(ParseStableHloTest, ShortFormsAreThoseOfJax) {
  const ir::ParsedModule parsed = parse_stablehlo(R"(
    func.func @main(%a: tensor<2x3xf32>, %i: tensor<i32>) -> tensor<3x2xf32> {
      %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
      %1 = stablehlo.slice %a [0:2, 0:3:2] : (tensor<2x3xf32>) -> tensor<2x2xf32>
      %2 = stablehlo.dynamic_slice %a, %i, %i, sizes = [1, 2] : (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
      %3 = stablehlo.iota dim = 0 : tensor<4xi32>
      %4 = stablehlo.reduce_precision %a, format = e5m10 : tensor<2x3xf32>
      %5 = stablehlo.dot_general %a, %0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %6 = stablehlo.pad %a, %cst, low = [0, 1], high = [1, 0], interior = [0, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3x4xf32>
      %7 = chlo.erf %a : tensor<2x3xf32> -> tensor<2x3xf32>
      %8:2 = stablehlo.while(%k = %i, %v = %0) : tensor<i32>, tensor<3x2xf32>
       cond {
        %n = stablehlo.constant dense<3> : tensor<i32>
        %c = stablehlo.compare LT, %k, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      } do {
        %one = stablehlo.constant dense<1> : tensor<i32>
        %next = stablehlo.add %k, %one : tensor<i32>
        %twice = stablehlo.add %v, %v : tensor<3x2xf32>
        stablehlo.return %next, %twice : tensor<i32>, tensor<3x2xf32>
      }
      return %8#1 : tensor<3x2xf32>
    })");
  EXPECT_EQ(parsed.entry().body.ops().size(), 10U);
  EXPECT_EQ(parsed.entry().body.ops()[8]->name(), "cornu.erf");
}

TEST(ParseStableHloTest, AttributesAreKeptWithADialectAndRefusedWithout) {
  const std::string op = "%0 = \"stablehlo.transpose\"(%a) <{permutation = array<i64: 0>}> ",
                    type = " : (tensor<2xf32>) -> tensor<2xf32>";
  const ir::ParsedModule parsed =
      parse_stablehlo(around("%a: tensor<2xf32>", op + "{mhlo.sharding = \"{replicated}\"}" + type));
  EXPECT_EQ(parsed.entry().body.ops()[0]->attributes().get<std::string>("mhlo.sharding"), "{replicated}");
  EXPECT_NE(ir::to_stablehlo(parsed.entry()).find("{mhlo.sharding = \"{replicated}\"}"), std::string::npos);
  EXPECT_NE(error_of(around("%a: tensor<2xf32>", op + "{conjugate = true}" + type))
                .find("no attribute \"conjugate\""),
            std::string::npos);
  const ir::ParsedModule of_hlo = parse_stablehlo(
      around("%a: tensor<2xf32>",
             op + "{result_layout = dense<0> : tensor<1xindex>, xla_shape = \"f32[2]{0}\"}" + type));
  EXPECT_EQ(of_hlo.entry().body.ops()[0]->attributes().find("result_layout"), nullptr) << "as XLA adds them";
}

}  // namespace
}  // namespace cornu::inline v0::ops
