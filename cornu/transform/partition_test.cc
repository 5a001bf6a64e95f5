#include "cornu/transform/partition.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "cornu/backends/reference/interpreter.h"
#include "cornu/base/error.h"
#include "cornu/ir/verify.h"
#include "cornu/ops/parse.h"

namespace cornu::inline v0::transform {
namespace {

using Numbers = std::vector<double>;

const ir::OpDef* find_op(std::string_view name) {
  const ir::OpDef* const op = find_sharding_op(name);
  return op != nullptr ? op : ops::find_full_name(name);
}

constexpr const char* kMeshes = R"(
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  sdy.mesh @reversed = <["x"=4], device_ids=[3, 2, 1, 0]>
  sdy.mesh @single = <[], device_ids=[0]>
)";

std::string program(const std::string& function) {
  return std::string("module @f {") + kMeshes + function + "}";
}

PartitionedProgram partitioned(const std::string& function) {
  return partition(ops::parse_stablehlo(program(function), {}, &find_op), 4);
}

/// The results of each device, all of device 0 first. Element i of an argument on device d is 10 d + i.
std::vector<Numbers> results(const PartitionedProgram& fused) {
  ir::verify(*fused.function);
  std::vector<ir::Literal> arguments;
  const std::size_t num_arguments = fused.arguments.size();
  for (std::size_t i = 0; i < fused.function->body.arguments().size(); ++i) {
    ir::Literal& literal = arguments.emplace_back(fused.function->body.arguments()[i].type());
    for (std::int64_t k = 0; k < literal.type().num_elements(); ++k) {
      const double value = static_cast<double>(i / num_arguments * 10) + static_cast<double>(k);
      const ir::Literal element = ir::Literal::scalar(literal.type().dtype, value);
      std::copy(element.bytes().begin(), element.bytes().end(),
                literal.mutable_bytes().begin() + k * static_cast<std::int64_t>(element.bytes().size()));
    }
  }
  std::vector<Numbers> all;
  for (const ir::Literal& result : backends::reference::evaluate(*fused.function, arguments)) {
    Numbers& numbers = all.emplace_back();
    for (std::int64_t i = 0; i < result.type().num_elements(); ++i) numbers.push_back(result.at(i));
  }
  return all;
}

std::vector<Numbers> results(const std::string& function) { return results(partitioned(function)); }

std::string refusal(const std::string& function) {
  try {
    partitioned(function);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

void expect_refused(const std::string& function, const std::string& text) {
  EXPECT_NE(refusal(function).find(text), std::string::npos) << refusal(function);
}

/// A function of one argument of four numbers, whose op is `op`.
std::string simple(const std::string& argument, const std::string& result,
                   const std::string& op = "%0 = stablehlo.add %a, %a : tensor<4xf64>") {
  return "func.func public @main(%a: tensor<4xf64>" + argument + ") -> (tensor<4xf64>" + result + ") {\n" +
         op + "\nreturn %0 : tensor<4xf64>\n}";
}
std::string sharded(const std::string& sharding) {
  return " {sdy.sharding = #sdy.sharding<" + sharding + ">}";
}

/// A manual computation along "x" and "y" on one number each.
std::string manual(const std::string& body) {
  return simple(
      sharded("@mesh, [{\"x\", \"y\"}]"), sharded("@mesh, [{\"x\", \"y\"}]"),
      R"(%0 = "sdy.manual_computation"(%a) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x", "y"}]>]>,
                    manual_axes = #sdy<manual_axes{"x", "y"}>,
                    out_shardings = #sdy.sharding_per_value<[<@mesh, [{"x", "y"}]>]>}> ({
                  ^bb0(%b: tensor<1xf64>):
                  )" +
          body + R"(
                  "sdy.return"(%r) : (tensor<1xf64>) -> ()
                }) : (tensor<4xf64>) -> tensor<4xf64>)");
}

std::string sum_of(const std::string& groups, const std::string& channel) {
  return R"(%r = "stablehlo.all_reduce"(%b) <{)" + channel + "replica_groups = dense<" + groups + R"(>}> ({
      ^bb0(%p: tensor<f64>, %q: tensor<f64>):
        %s = stablehlo.add %p, %q : tensor<f64>
        stablehlo.return %s : tensor<f64>
      }) : (tensor<1xf64>) -> tensor<1xf64>)";
}
const char* const kChannel =
    "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids, ";

TEST(PartitionTest, ArgumentsAreJoinedAndResultsCut) {
  // Rows along x and columns along y come in; the columns' halves along x go out.
  const std::string function =
      R"(func.func public @main(%a: tensor<2x2xf64> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>})
          -> (tensor<2x2xf64> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
        %0 = stablehlo.add %a, %a : tensor<2x2xf64>
        return %0 : tensor<2x2xf64>
      })";
  EXPECT_EQ(results(function), (std::vector<Numbers>{{0, 40}, {0, 40}, {20, 60}, {20, 60}}));
}

