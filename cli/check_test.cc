#include "cli/check.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>

#include "cli/check_ops.h"
#include "cornu/base/check.h"

namespace cornu::inline v0::cli {
namespace {

using ir::Literal;

std::string checking_function(const std::string& name, const std::string& ops) {
  return "func.func @" + name +
         "() {\n"
         "  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>\n"
         "  %b = stablehlo.constant dense<[1.0, 2.00005]> : tensor<2xf32>\n  " +
         ops + "\n  return\n}\n";
}

CheckCounts counts_of(const std::string& program, bool must_fail = false, const std::string& device = "cpu") {
  return check_program("p.mlir", program, *runtime::make_client(device), must_fail);
}

std::string outcome(const std::string& ops) {
  testing::internal::CaptureStdout();
  const CheckCounts counts = counts_of(checking_function("f", ops));
  const std::string printed = testing::internal::GetCapturedStdout();
  return counts.passed == 1 && counts.failed == 0 ? "passed" : printed;
}

TEST(CheckTest, OpsOfChecksHaveTheRulesOfStableHlo) {
  EXPECT_EQ(outcome("check.expect_eq %a, %a : tensor<2xf32>"), "passed");
  EXPECT_EQ(
      outcome("check.expect_eq %a, %b : tensor<2xf32>"),
      "p.mlir: part 1, function \"f\": [check.expect_eq] element 1 is 2, expected 2.0000500679016113\n");
  EXPECT_EQ(outcome("check.expect_eq_const %a, dense<[1.0, 2.0]> : tensor<2xf32>"), "passed");
  EXPECT_EQ(outcome("check.expect_almost_eq %a, %b : tensor<2xf32>"), "passed");  // 1e-4
  EXPECT_NE(outcome("check.expect_almost_eq %a, %b {tolerance = 1.0e-5 : f64} : tensor<2xf32>"), "passed");
  EXPECT_EQ(outcome("check.expect_almost_eq_const %a, dense<[1.0, 2.00005]> : tensor<2xf32>"), "passed");
  EXPECT_EQ(
      outcome("check.expect_almost_eq_const %a, dense<[1.0, 2.1]> : tensor<2xf32> {tolerance = 0.2 : f64}"),
      "passed");
  EXPECT_NE(outcome("check.expect_close %a, %b : tensor<2xf32>, tensor<2xf32>"), "passed");
  EXPECT_EQ(outcome("check.expect_close %a, %b, max_ulp_difference = 300 : tensor<2xf32>, tensor<2xf32>"),
            "passed");
  EXPECT_EQ(outcome("\"check.expect_eq\"(%a, %a) : (tensor<2xf32>, tensor<2xf32>) -> ()"), "passed");
}

TEST(CheckTest, CustomCallsOfTheTestDataAreChecks) {
  const std::string types = " {has_side_effect = true} : (tensor<2xf32>, tensor<2xf32>) -> ()";
  EXPECT_EQ(outcome("stablehlo.custom_call @check.expect_close(%a, %a)" + types), "passed");
  EXPECT_NE(outcome("stablehlo.custom_call @check.expect_close(%a, %b)" + types), "passed");
  EXPECT_EQ(outcome("stablehlo.custom_call @check.expect_almost_eq(%a, %b)" + types), "passed");
  EXPECT_NE(outcome("stablehlo.custom_call @check.eq(%a, %b)" + types), "passed");
  EXPECT_NE(outcome("stablehlo.custom_call @other(%a, %b)" + types).find("custom call \"other\""),
            std::string::npos);
}

TEST(CheckTest, EveryFunctionWithoutArgumentsOfEveryPartRuns) {
  const std::string right = "check.expect_eq %a, %a : tensor<2xf32>",
                    wrong = "check.expect_eq %a, %b : tensor<2xf32>";
  const std::string program = checking_function("f", right) + checking_function("g", wrong) +
                              "func.func @h(%x: tensor<f32>) { return }\n// -----\n// a comment\n// -----\n" +
                              checking_function("f", right) +
                              "// ----- \nfunc.func @bad() { %0 = stablehlo.no }\n";
  testing::internal::CaptureStdout();
  const CheckCounts counts = counts_of(program, false, "reference");
  const std::string printed = testing::internal::GetCapturedStdout();
  EXPECT_EQ(counts.passed, 2);
  EXPECT_EQ(counts.failed, 2);
  EXPECT_EQ(counts.skipped, 1);
  EXPECT_NE(printed.find("part 1, function \"g\""), std::string::npos) << printed;
  EXPECT_NE(printed.find("p.mlir:24:25: "), std::string::npos) << printed;  // the line in the file
}

TEST(CheckTest, APartMustFail) {
  testing::internal::CaptureStdout();
  const CheckCounts counts = counts_of(
      checking_function("f", "check.expect_eq %a, %b : tensor<2xf32>") + "// -----\n" +
          checking_function("f", "check.expect_eq %a, %a : tensor<2xf32>") + "// -----\nfunc.func @f(",
      true);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "p.mlir: part 2 must fail, and passes\n");
  EXPECT_EQ(counts.passed, 2);
  EXPECT_EQ(counts.failed, 1);
}

TEST(CheckTest, SpecialValuesCompareByTheRule) {
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  const auto of = [](float x) { return Literal::of<float>({1}, {x}); };
  const CheckRule equal{CheckKind::kEqual}, almost{CheckKind::kAlmostEqual}, close{CheckKind::kClose};
  EXPECT_NE(difference(of(nan), of(nan), equal), "");
  EXPECT_EQ(difference(of(-0.0f), of(0.0f), equal), "");
  EXPECT_EQ(difference(of(nan), of(nan), almost), "");
  EXPECT_EQ(difference(of(inf), of(inf), almost), "");
  EXPECT_NE(difference(of(inf), of(3e38f), almost), "");
  EXPECT_EQ(difference(of(nan), of(nan), close), "");
  EXPECT_EQ(difference(of(1.0f), of(std::nextafter(1.0f, 2.0f)), close), "");
  EXPECT_NE(difference(of(1e-45f), of(-1e-45f), close), "");  // one step on both sides of zero
}

TEST(CheckTest, ProcessesOfOneFunctionRunAsReplicas) {
  const auto program = [](const std::string& programs,
                          const std::string& groups = "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>") {
    return "module @m {\n"
           "func.func @sum(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
           "  %0 = \"stablehlo.all_reduce\"(%x) ({\n  ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
           "    %1 = stablehlo.add %a, %b : tensor<f32>\n    stablehlo.return %1 : tensor<f32>\n"
           "  }) {" +
           groups +
           "} : (tensor<2xf32>) -> tensor<2xf32>\n"
           "  return %0 : tensor<2xf32>\n}\n"
           "func.func @main() {\n"
           "  %x = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>\n"
           "  %y = stablehlo.constant dense<[3.0, 5.0]> : tensor<2xf32>\n"
           "  %r:2 = \"interpreter.run_parallel\"(%x, %y) {programs=" +
           programs +
           "} : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)\n"
           "  check.expect_eq_const %r#0, dense<[4.0, 7.0]> : tensor<2xf32>\n"
           "  check.expect_eq_const %r#1, dense<[4.0, 7.0]> : tensor<2xf32>\n  return\n}\n}\n";
  };
  EXPECT_EQ(counts_of(program("[[@sum], [@sum]]")).passed, 1);
  // Partitions work together on a channel only.
  EXPECT_EQ(counts_of(program("[[@sum, @sum]]")).failed, 1);
  EXPECT_EQ(
      counts_of(program("[[@sum, @sum]]",
                        "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = "
                        "dense<0> : tensor<1x1xi64>"))
          .passed,
      1);
  EXPECT_EQ(counts_of(program("[[@sum], [@main]]")).failed, 1);
}

/// Programs of tools/oracles/jax_programs.py and random_graphs.py.
TEST(CheckTest, ProgramsOfJaxPrimitivesGiveJaxsResults) {
  int num_programs = 0;
  for (const std::string device : {"cpu", "reference"}) {
    const std::shared_ptr<runtime::Client> client = runtime::make_client(device);
    for (const char* const folder : {"tests/programs/primitives", "tests/programs/graphs"})
      for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        std::ifstream file(entry.path());
        const std::string program{std::istreambuf_iterator<char>(file), {}};
        const CheckCounts counts = check_program(entry.path().string(), program, *client, false);
        EXPECT_EQ(counts.failed, 0) << device << " " << entry.path();
        num_programs += counts.passed;
      }
  }
  EXPECT_GE(num_programs, 2 * 110);
}

