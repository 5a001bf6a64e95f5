#include "cornu/transform/index_reductions.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "cornu/backends/reference/interpreter.h"
#include "cornu/ops/all.h"
#include "cornu/transform/text_test_support.h"

namespace cornu::inline v0::transform {
namespace {

using ir::DType;
using ir::Value;
using Values = std::vector<Value>;
using Arguments = std::span<const Value>;

/// The index of the first smallest element along the last dimension as JAX writes it; `use_element` returns the element too.
std::unique_ptr<ir::Function> argmin(const ir::TensorType& type, bool use_element, double initial_index = 0) {
  return make_function({type}, [&](ir::Builder& b, Arguments v) -> Values {
    const std::int64_t along = type.rank() - 1;
    const Value positions = ops::iota(b, {DType::kI64, type.dims}, along);
    const auto body = [](ir::Builder& inner, Arguments x) -> Values {
      using enum ops::ComparisonDirection;
      const Value less =
          ops::or_(inner, ops::compare(inner, x[0], x[2], kLt), ops::compare(inner, x[0], x[0], kNe));
      const Value before =
          ops::and_(inner, ops::compare(inner, x[0], x[2], kEq), ops::compare(inner, x[1], x[3], kLt));
      return {ops::select(inner, less, x[0], x[2]),
              ops::select(inner, ops::or_(inner, less, before), x[1], x[3])};
    };
    const double greatest = ir::is_float(type.dtype) ? std::numeric_limits<double>::infinity()
                                                     : std::numeric_limits<std::int32_t>::max();
    Values both = ops::reduce(
        b, {v[0], positions},
        {ops::scalar(b, type.dtype, greatest), ops::scalar(b, DType::kI64, initial_index)}, {along}, body);
    if (!use_element) both.erase(both.begin());
    return both;
  });
}

void expect_same(const ir::Function& before, const ir::Literal& x) {
  const auto after = split_index_reductions(before);
  ASSERT_NE(after, nullptr);
  ir::verify(*after);
  EXPECT_TRUE(backends::reference::evaluate(*after, {{x}})[0] ==
              backends::reference::evaluate(before, {{x}})[0])
      << body_text(*after);
}

TEST(IndexReductionsTest, FirstExtremaOfLongLinesAreTwoReductions) {
  ir::Literal integers({DType::kI32, {3, 300}});
  std::int64_t i = 0;
  for (std::int32_t& x : integers.mutable_data<std::int32_t>()) x = static_cast<std::int32_t>(i++ * 7 % 23);
  expect_same(*argmin(integers.type(), false), integers);
  const auto largest = make_function(
      {integers.type()}, [](ir::Builder& b, Arguments v) { return Values{ops::argmax(b, v[0], 1)}; });
  expect_same(*largest, integers);
}

TEST(IndexReductionsTest, TheFirstNanIsFoundAndAllInfiniteLinesHaveIndexZero) {
  ir::Literal x({DType::kF32, {4, 256}});
  const std::span<float> numbers = x.mutable_data<float>();
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i * 37 % 101);
  numbers[70] = numbers[200] = std::numeric_limits<float>::quiet_NaN();
  for (std::size_t i = 256; i < 512; ++i) numbers[i] = std::numeric_limits<float>::infinity();
  for (std::size_t i = 512; i < 768; ++i) numbers[i] = i % 2 == 0 ? 0.0F : -0.0F;
  expect_same(*argmin(x.type(), false), x);
}

TEST(IndexReductionsTest, ShortLinesUsedElementsAndOtherBodiesStay) {
  EXPECT_EQ(split_index_reductions(*argmin({DType::kF32, {2, 100}}, false)), nullptr);
  EXPECT_EQ(split_index_reductions(*argmin({DType::kF32, {2, 300}}, true)), nullptr);
  EXPECT_EQ(split_index_reductions(*argmin({DType::kF32, {2, 300}}, false, 3)), nullptr);
  const auto last = make_function({{DType::kI32, {300}}}, [](ir::Builder& b, Arguments v) -> Values {
    const auto body = [](ir::Builder& inner, Arguments x) -> Values {  // the last one among equals
      using enum ops::ComparisonDirection;
      const Value greater = ops::compare(inner, x[0], x[2], kGt);
      return {ops::select(inner, greater, x[0], x[2]), ops::select(inner, greater, x[1], x[3])};
    };
    return {ops::reduce(b, {v[0], ops::iota(b, {DType::kI32, {300}}, 0)},
                        {ops::scalar(b, DType::kI32, std::numeric_limits<std::int32_t>::min()),
                         ops::scalar(b, DType::kI32, 0)},
                        {0}, body)[1]};
  });
  EXPECT_EQ(split_index_reductions(*last), nullptr);
  const auto total = make_function({{DType::kF32, {300}}}, [](ir::Builder& b, Arguments v) -> Values {
    const auto body = [](ir::Builder& inner, Arguments x) -> Values {  // -0 is less than 0
      using enum ops::ComparisonDirection;
      const Value greater = ops::compare_total_order(inner, x[0], x[2], kGt);
      const Value before = ops::and_(inner, ops::compare_total_order(inner, x[0], x[2], kEq),
                                     ops::compare(inner, x[1], x[3], kLt));
      return {ops::select(inner, greater, x[0], x[2]),
              ops::select(inner, ops::or_(inner, greater, before), x[1], x[3])};
    };
    return {ops::reduce(b, {v[0], ops::iota(b, {DType::kI32, {300}}, 0)},
                        {ops::scalar(b, DType::kF32, -std::numeric_limits<double>::infinity()),
                         ops::scalar(b, DType::kI32, 0)},
                        {0}, body)[1]};
  });
  EXPECT_EQ(split_index_reductions(*total), nullptr);
}

}  // namespace
}  // namespace cornu::inline v0::transform
