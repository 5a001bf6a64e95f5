#include <gtest/gtest.h>

#include <algorithm>

#include "cornu/backends/cpu/programs_test_support.h"
#include "cornu/ops/all.h"

// Lanes that are a few elements apart, read and written by whole vectors.
namespace cornu::inline v0::backends::cpu {
namespace {

using ir::DType;
using ir::Value;
using Values = std::span<const Value>;

ir::Literal numbers(DType dtype, const ir::Dims& dims) {
  ir::Literal literal(ir::TensorType{dtype, dims});
  const std::size_t size = ir::size_bytes(dtype);
  for (std::int64_t i = 0; i < literal.type().num_elements(); ++i) {
    const ir::Literal element = ir::Literal::scalar(dtype, static_cast<double>((i * 37 + 11) % 101) * 0.25);
    std::copy(element.bytes().begin(), element.bytes().end(),
              literal.mutable_bytes().begin() + i * static_cast<std::ptrdiff_t>(size));
  }
  return literal;
}

class LanesTest : public testing::TestWithParam<DType> {};

TEST_P(LanesTest, SlicesOfEverySecondToNinthElementEndAtTheEndOfTheTensor) {
  for (const std::int64_t extent : {7, 66, 1001})
    expect_as_reference({numbers(GetParam(), {3, extent})},
                        [extent](ir::Builder& b, Values x) -> std::vector<Value> {
                          std::vector<Value> results;
                          for (std::int64_t stride = 2; stride <= 9; ++stride)
                            for (const std::int64_t first : {0, 1})
                              results.push_back(ops::slice(b, x[0], {0, first}, {3, extent}, {1, stride}));
                          return results;
                        });
}

TEST_P(LanesTest, RowsBackwardsAndTheirEverySecondElement) {
  expect_as_reference({numbers(GetParam(), {5, 131})}, [](ir::Builder& b, Values x) -> std::vector<Value> {
    const Value back = ops::reverse(b, x[0], {1});
    return {back, ops::slice(b, back, {0, 1}, {5, 131}, {1, 2}),
            ops::slice(b, back, {0, 0}, {5, 130}, {1, 3})};
  });
}

TEST_P(LanesTest, TwoToFiveTensorsAreStackedInTheLastDimension) {
  expect_as_reference({numbers(GetParam(), {3, 45})}, [](ir::Builder& b, Values x) -> std::vector<Value> {
    std::vector<Value> results, parts;
    for (int count = 1; count <= 5; ++count) {
      const Value part = count % 2 == 0 ? ops::reverse(b, x[0], {0}) : ops::add(b, x[0], x[0]);
      parts.push_back(ops::reshape(b, part, {3, 45, 1}));
      if (count > 1) results.push_back(ops::concatenate(b, parts, 2));
    }
    return results;
  });
}

TEST_P(LanesTest, RowsOfTwoToNineColumnsGetABiasOfEach) {
  for (std::int64_t columns = 2; columns <= 9; ++columns)
    expect_as_reference({numbers(GetParam(), {77, columns}), numbers(GetParam(), {columns})},
                        [columns](ir::Builder& b, Values x) -> std::vector<Value> {
                          const Value bias = ops::broadcast_in_dim(b, x[1], {77, columns}, {1});
                          return {ops::maximum(b, ops::add(b, x[0], bias), bias)};
                        });
}

TEST_P(LanesTest, CopiesInAnotherOrder) {
  // Squares of vectors, whole and cut off; the source's rows outside of, between and inside of other loops.
  const std::pair<ir::Dims, ir::Dims> cases[] = {{{37, 53}, {1, 0}},
                                                 {{131, 5}, {1, 0}},
                                                 {{7, 3, 18, 20}, {3, 1, 2, 0}},
                                                 {{20, 2, 3, 21}, {1, 3, 2, 0}},
                                                 {{5, 83, 6}, {1, 2, 0}}};
  std::vector<ir::Literal> inputs;
  for (const auto& [dims, permutation] : cases) inputs.push_back(numbers(GetParam(), dims));
  expect_as_reference(inputs, [&](ir::Builder& b, Values x) -> std::vector<Value> {
    std::vector<Value> results;
    for (std::size_t i = 0; i < x.size(); ++i) results.push_back(ops::transpose(b, x[i], cases[i].second));
    return results;
  });
}

TEST_P(LanesTest, CopiesOfPartsAndRepeatedRows) {
  expect_as_reference(
      {numbers(GetParam(), {70, 9}), numbers(GetParam(), {150})},
      [](ir::Builder& b, Values x) -> std::vector<Value> {
        return {ops::slice(b, x[0], {1, 2}, {70, 6}, {1, 1}), ops::slice(b, x[0], {0, 0}, {70, 9}, {2, 2}),
                ops::slice(b, x[1], {3}, {150}, {1}), ops::broadcast_in_dim(b, x[1], {3, 150}, {1}),
                ops::broadcast_in_dim(b, x[1], {150, 6}, {0})};
      });
}

TEST_P(LanesTest, PairsAndFoursAreMovedTogether) {
  expect_as_reference({numbers(GetParam(), {75, 11, 2}), numbers(GetParam(), {75, 8})},
                      [](ir::Builder& b, Values x) -> std::vector<Value> {
                        return {ops::transpose(b, x[0], {1, 0, 2}), ops::reverse(b, x[0], {0, 1}),
                                ops::slice(b, x[1], {1, 2}, {75, 6}, {1, 1}),
                                ops::slice(b, x[1], {0, 1}, {75, 5}, {1, 1}),
                                ops::concatenate(b, {ops::slice(b, x[1], {0, 4}, {75, 6}, {1, 1}), x[1]}, 1)};
                      });
}

TEST_P(LanesTest, RowsRepeatedAlongTheLastDimension) {
  for (std::int64_t columns = 1; columns <= 5; ++columns)
    expect_as_reference({numbers(GetParam(), {77, columns})},
                        [columns](ir::Builder& b, Values x) -> std::vector<Value> {
                          const ir::Dims dims = {2, 77, 2, columns};
                          const Value tiled = ops::broadcast_in_dim(b, x[0], dims, {1, 3});
                          return {tiled, ops::reshape(b, tiled, {154, 2 * columns})};
                        });
}

INSTANTIATE_TEST_SUITE_P(Types, LanesTest,
                         testing::Values(DType::kF32, DType::kF64, DType::kBF16, DType::kI8, DType::kI32,
                                         DType::kI1),
                         [](const auto& param) { return std::string(ir::stablehlo_name(param.param)); });

TEST(LanesOfTruthValuesTest, CopiesInAnotherOrderAndOfRepeatedRows) {
  expect_as_reference({numbers(DType::kI1, {37, 53})}, [](ir::Builder& b, Values x) -> std::vector<Value> {
    return {ops::transpose(b, x[0], {1, 0}), ops::broadcast_in_dim(b, x[0], {2, 37, 53}, {1, 2})};
  });
}

TEST(LongChainsTest, RunInSeveralVectorsSideBySideOrInOne) {
  // Lines of four, two and one vectors of sixteen elements, and of a part of one.
  for (const std::int64_t extent : {192, 96, 80, 131}) {
    const ir::Dims dims = {5, extent};
    expect_as_reference({numbers(DType::kU32, dims), numbers(DType::kF32, {extent})},
                        [&](ir::Builder& b, Values x) -> std::vector<Value> {
                          Value bits = ops::add(b, x[0], ops::iota(b, {DType::kU32, dims}, 1));
                          for (const int shift : {13, 17, 5, 7, 9, 3, 11, 8, 14, 6, 15, 4}) {
                            const Value by = ops::full(b, bits.type(), shift);
                            bits = ops::xor_(b, bits, ops::shift_left(b, bits, by));
                            bits = ops::add(b, bits, ops::shift_right_logical(b, bits, by));
                          }
                          const Value row = ops::broadcast_in_dim(b, x[1], dims, {1});
                          const Value floats = ops::tanh(b, ops::logistic(b, ops::tanh(b, row)));
                          const Value is_low = ops::compare(b, bits, ops::full(b, bits.type(), 1 << 30),
                                                            ops::ComparisonDirection::kLt);
                          return {bits, is_low, ops::select(b, is_low, floats, row)};
                        });
  }
}

TEST(ProductLanesTest, ProductsOfOneColumnRunAlongTheirTerms) {
  for (const DType dtype : {DType::kF32, DType::kF64})
    for (const std::int64_t terms : {15, 16, 40, 131})
      expect_as_reference(
          {numbers(dtype, {3, 23, terms}), numbers(dtype, {3, terms})},
          [](ir::Builder& b, Values x) -> std::vector<Value> {
            return {ops::dot_general(
                b, x[0], x[1],
                {.lhs_batching = {0}, .rhs_batching = {0}, .lhs_contracting = {2}, .rhs_contracting = {1}})};
          });
}

TEST(ComplexPartsTest, SumsOfRowsReadEverySecondElementUpToTheEnd) {
  expect_as_reference({numbers(DType::kF32, {9, 45, 2}), numbers(DType::kF64, {9, 45, 3})},
                      [](ir::Builder& b, Values x) -> std::vector<Value> {
                        const Value re = ops::slice(b, x[0], {0, 0, 1}, {9, 45, 2}, {1, 1, 1});
                        const Value third = ops::slice(b, x[1], {0, 0, 2}, {9, 45, 3}, {1, 1, 1});
                        return {ops::reduce_sum(b, re, {1, 2}), ops::reduce_max(b, third, {1, 2})};
                      });
}

TEST(ComplexPartsTest, MovedComplexNumbersStayPairs) {
  expect_as_reference({numbers(DType::kF32, {18, 77, 2})},
                      [](ir::Builder& b, Values x) -> std::vector<Value> {
                        const Value z = ops::bitcast_convert(b, x[0], DType::kC64);
                        const Value turned = ops::concatenate(b, {ops::reverse(b, z, {0}), z}, 0);
                        const Value zero = ops::constant(b, ir::Literal::scalar(DType::kC64, 0));
                        const Value padded = ops::pad(b, turned, zero, {1, 0}, {0, 2}, {0, 1});
                        const Value moved = ops::transpose(b, padded, {1, 0});
                        return {ops::bitcast_convert(b, moved, DType::kF32),
                                ops::bitcast_convert(b, ops::multiply(b, moved, moved), DType::kF32)};
                      });
}

TEST(ComplexPartsTest, FunctionsOfComplexNumbersAreOneLoop) {
  expect_as_reference(
      {numbers(DType::kF32, {9, 77}), numbers(DType::kF32, {9, 77})},
      [](ir::Builder& b, Values x) -> std::vector<Value> {
        const Value z = ops::multiply(b, ops::complex(b, x[0], x[1]), ops::complex(b, x[1], x[0]));
        const Value turned = ops::multiply(b, ops::reverse(b, z, {1}), z);
        return {ops::bitcast_convert(b, z, DType::kF32), ops::bitcast_convert(b, turned, DType::kF32)};
      });
}

}  // namespace
}  // namespace cornu::inline v0::backends::cpu
