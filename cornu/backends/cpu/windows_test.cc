#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <random>

#include "cornu/backends/cpu/programs_test_support.h"
#include "cornu/ops/all.h"
#include "cornu/ops/run_reference.h"

// Pooling, its gradient and what stands around them, fused, against the reference backend.
namespace cornu::inline v0::backends::cpu {
namespace {

using ir::DType;
using ir::Literal;
using ir::Value;
using Values = std::span<const Value>;
using Results = std::vector<Value>;

/// Few different values, so that windows have ties; some are negative.
Literal few_values(DType dtype, const ir::Dims& dims, unsigned seed) {
  std::mt19937 random(seed);
  Literal literal(ir::TensorType{DType::kF32, dims});
  for (float& x : literal.mutable_data<float>())
    x = static_cast<float>(static_cast<int>(random() % 7U) - 3) * 0.25F;
  return dtype == DType::kF32 ? literal : ops::with_float_dtype(literal, dtype);
}

Value over_channels(ir::Builder& b, Value bias, const ir::Dims& dims) {
  return ops::broadcast_in_dim(b, bias, dims, {3});
}

/// A pool of relu(x + bias), the gradient of x, and that of the bias.
Results pool_and_gradients(ir::Builder& b, Value x, Value bias, Value gradient, const ir::Dims& window) {
  const ops::WindowOptions options = {.dimensions = window, .strides = window};
  const Value sum = ops::add(b, x, over_channels(b, bias, x.dims()));
  const Value zeros = ops::full(b, x.type(), 0);
  const Value active = ops::maximum(b, sum, zeros);
  const Value scattered = ops::select_and_scatter_add(
      b, active, gradient, {.dimensions = window, .strides = window}, ops::ComparisonDirection::kGe);
  const Value dx =
      ops::select(b, ops::compare(b, sum, zeros, ops::ComparisonDirection::kGt), scattered, zeros);
  return {ops::reduce_window_max(b, active, options), dx, ops::reduce_sum(b, dx, {0, 1, 2})};
}

TEST(WindowsTest, PoolsOfActivationsAndTheirGradients) {
  struct Case {
    ir::Dims dims, window;
  };
  for (const auto& [dims, window] : {Case{{4, 16, 16, 32}, {1, 2, 2, 1}}, Case{{3, 17, 13, 40}, {1, 2, 2, 1}},
                                     Case{{2, 19, 20, 24}, {1, 3, 3, 1}}, Case{{3, 16, 30, 17}, {1, 1, 4, 1}},
                                     Case{{2, 4, 5, 16}, {1, 4, 4, 1}}}) {
    SCOPED_TRACE(ir::shape_str(dims));
    ir::Dims pooled = dims;
    for (std::size_t d = 0; d < dims.size(); ++d) pooled[d] /= window[d];
    expect_as_reference({few_values(DType::kF32, dims, 1), few_values(DType::kF32, {dims[3]}, 2),
                         few_values(DType::kF32, pooled, 3)},
                        [extents = window](ir::Builder& b, Values x) {
                          return pool_and_gradients(b, x[0], x[1], x[2], extents);
                        });
  }
}

TEST(WindowsTest, PoolsOfOtherTypesAndKinds) {
  const ir::Dims dims = {2, 9, 8, 20}, pooled = {2, 4, 4, 20};
  for (const DType dtype : {DType::kF64, DType::kF16, DType::kBF16})
    expect_as_reference(
        {few_values(dtype, dims, 4), few_values(dtype, pooled, 5)}, [](ir::Builder& b, Values x) -> Results {
          const ops::WindowOptions window = {.dimensions = {1, 2, 2, 1}, .strides = {1, 2, 2, 1}};
          const ops::PoolWindow select = {.dimensions = {1, 2, 2, 1}, .strides = {1, 2, 2, 1}};
          return {ops::reduce_window_max(b, x[0], window), ops::reduce_window_sum(b, x[0], window),
                  ops::reduce_window_min(b, ops::negate(b, x[0]), window),
                  ops::select_and_scatter_add(b, x[0], x[1], select, ops::ComparisonDirection::kLe),
                  ops::select_and_scatter_add(b, ops::tanh(b, x[0]), ops::tanh(b, x[1]), select,
                                              ops::ComparisonDirection::kGt)};
        });
}

TEST(WindowsTest, ScatteredValuesThatSeveralReadersNeed) {
  const ir::Dims dims = {2, 9, 8, 32}, pooled = {2, 4, 4, 32};
  expect_as_reference(
      {few_values(DType::kF32, dims, 6), few_values(DType::kF32, pooled, 7)},
      [](ir::Builder& b, Values x) -> Results {
        const ops::PoolWindow window = {.dimensions = {1, 2, 2, 1}, .strides = {1, 2, 2, 1}};
        const Value one = ops::select_and_scatter_add(b, x[0], x[1], window, ops::ComparisonDirection::kGe);
        // Pools of a scattered tensor, read again at other indices, and one pool's gradient in another's.
        const Value two = ops::select_and_scatter_add(b, one, x[1], window, ops::ComparisonDirection::kGe);
        return {one,
                ops::add(b, one, two),
                ops::tanh(b, ops::transpose(b, one, {3, 2, 1, 0})),
                ops::reduce_sum(b, ops::multiply(b, one, two), {0, 1, 2, 3}),
                ops::reverse(b, ops::multiply(b, two, two), {1}),
                ops::reduce_window_max(b, two, {.dimensions = {1, 3, 2, 1}, .strides = {1, 3, 2, 1}})};
      });
}

TEST(WindowsTest, SumsInPassingOfSeveralTensors) {
  for (const std::int64_t channels : {32, 33, 70}) {
    const ir::Dims dims = {6, 25, 8, channels};
    expect_as_reference(
        {few_values(DType::kF32, dims, 8), few_values(DType::kF32, dims, 9),
         few_values(DType::kF32, {channels}, 10)},
        [&](ir::Builder& b, Values x) -> Results {
          const Value centred = ops::subtract(b, x[0], over_channels(b, x[2], dims));
          const Value made = ops::tanh(b, centred);
          const Value product = ops::multiply(b, made, x[1]);
          const Value sum = ops::reduce_sum(b, made, {0, 1, 2});
          return {made, sum, ops::reduce_sum(b, product, {0, 1, 2}),
                  ops::reduce_max(b, ops::exponential(b, made), {0, 1}),
                  ops::subtract(b, made, over_channels(b, sum, dims))};
        },
        8);
  }
}

/// An activation whose slopes have the pictures' shape, before a pool: their gradient is a sum over the
/// batch alone, which goes element by element, not window by window.
TEST(WindowsTest, SumsOverTheBatchOfAPoolsGradient) {
  const ir::Dims dims = {32, 8, 8, 16}, pooled = {32, 4, 4, 16};
  for (const ir::Dims& gone : {ir::Dims{0}, ir::Dims{0, 1}, ir::Dims{0, 1, 2}}) {
    for (const bool is_result : {true, false}) {  // else the sum is all that needs the gradient
      SCOPED_TRACE(fmt::format("{} {}", ir::shape_str(gone), is_result));
      expect_as_reference(
          {few_values(DType::kF32, dims, 16), few_values(DType::kF32, pooled, 17)},
          [&](ir::Builder& b, Values x) -> Results {
            const ops::PoolWindow window = {.dimensions = {1, 2, 2, 1}, .strides = {1, 2, 2, 1}};
            const Value dx =
                ops::select_and_scatter_add(b, x[0], x[1], window, ops::ComparisonDirection::kGe);
            const Value sum = ops::reduce_sum(b, ops::multiply(b, dx, x[0]), gone);
            return is_result ? Results{dx, sum} : Results{sum};
          });
    }
  }
}

/// An element of no window is zero in a pool's gradient, but not in a gradient that was reversed.
TEST(WindowsTest, SumsOfAReversedPoolsGradientLeaveNothingOut) {
  const ir::Dims dims = {16, 9, 9, 16}, pooled = {16, 4, 4, 16};
  expect_as_reference(
      {few_values(DType::kF32, dims, 20), few_values(DType::kF32, pooled, 21),
       few_values(DType::kF32, dims, 22), few_values(DType::kF32, pooled, 23)},
      [&](ir::Builder& b, Values x) -> Results {
        const ops::PoolWindow window = {.dimensions = {1, 2, 2, 1}, .strides = {1, 2, 2, 1}};
        const auto gradient = [&](Value of, Value dy) {
          return ops::select_and_scatter_add(b, of, dy, window, ops::ComparisonDirection::kGe);
        };
        const Value one = gradient(x[0], x[1]), other = gradient(x[2], x[3]);
        const Value is_first = ops::compare(b, x[0], x[2], ops::ComparisonDirection::kGt);
        const Value row = ops::slice(b, one, {0, 0, 1, 0}, {16, 9, 2, 16}, {1, 1, 1, 1});
        const Value rows = ops::broadcast_in_dim(b, row, dims, {0, 1, 2, 3});
        return {ops::reduce_sum(b, ops::select(b, is_first, ops::reverse(b, one, {1, 2}), other), {0, 1, 2}),
                ops::reduce_sum(b, ops::select(b, is_first, rows, other), {0, 1, 2})};
      });
}

TEST(WindowsTest, ViewsOfAPoolsGradientAreResults) {
  const ir::Dims dims = {2, 8, 8, 16}, pooled = {2, 4, 4, 16};
  using View = std::function<Value(ir::Builder&, Value)>;
  const std::vector<View> views = {
      [](ir::Builder& b, Value x) { return ops::transpose(b, x, {0, 2, 1, 3}); },
      [](ir::Builder& b, Value x) { return ops::slice(b, x, {0, 1, 0, 0}, {2, 7, 8, 16}, {1, 1, 1, 1}); },
      [](ir::Builder& b, Value x) { return ops::slice(b, x, {1, 0, 0, 0}, {2, 8, 8, 16}, {1, 1, 1, 1}); },
      [](ir::Builder& b, Value x) { return ops::reverse(b, x, {1}); },
      [](ir::Builder& b, Value x) { return ops::reshape(b, x, {2, 64, 16}); },
      [](ir::Builder& b, Value x) { return ops::transpose(b, ops::tanh(b, x), {3, 1, 2, 0}); }};
  for (const View& view : views)
    expect_as_reference(
        {few_values(DType::kF32, dims, 18), few_values(DType::kF32, pooled, 19)},
        [&](ir::Builder& b, Values x) -> Results {
          const ops::PoolWindow window = {.dimensions = {1, 2, 2, 1}, .strides = {1, 2, 2, 1}};
          return {view(b, ops::select_and_scatter_add(b, x[0], x[1], window, ops::ComparisonDirection::kGe))};
        });
}

TEST(WindowsTest, AReshapeInMemoryIsWhatItReshapes) {
  const ir::Dims dims = {8, 4, 4, 16};
  expect_as_reference({few_values(DType::kF32, dims, 11), few_values(DType::kF32, {256, 20}, 12)},
                      [&](ir::Builder& b, Values x) -> Results {
                        const Value flat = ops::reshape(b, ops::tanh(b, x[0]), {8, 256});
                        const Value product = ops::matmul(b, flat, x[1]);
                        const Value again = ops::reshape(b, product, {160});
                        return {product, ops::matmul(b, ops::transpose(b, flat, {1, 0}), product),
                                ops::sort_ascending(b, again), ops::reshape(b, x[0], {2, 4, 256}),
                                ops::matmul(b, ops::reshape(b, x[0], {8, 256}), x[1])};
                      });
}

TEST(WindowsTest, InfinitiesAndNotANumberGoThroughAPool) {
  Literal x = few_values(DType::kF32, {2, 8, 8, 16}, 13);
  const std::span<float> values = x.mutable_data<float>();
  values[3] = std::numeric_limits<float>::quiet_NaN();
  values[17] = std::numeric_limits<float>::infinity();
  values[100] = -std::numeric_limits<float>::infinity();
  values[900] = -std::numeric_limits<float>::quiet_NaN();
  expect_as_reference({x, few_values(DType::kF32, {16}, 14), few_values(DType::kF32, {2, 4, 4, 16}, 15)},
                      [](ir::Builder& b, Values v) -> Results {
                        Results out = pool_and_gradients(b, v[0], v[1], v[2], {1, 2, 2, 1});
                        out[0] = ops::is_finite(b, out[0]);
                        return {out[0], ops::is_finite(b, out[1])};
                      });
}

}  // namespace
}  // namespace cornu::inline v0::backends::cpu