TEST(PartitionTest, AMeshMayNumberItsDevicesOtherwise) {
  EXPECT_EQ(results(simple(sharded("@reversed, [{\"x\"}]"), sharded("@reversed, [{}]"))),
            (std::vector<Numbers>(4, {60, 40, 20, 0})));
  EXPECT_EQ(results(simple(sharded("mesh<[\"a\"=4]>, [{\"a\"}]"), sharded("@mesh, []"))),
            (std::vector<Numbers>(4, {0, 20, 40, 60})));
}

TEST(PartitionTest, PartsOfAxesCutDimensions) {
  // The inner part of an axis of four devices: 0 1 0 1; the outer one: 0 0 1 1.
  EXPECT_EQ(results(simple(sharded("@mesh, []"), sharded("mesh<[\"a\"=4]>, [{\"a\":(2)2}]"))),
            (std::vector<Numbers>{{0, 2}, {4, 6}, {0, 2}, {4, 6}}));
  EXPECT_EQ(results(simple(sharded("@mesh, []"), sharded("mesh<[\"a\"=4]>, [{\"a\":(1)2, ?}p1]"))),
            (std::vector<Numbers>{{0, 2}, {0, 2}, {4, 6}, {4, 6}}));
}

TEST(PartitionTest, UnreducedTensorsAreSums) {
  const std::string along_x = sharded("@mesh, [{}], unreduced={\"x\"}");
  EXPECT_EQ(results(simple(along_x, "")), (std::vector<Numbers>(4, {40, 44, 48, 52})));
  const Numbers none(4, 0), whole = {0, 2, 4, 6};
  EXPECT_EQ(results(simple("", along_x)), (std::vector<Numbers>{whole, whole, none, none}));
}

TEST(PartitionTest, AManualComputationIsItsReplicas) {
  EXPECT_EQ(results(manual("%r = stablehlo.add %b, %b : tensor<1xf64>")),
            (std::vector<Numbers>{{0}, {20}, {40}, {60}}));
  EXPECT_EQ(results(manual(sum_of("[[0, 2], [1, 3]]> : tensor<2x2xi64", kChannel))),
            (std::vector<Numbers>{{20}, {40}, {20}, {40}}));
  EXPECT_EQ(results(manual(R"(%i = stablehlo.partition_id : tensor<ui32>
                              %f = stablehlo.convert %i : (tensor<ui32>) -> tensor<f64>
                              %g = stablehlo.reshape %f : (tensor<f64>) -> tensor<1xf64>
                              %r = stablehlo.subtract %b, %g : tensor<1xf64>)")),
            (std::vector<Numbers>{{0}, {9}, {18}, {27}}));
}

TEST(PartitionTest, AManualComputationMayStandInAnotherOne) {
  const auto along = [](const std::string& axis) {
    const std::string shardings = "#sdy.sharding_per_value<[<@mesh, [{\"" + axis + "\"}]>]>";
    return "<{in_shardings = " + shardings + ", manual_axes = #sdy<manual_axes{\"" + axis +
           "\"}>, out_shardings = " + shardings + "}>";
  };
  // Halves along x; in them the sum along y, and the half itself.
  const std::string nested = R"(%0 = "sdy.manual_computation"(%a) )" + along("x") + R"( ({
      ^bb0(%half: tensor<2xf64>):
        %n = "sdy.manual_computation"(%half) )" +
                             along("y") + R"( ({
        ^bb0(%b: tensor<1xf64>):
          )" + sum_of("[[0, 1], [2, 3]]> : tensor<2x2xi64", kChannel) +
                             R"(
          "sdy.return"(%r) : (tensor<1xf64>) -> ()
        }) : (tensor<2xf64>) -> tensor<2xf64>
        %t = stablehlo.add %n, %half : tensor<2xf64>
        "sdy.return"(%t) : (tensor<2xf64>) -> ()
      }) : (tensor<4xf64>) -> tensor<4xf64>)";
  const std::string by_both = sharded("@mesh, [{\"x\", \"y\"}]");
  EXPECT_EQ(results(simple(by_both, by_both, nested)), (std::vector<Numbers>{{10}, {20}, {70}, {80}}));
}

TEST(PartitionTest, AManualComputationMayStandInALoop) {
  std::string function = manual(sum_of("[[0, 1, 2, 3]]> : tensor<1x4xi64", kChannel));
  const std::size_t begin = function.find("%0 = \"sdy."), end = function.find("\nreturn %0");
  std::string inner = function.substr(begin, end - begin);
  inner.replace(inner.find("(%a)"), 4, "(%c)");
  function.replace(begin, end - begin, R"(
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %two = stablehlo.constant dense<2> : tensor<i32>
    %w:2 = stablehlo.while(%i = %zero, %c = %a) : tensor<i32>, tensor<4xf64>
      cond {
        %less = stablehlo.compare LT, %i, %two, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %less : tensor<i1>
      } do {
        %n = stablehlo.add %i, %one : tensor<i32>
        )" + inner + R"(
        stablehlo.return %n, %0 : tensor<i32>, tensor<4xf64>
      })");
  function.replace(function.find("return %0 : tensor<4xf64>\n}"), 9, "return %w#1");
  EXPECT_EQ(results(function), (std::vector<Numbers>(4, {240})));
}

