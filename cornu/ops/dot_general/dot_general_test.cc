#include "cornu/ops/dot_general/dot_general.h"

#include <gtest/gtest.h>

#include "cornu/base/check.h"
#include "cornu/ops/error_label_test_support.h"
#include "cornu/ops/parse.h"

namespace cornu::inline v0::ops::dot_general_folder {
namespace {

using ir::DType;

TEST(DotGeneralTest, C1_RejectsDifferentNumbersOfBatchingDimensions) {
  EXPECT_EQ(error_label({{DType::kF32, {2, 3, 4}}, {DType::kF32, {2, 4, 5}}},
                        [](ir::Builder& b, Operands v) { dot_general(b, v[0], v[1], {{0}, {}, {2}, {1}}); }),
            "[dot_general] (C1)");
}

TEST(DotGeneralTest, C2_RejectsDifferentNumbersOfContractingDimensions) {
  EXPECT_EQ(error_label({{DType::kF32, {2, 3, 4}}, {DType::kF32, {2, 4, 5}}},
                        [](ir::Builder& b, Operands v) { dot_general(b, v[0], v[1], {{0}, {0}, {2}, {}}); }),
            "[dot_general] (C2)");
}

TEST(DotGeneralTest, C3_RejectsARepeatedDimensionOfLhs) {
  EXPECT_EQ(error_label({{DType::kF32, {2, 3, 4}}, {DType::kF32, {2, 4, 5}}},
                        [](ir::Builder& b, Operands v) { dot_general(b, v[0], v[1], {{0}, {0}, {0}, {1}}); }),
            "[dot_general] (C3)");
}

TEST(DotGeneralTest, C4_RejectsARepeatedDimensionOfRhs) {
  EXPECT_EQ(error_label({{DType::kF32, {2, 3, 4}}, {DType::kF32, {2, 4, 5}}},
                        [](ir::Builder& b, Operands v) { dot_general(b, v[0], v[1], {{0}, {0}, {2}, {0}}); }),
            "[dot_general] (C4)");
}

TEST(DotGeneralTest, C5_RejectsABatchingDimensionOutsideLhs) {
  EXPECT_EQ(error_label({{DType::kF32, {2, 3, 4}}, {DType::kF32, {2, 4, 5}}},
                        [](ir::Builder& b, Operands v) { dot_general(b, v[0], v[1], {{3}, {0}, {2}, {1}}); }),
            "[dot_general] (C5)");
}

TEST(DotGeneralTest, C6_RejectsAContractingDimensionOutsideLhs) {
  EXPECT_EQ(error_label({{DType::kF32, {2, 3, 4}}, {DType::kF32, {2, 4, 5}}},
                        [](ir::Builder& b, Operands v) { dot_general(b, v[0], v[1], {{0}, {0}, {3}, {1}}); }),
            "[dot_general] (C6)");
}

TEST(DotGeneralTest, C7_RejectsABatchingDimensionOutsideRhs) {
  EXPECT_EQ(
      error_label({{DType::kF32, {2, 3, 4}}, {DType::kF32, {2, 4, 5}}},
                  [](ir::Builder& b, Operands v) { dot_general(b, v[0], v[1], {{0}, {-1}, {2}, {1}}); }),
      "[dot_general] (C7)");
}

TEST(DotGeneralTest, C8_RejectsAContractingDimensionOutsideRhs) {
  EXPECT_EQ(error_label({{DType::kF32, {2, 3, 4}}, {DType::kF32, {2, 4, 5}}},
                        [](ir::Builder& b, Operands v) { dot_general(b, v[0], v[1], {{0}, {0}, {2}, {3}}); }),
            "[dot_general] (C8)");
}

TEST(DotGeneralTest, C9_RejectsDifferentBatchingExtents) {
  EXPECT_EQ(error_label({{DType::kF32, {2, 3, 4}}, {DType::kF32, {2, 4, 5}}},
                        [](ir::Builder& b, Operands v) { dot_general(b, v[0], v[1], {{1}, {0}, {2}, {1}}); }),
            "[dot_general] (C9)");
}

TEST(DotGeneralTest, C10_RejectsDifferentContractingExtents) {
  EXPECT_EQ(error_label({{DType::kF32, {2, 3, 4}}, {DType::kF32, {2, 4, 5}}},
                        [](ir::Builder& b, Operands v) { dot_general(b, v[0], v[1], {{0}, {0}, {1}, {1}}); }),
            "[dot_general] (C10)");
}

TEST(DotGeneralTest, C13_RejectsDifferentDtypes) {
  EXPECT_EQ(error_label({{DType::kF32, {2, 2}}, {DType::kF64, {2, 2}}},
                        [](ir::Builder& b, Operands v) { matmul(b, v[0], v[1]); }),
            "[dot_general] (C13)");
}

TEST(DotGeneralTest, MatmulRejectsOtherRanks) {
  EXPECT_EQ(error_label({{DType::kF32, {2}}, {DType::kF32, {2, 2}}},
                        [](ir::Builder& b, Operands v) { matmul(b, v[0], v[1]); }),
            "[matmul] operands must have rank 2; got (2,)");
}

TEST(DotGeneralTest, MultipliesMatrices) {
  const auto y =
      run_op({ir::Literal::of<float>({2, 2}, {1, 2, 3, 4}), ir::Literal::of<float>({2, 1}, {10, 100})},
             [](ir::Builder& b, Operands v) { return matmul(b, v[0], v[1]); });
  EXPECT_EQ(elements<float>(y[0]), (std::vector<float>{210, 430}));
}

TEST(DotGeneralTest, TheResultIsBatchThenLhsThenRhs) {
  ir::Block block;
  ir::Builder b(block);
  const ir::Value x = block.add_argument({DType::kF32, {3, 7, 2, 4}}),
                  y = block.add_argument({DType::kF32, {4, 5, 2, 6}});
  EXPECT_EQ(dot_general(b, x, y, {{2}, {2}, {3}, {0}}).dims(), (ir::Dims{2, 3, 7, 5, 6}));
}

TEST(DotGeneralTest, AnEmptySumIsZero) {
  const auto y = run_op(
      {ir::Literal(ir::TensorType{DType::kI32, {2, 0}}), ir::Literal(ir::TensorType{DType::kI32, {0, 1}})},
      [](ir::Builder& b, Operands v) { return matmul(b, v[0], v[1]); });
  EXPECT_EQ(elements<std::int32_t>(y[0]), (std::vector<std::int32_t>{0, 0}));
}

TEST(DotGeneralTest, PrintsMlirsAttribute) {
  ir::Block block;
  ir::Builder b(block);
  const ir::Value x = block.add_argument({DType::kF32, {2, 3, 4}}),
                  y = block.add_argument({DType::kF32, {2, 4, 5}});
  const ir::Op& op = *dot_general(b, x, y, {{0}, {0}, {2}, {1}}).op();
  EXPECT_EQ(
      op.def().print_attributes(op),
      "dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], "
      "lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>");
}

/// The dot of 2x3 and 3x2 as a program: its types, and what follows the contracting dimensions.
std::string program(const std::string& lhs, const std::string& rhs, const std::string& result,
                    const std::string& more = "") {
  const std::string x = "tensor<2x3x" + lhs + ">", y = "tensor<3x2x" + rhs + ">",
                    z = "tensor<2x2x" + result + ">";
  return "func.func @main(%x: " + x + ", %y: " + y + ") -> " + z + " {\n" +
         "%0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]" + more + " : (" + x + ", " + y +
         ") -> " + z + "\nreturn %0 : " + z + "\n}";
}

/// The types in which a program's dot is computed: its operands' and its result's.
std::string dot_types(const std::string& text) {
  const ir::ParsedModule parsed = parse_stablehlo(text);
  for (const auto& op : parsed.entry().body.ops())
    if (op->name() == "dot_general")
      return fmt::format("{} {} {}", ir::stablehlo_name(op->operand(0).dtype()),
                         ir::stablehlo_name(op->operand(1).dtype()),
                         ir::stablehlo_name(op->result().dtype()));
  return "none";
}

TEST(DotGeneralTest, ReadDotsOfSeveralDtypesAreComputedInOne) {
  EXPECT_EQ(dot_types(program("f32", "f32", "f32")), "f32 f32 f32");
  EXPECT_EQ(dot_types(program("bf16", "bf16", "bf16")), "bf16 bf16 bf16");
  EXPECT_EQ(dot_types(program("bf16", "bf16", "f32")), "f32 f32 f32");
  EXPECT_EQ(dot_types(program("f16", "f32", "f32")), "f32 f32 f32");
  EXPECT_EQ(dot_types(program("f32", "f32", "f64")), "f64 f64 f64");
  EXPECT_EQ(dot_types(program("f32", "f32", "bf16")), "f32 f32 f32");
  EXPECT_EQ(dot_types(program("i8", "i8", "i32")), "i32 i32 i32");
  EXPECT_EQ(dot_types(program("i8", "ui8", "i32")), "i32 i32 i32");
  EXPECT_EQ(dot_types(program("i32", "i32", "f32")), "f32 f32 f32");
}

TEST(DotGeneralTest, C13_RejectsAnIntegerAndAFloat) {
  try {
    parse_stablehlo(program("i32", "f32", "f32"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("(C13)"), std::string::npos) << error.what();
  }
}

TEST(DotGeneralTest, AnAlgorithmIsReadAndAWiderAccumulationKept) {
  const auto algorithm = [](const char* type, const char* accumulation) {
    return fmt::format(
        ", precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = {0}, rhs_precision_type = {0}, "
        "accumulation_type = {1}, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations "
        "= 1, "
        "allow_imprecise_accumulation = false>",
        type, accumulation);
  };
  EXPECT_EQ(dot_types(program("f32", "f32", "f32", algorithm("tf32", "f32"))), "f32 f32 f32");
  EXPECT_EQ(dot_types(program("f32", "f32", "f32", algorithm("f64", "f64"))), "f64 f64 f64");
  EXPECT_EQ(dot_types(program("bf16", "bf16", "bf16", algorithm("bf16", "f32"))), "f32 f32 f32");
}

}  // namespace
}  // namespace cornu::inline v0::ops::dot_general_folder