TEST(CheckTest, AGridHasReplicasAndPartitions) {
  const auto program = [](const std::string& op, const std::string& expected) {
    return "module @m {\nfunc.func @f(%x: tensor<ui32>) -> tensor<ui32> {\n  " + op +
           "\n  return %0 : tensor<ui32>\n}\nfunc.func @main() {\n"
           "  %a = stablehlo.constant dense<0> : tensor<ui32>\n  %b = stablehlo.constant dense<1> : "
           "tensor<ui32>\n"
           "  %c = stablehlo.constant dense<2> : tensor<ui32>\n  %d = stablehlo.constant dense<3> : "
           "tensor<ui32>\n"
           "  %r:4 = \"interpreter.run_parallel\"(%a, %b, %c, %d) {programs = [[@f, @f], [@f, @f]]} : "
           "(tensor<ui32>, "
           "tensor<ui32>, tensor<ui32>, tensor<ui32>) -> (tensor<ui32>, tensor<ui32>, tensor<ui32>, "
           "tensor<ui32>)\n"
           "  %e0 = stablehlo.reshape %r#0 : (tensor<ui32>) -> tensor<1xui32>\n"
           "  %e1 = stablehlo.reshape %r#1 : (tensor<ui32>) -> tensor<1xui32>\n"
           "  %e2 = stablehlo.reshape %r#2 : (tensor<ui32>) -> tensor<1xui32>\n"
           "  %e3 = stablehlo.reshape %r#3 : (tensor<ui32>) -> tensor<1xui32>\n"
           "  %e = stablehlo.concatenate %e0, %e1, %e2, %e3, dim = 0 : (tensor<1xui32>, tensor<1xui32>, "
           "tensor<1xui32>, "
           "tensor<1xui32>) -> tensor<4xui32>\n  check.expect_eq_const %e, dense<[" +
           expected + "]> : tensor<4xui32>\n  return\n}\n}\n";
  };
  const std::string channel = "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>",
                    pairs = "source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>",
                    types = " : (tensor<ui32>) -> tensor<ui32>";
  EXPECT_EQ(counts_of(program("%0 = stablehlo.replica_id : tensor<ui32>", "0, 0, 1, 1")).passed, 1);
  EXPECT_EQ(counts_of(program("%0 = stablehlo.partition_id : tensor<ui32>", "0, 1, 0, 1")).passed, 1);
  EXPECT_EQ(
      counts_of(program("%0 = \"stablehlo.collective_permute\"(%x) {" + pairs + "}" + types, "2, 3, 0, 1"))
          .passed,
      1);
  EXPECT_EQ(
      counts_of(program("%0 = \"stablehlo.collective_permute\"(%x) {" + channel + ", " + pairs + "}" + types,
                        "1, 0, 3, 2"))
          .passed,
      1);
}