TEST(PartitionTest, ResultsWithoutShardingTakeThatOfTheirOperands) {
  const auto sharding_of = [](const std::string& function) { return partitioned(function).results[0]; };
  const std::string in = sharded("@mesh, [{\"y\"}]");
  const TensorSharding expected = partitioned(simple(in, "")).arguments[0];
  EXPECT_EQ(expected.positions, (std::vector<ir::Dims>{{0}, {1}, {0}, {1}}));
  EXPECT_EQ(sharding_of(simple(in, "")), expected);
  EXPECT_TRUE(sharding_of(simple("", "")).is_replicated());
  EXPECT_TRUE(
      sharding_of(simple(in, "", "%0 = stablehlo.reverse %a, dims = [0] : tensor<4xf64>")).is_replicated());
  EXPECT_EQ(sharding_of(simple("", "", "%0 = sdy.sharding_constraint %a <@mesh, [{\"y\"}]> : tensor<4xf64>")),
            expected);
  const TensorSharding product = sharding_of(
      R"(func.func @main(%a: tensor<4x6xf64> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                         %b: tensor<6x8xf64> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) -> tensor<4x8xf64> {
        %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x6xf64>, tensor<6x8xf64>) -> tensor<4x8xf64>
        %1 = stablehlo.tanh %0 : tensor<4x8xf64>
        return %1 : tensor<4x8xf64>
      })");
  EXPECT_EQ(product.positions, (std::vector<ir::Dims>{{0, 0}, {0, 1}, {1, 0}, {1, 1}}));
}

TEST(PartitionTest, RefusesWhatItDoesNotHave) {
  expect_refused(simple(" {mhlo.sharding = \"{devices=[4]<=[4]}\"}", ""), "mhlo.sharding");
  expect_refused(simple(sharded("@mesh, [{\"z\"}]"), ""), "the mesh has no axis \"z\"");
  expect_refused(simple(sharded("@none, [{}]"), ""), "there is no mesh @none");
  expect_refused(simple(sharded("mesh<[\"a\"=3]>, [{\"a\"}]"), ""), "a mesh of 3 devices in a program for 4");
  expect_refused(simple(sharded("@mesh, [{\"x\", \"x\", \"x\"}]"), ""),
                 "4 devices cannot have 8 parts of a tensor");
  expect_refused(
      R"(func.func @main(%a: tensor<3xf64> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<3xf64> {
        return %a : tensor<3xf64>
      })",
      "3 elements cannot be divided into 2 equal parts");
  expect_refused(manual(sum_of("[[0]]> : tensor<1x1xi64", "")), "must have a channel and name all devices");
}

/// Made by tools/goldens/make_sharded_program.py: twice the argument; to it, in parts by both axes, the sum along
/// y and the number along x; the transpose in rows, by both axes.
TEST(PartitionTest, APortableArtifactIsPartitioned) {
  std::ifstream file("tests/programs/partitions/manual-1.13.0.mlirbc", std::ios::binary);
  const std::string artifact{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const PartitionedProgram fused = partition(ops::parse_stablehlo(artifact, {}, &find_op), 4);
  // Part (x, y) is device 2 x + y: twice {0, 1, 2, 3} + 10 (2 x + y).
  const auto element = [](std::int64_t row, std::int64_t column) {
    const std::int64_t x = row / 2, i = row % 2 * 2 + column % 2;
    const auto part = [&](std::int64_t y) { return static_cast<double>(2 * (10 * (2 * x + y) + i)); };
    return part(column / 2) + part(0) + part(1) + static_cast<double>(x);
  };
  const std::vector<Numbers> found = results(fused);
  ASSERT_EQ(found.size(), 4U);
  for (std::int64_t device = 0; device < 4; ++device) {
    const std::int64_t row = device % 2 * 2 + device / 2;  // ("y", "x")
    Numbers expected;
    for (std::int64_t column = 0; column < 4; ++column) expected.push_back(element(column, row));
    EXPECT_EQ(found[static_cast<std::size_t>(device)], expected) << device;
  }
}

TEST(PartitionTest, AManualComputationIsReadByTheseOpsOnly) {
  EXPECT_THROW(ops::parse_stablehlo(program(manual("%r = stablehlo.add %b, %b : tensor<1xf64>"))), Error);
}

}  // namespace
}  // namespace cornu::inline v0::transform