/// On a channel all partitions of a group's replicas take part, which only the types of the program show.
TEST(CheckTest, GathersAndSumsSpanPartitionsOnAChannel) {
  const auto program = [](const std::string& op, const std::string& result, const std::string& expected) {
    return "module @m {\nfunc.func @f(%x: tensor<4xi32>) -> " + result + " {\n  " + op +
           "\n  return %0 : " + result +
           "\n}\nfunc.func @main() {\n  %a = stablehlo.constant dense<[0, 1, 2, 3]> : tensor<4xi32>\n" +
           "  %b = stablehlo.constant dense<[4, 5, 6, 7]> : tensor<4xi32>\n  %r:4 = "
           "\"interpreter.run_parallel\"(%a, %b, %b, %a) {programs = [[@f, @f], [@f, @f]]} : (tensor<4xi32>, "
           "tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) -> (" +
           result + ", " + result + ", " + result + ", " + result +
           ")\n  check.expect_eq_const %r#1, dense<[" + expected + "]> : " + result + "\n  return\n}\n}\n";
  };
  const std::string groups =
      "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = "
      "#stablehlo.channel_handle<handle = 1, type = 0>";
  // The order of the processes is (0, 0), (1, 0), (0, 1), (1, 1).
  EXPECT_EQ(counts_of(program("%0 = \"stablehlo.all_gather\"(%x) {all_gather_dim = 0 : i64, " + groups +
                                  "} : (tensor<4xi32>) -> tensor<16xi32>",
                              "tensor<16xi32>", "0, 1, 2, 3, 4, 5, 6, 7, 4, 5, 6, 7, 0, 1, 2, 3"))
                .passed,
            1);
  const std::string body =
      " ({\n^bb0(%p: tensor<i32>, %q: tensor<i32>):\n%s = stablehlo.add %p, %q : tensor<i32>\n"
      "stablehlo.return %s : tensor<i32>\n})";
  // The third of four parts of the sum.
  EXPECT_EQ(
      counts_of(program("%0 = \"stablehlo.reduce_scatter\"(%x)" + body + " {scatter_dimension = 0 : i64, " +
                            groups + "} : (tensor<4xi32>) -> tensor<1xi32>",
                        "tensor<1xi32>", "16"))
          .passed,
      1);
  EXPECT_EQ(counts_of(program("%0 = \"stablehlo.collective_reduce\"(%x)" + body + " {" + groups +
                                  "} : (tensor<4xi32>) -> tensor<4xi32>",
                              "tensor<4xi32>", "0, 0, 0, 0"))
                .passed,
            1);
}

TEST(CheckTest, ProbesAndPrintsChangeNothing) {
  EXPECT_EQ(outcome("%p = interpreter.probe %a, probe_id = \"p\" : tensor<2xf32>\n  interpreter.print %p : "
                    "tensor<2xf32>\n"
                    "  check.expect_serialized_eq %p, probe_id = \"p\" : tensor<2xf32>\n"
                    "  check.expect_eq %p, %a : tensor<2xf32>"),
            "passed");
}

TEST(CheckTest, ACaseComparesMainWithAnArchive) {
  const std::shared_ptr<runtime::Client> client = runtime::make_client("cpu");
  EXPECT_EQ(check_case("tests/programs/indices.mlir", "tests/programs/indices.npz", *client).passed, 1);
  EXPECT_EQ(check_case("tests/programs/indices-1.17.0.mlirbc", "tests/programs/indices.npz", *client).passed,
            1);
}

}  // namespace
}  // namespace cornu::inline v0::cli
