// Sizes that cannot be, and numbers at the ends of their range.
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "cornu/base/error_test_support.h"
#include "cornu/tensor/control_flow.h"
#include "cornu/tensor/custom_gradient.h"
#include "cornu/tensor/function.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/trace/trace.h"

namespace cornu::inline v0 {
namespace {

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kSmallest = std::numeric_limits<std::int64_t>::min();

/// Expects ResourceExhausted that names `op` and, unless they cannot be counted, the bytes.
void expect_exhausted(const std::string& op, const std::function<void()>& run,
                      const std::string& says = "bytes") {
  const auto begin = std::chrono::steady_clock::now();
  const Error error = error_of(run);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  EXPECT_EQ(error.code(), ErrorCode::kResourceExhausted) << op << ": " << error.what();
  EXPECT_TRUE(std::string_view(error.what()).starts_with("[" + op + "]")) << op << ": " << error.what();
  EXPECT_NE(std::string_view(error.what()).find(says), std::string::npos) << op << ": " << error.what();
  EXPECT_LT(seconds.count(), 2.0) << op;
}

void expect_refused(const std::function<void()>& run, const std::string& says) {
  expect_error(ErrorCode::kInvalidArgument, {says}, run);
}

template <typename T>
std::vector<T> values(const Tensor& x) {
  std::vector<T> result;
  for (std::int64_t i = 0; i < x.num_elements(); ++i) result.push_back(static_cast<T>(x.at(i)));
  return result;
}

using Ints = std::vector<std::int64_t>;

Tensor three() { return Tensor::of<float>({3}, {1, 2, 3}); }
Tensor square() { return Tensor::of<float>({2, 2}, {1, 2, 3, 4}); }

TEST(SizesTest, ResultsThatNoMemoryHoldsAreRefusedAtOnceWithTheBytes) {
  constexpr std::int64_t k34 = std::int64_t{1} << 34, k36 = std::int64_t{1} << 36,
                         k40 = std::int64_t{1} << 40, k62 = std::int64_t{1} << 62;
  expect_exhausted(
      "array_split", [] { ops::array_split(three(), k40); },
      "a list of 1099511627776 tensors takes 281474976710656 bytes");
  expect_exhausted("array_split", [] { ops::array_split(three(), kLargest); });
  expect_exhausted("repeat", [] { ops::repeat(three(), k36); }, "takes 824633720832 bytes");
  expect_exhausted("repeat", [] { ops::repeat(three(), {1, k36, 1}); }, "takes 274877906952 bytes");
  expect_exhausted("repeat", [] { ops::repeat(three(), k62); }, "beyond 63 bits");
  expect_exhausted("repeat", [] { ops::repeat(three(), {kLargest, 1, 1}); }, "beyond 63 bits");
  expect_exhausted("tile", [] { ops::tile(three(), k40); });
  expect_exhausted("tile", [] { ops::tile(three(), kLargest); }, "beyond 63 bits");
  for (const char* mode : {"wrap", "edge", "reflect", "symmetric", "constant"}) {
    expect_exhausted(
        "pad", [&] { ops::pad(three(), {{k34, 0}}, {.mode = mode}); }, "takes 68719476748 bytes");
    expect_exhausted("pad", [&] { ops::pad(three(), {{kLargest, 0}}, {.mode = mode}); }, "beyond 63 bits");
    expect_exhausted(
        "pad", [&] { ops::pad(three(), {{kLargest, kLargest}}, {.mode = mode}); }, "beyond 63 bits");
  }
  expect_exhausted("arange", [] { ops::arange(k40); });
  expect_exhausted("arange", [] { ops::arange(kLargest, DType::kI64); });
  expect_exhausted("arange", [] { ops::arange({.stop = 0x1p50, .dtype = DType::kF64}); });
  expect_exhausted("diag", [] { ops::diag(three(), kSmallest); }, "beyond 63 bits");
  expect_exhausted("diag", [] { ops::diag(three(), kLargest); }, "beyond 63 bits");
  expect_exhausted("diag", [] { ops::diag(three(), std::int64_t{1} << 30); });
  expect_exhausted("kron", [] { ops::kron(ops::zeros({0, k40}), ops::zeros({0, k40})); }, "beyond 63 bits");
  expect_exhausted(
      "bincount", [] { ops::bincount(Tensor::of<std::int64_t>({2}, {1, kLargest})); }, "beyond 63 bits");
  expect_exhausted(
      "bincount", [] { ops::bincount(Tensor::of<std::uint64_t>({1}, {~std::uint64_t{0}})); },
      "beyond 63 bits");
  expect_exhausted("segment_sum", [] { ops::bincount(Tensor::of<std::int64_t>({1}, {k40})); });
  expect_exhausted(
      "segment_max", [] { ops::segment_max(three(), Tensor::of<std::int64_t>({3}, {0, 1, kLargest})); },
      "beyond 63 bits");
  expect_exhausted("scan", [] {
    scan([](const Tensor& carry, const std::vector<Tensor>&) { return std::pair(carry, carry); }, three(),
         std::vector<Tensor>(), {.length = k62});
  });
  expect_exhausted("scan", [] {
    scan([](const Tensor& carry, const std::vector<Tensor>&) { return std::pair(carry, carry); }, three(),
         std::vector<Tensor>(), {.length = k36});
  });
}

TEST(SizesTest, ShapesBeyond63BitsAreRefusedBeforeAnythingIsAllocated) {
  const Dims huge = {std::int64_t{1} << 40, std::int64_t{1} << 40};
  expect_exhausted("broadcast_in_dim", [&] { ops::zeros(huge); }, "takes more bytes than 63 bits can count");
  const Error error = error_of([&] { Tensor::zeros(huge); });
  EXPECT_EQ(error.code(), ErrorCode::kResourceExhausted) << error.what();
  expect_exhausted("broadcast_to", [] { ops::zeros({std::int64_t{1} << 40}); }, "takes 4398046511104 bytes");
  expect_refused([&] { ops::reshape(three(), {std::int64_t{1} << 32, std::int64_t{1} << 32}); }, "[reshape]");
  expect_refused([&] { ops::reshape(ops::zeros({0}), {std::int64_t{1} << 32, std::int64_t{1} << 32}); },
                 "[reshape]");
  Trace trace("sizes");
  const Trace::Scope scope(trace);
  expect_exhausted("repeat", [] { ops::repeat(three(), std::int64_t{1} << 62); }, "beyond 63 bits");
  const Tensor tall = trace.add_rows_argument({DType::kI8, {std::int64_t{1} << 62}});
  expect_exhausted("concatenate", [&] { ops::concatenate({tall, tall}, 0); }, "beyond 63 bits");
}

TEST(SizesTest, DiagonalsBeyondTheCornersAreAllAlike) {
  const Ints all = {1, 2, 3, 4}, none = {0, 0, 0, 0};
  for (const std::int64_t k : {std::int64_t{2}, std::int64_t{1} << 53, kLargest - 1, kLargest}) {
    EXPECT_EQ(values<std::int64_t>(ops::tril(square(), k)), all) << k;
    EXPECT_EQ(values<std::int64_t>(ops::triu(square(), k)), none) << k;
    EXPECT_EQ(values<std::int64_t>(ops::tri(2, {.k = k})), (Ints{1, 1, 1, 1})) << k;
    EXPECT_EQ(values<std::int64_t>(ops::eye(2, {.k = k})), none) << k;
    EXPECT_EQ(ops::diagonal(square(), {.offset = k}).num_elements(), 0) << k;
    EXPECT_EQ(ops::trace(square(), {.offset = k}).at(0), 0) << k;
  }
  for (const std::int64_t k : {std::int64_t{-2}, -(std::int64_t{1} << 53), kSmallest + 1, kSmallest}) {
    EXPECT_EQ(values<std::int64_t>(ops::tril(square(), k)), none) << k;
    EXPECT_EQ(values<std::int64_t>(ops::triu(square(), k)), all) << k;
    EXPECT_EQ(values<std::int64_t>(ops::tri(2, {.k = k})), none) << k;
    EXPECT_EQ(values<std::int64_t>(ops::eye(2, {.k = k})), none) << k;
    EXPECT_EQ(ops::diagonal(square(), {.offset = k}).num_elements(), 0) << k;
    EXPECT_EQ(ops::trace(square(), {.offset = k}).at(0), 0) << k;
  }
  EXPECT_EQ(values<std::int64_t>(ops::tril(square(), -1)), (Ints{0, 0, 3, 0}));
  EXPECT_EQ(values<std::int64_t>(ops::diagonal(Tensor::of<float>({2, 3}, {1, 2, 3, 4, 5, 6}), {.offset = 1})),
            (Ints{2, 6}));
  EXPECT_EQ(
      values<std::int64_t>(ops::diagonal(Tensor::of<float>({3, 2}, {1, 2, 3, 4, 5, 6}), {.offset = -1})),
      (Ints{3, 6}));
  EXPECT_EQ(values<std::int64_t>(ops::diag(Tensor::of<float>({2}, {1, 2}), -1)),
            (Ints{0, 0, 0, 1, 0, 0, 0, 2, 0}));
}

TEST(SizesTest, ArangeGivesWhatItsDtypeHoldsOrAnError) {
  expect_refused([] { ops::arange({.start = 2147483646, .stop = 2147483650}); },
                 "dtype = int32 for 2147483649");
  expect_refused([] { ops::arange({.start = 0, .stop = 300, .step = 50, .dtype = DType::kI8}); },
                 "dtype = int8 for 250");
  expect_refused([] { ops::arange({.start = -2, .stop = 2, .dtype = DType::kU8}); }, "dtype = uint8 for -2");
  expect_refused([] { ops::arange(129, DType::kI8); }, "dtype = int8 for 128");
  expect_refused([] { ops::arange({.stop = std::nan("")}); }, "[arange]");
  EXPECT_EQ(ops::arange(128, DType::kI8).at(127), 127);
  EXPECT_EQ(
      values<std::int64_t>(ops::arange({.start = 2147483646, .stop = 2147483650, .dtype = DType::kI64})),
      (Ints{2147483646, 2147483647, 2147483648, 2147483649}));
  // As NumPy: the step of a single number does not count, and unsigned numbers can fall.
  EXPECT_EQ(values<std::int64_t>(ops::arange({.stop = 10, .step = 0x1p40})), (Ints{0}));
  EXPECT_EQ(values<std::int64_t>(ops::arange({.start = 5, .stop = 0, .step = -2, .dtype = DType::kU8})),
            (Ints{5, 3, 1}));
  EXPECT_EQ(
      values<std::int64_t>(ops::arange({.start = -2147483648.0, .stop = 2147483647, .step = 2147483647})),
      (Ints{-2147483648, -1, 2147483646}));
  EXPECT_EQ(ops::arange({.start = 3, .stop = 3}).shape(), (Dims{0}));
  EXPECT_EQ(ops::arange(-3).shape(), (Dims{0}));
}

TEST(SizesTest, ConvolutionsOfHugeWindowsGiveTheirResultOrAnError) {
  const Tensor x = Tensor::of<float>({1, 4, 1}, {1, 2, 3, 4}),
               kernel = Tensor::of<float>({3, 1, 1}, {5, 7, 11});
  for (const std::int64_t dilation : {std::int64_t{1} << 33, std::int64_t{1} << 61})
    expect_refused([&] { ops::conv(x, kernel, {.padding = "valid", .dilation_rate = dilation}); },
                   "are smaller than the window");
  for (const char* padding : {"valid", "same", "causal"})
    expect_exhausted(
        "conv", [&] { ops::conv(x, kernel, {.padding = padding, .dilation_rate = kLargest}); },
        "beyond 63 bits");
  // As Keras: only the middle of the kernel meets the input.
  EXPECT_EQ(values<float>(ops::conv(x, kernel, {.padding = "same", .dilation_rate = std::int64_t{1} << 33})),
            (std::vector<float>{7, 14, 21, 28}));
  EXPECT_EQ(values<float>(ops::conv(x, kernel, {.strides = kLargest, .padding = "valid"})),
            (std::vector<float>{1 * 5 + 2 * 7 + 3 * 11}));
  EXPECT_EQ(values<float>(ops::conv(x, kernel, {.strides = kLargest, .padding = "same"})).size(), 1u);
}

TEST(SizesTest, TransposedConvolutionsOfHugeStridesAreRefused) {
  const Tensor x = Tensor::of<float>({1, 4, 1}, {1, 2, 3, 4}),
               kernel = Tensor::of<float>({3, 1, 1}, {5, 7, 11});
  for (const char* padding : {"valid", "same"}) {
    for (const std::int64_t strides : {std::int64_t{1} << 62, kLargest})
      EXPECT_EQ(
          error_of([&] { ops::conv_transpose(x, kernel, {.strides = strides, .padding = padding}); }).code(),
          ErrorCode::kResourceExhausted);
    EXPECT_EQ(error_of([&] {
                ops::conv_transpose(x, kernel, {.strides = std::int64_t{1} << 36, .padding = padding});
              }).code(),
              ErrorCode::kResourceExhausted);
    for (const std::int64_t output_padding : {std::int64_t{-1}, std::int64_t{-9}, kSmallest})
      expect_refused(
          [&] {
            ops::conv_transpose(x, kernel,
                                {.strides = 2, .padding = padding, .output_padding = output_padding});
          },
          "output_padding must not be negative");
    expect_exhausted(
        "conv_transpose",
        [&] {
          ops::conv_transpose(x, kernel, {.strides = 2, .padding = padding, .output_padding = kLargest});
        },
        "beyond 63 bits");
  }
}

TEST(SizesTest, PaddingByOwnElementsIsNumPys) {
  const auto padded = [](const char* mode, std::int64_t before, std::int64_t after) {
    return values<std::int64_t>(ops::pad(three(), {{before, after}}, {.mode = mode}));
  };
  EXPECT_EQ(padded("wrap", 4, 5), (Ints{3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2}));
  EXPECT_EQ(padded("edge", 2, 1), (Ints{1, 1, 1, 2, 3, 3}));
  EXPECT_EQ(padded("reflect", 5, 4), (Ints{2, 1, 2, 3, 2, 1, 2, 3, 2, 1, 2, 3}));
  EXPECT_EQ(padded("symmetric", 4, 4), (Ints{3, 3, 2, 1, 1, 2, 3, 3, 2, 1, 1}));
  EXPECT_EQ(values<std::int64_t>(ops::pad(Tensor::of<float>({1}, {7}), {{2, 1}}, {.mode = "reflect"})),
            (Ints{7, 7, 7, 7}));
  EXPECT_EQ(padded("wrap", 0, 0), (Ints{1, 2, 3}));
}

TEST(SizesTest, NumbersAtTheEndsOfTheirRangeCountAsTheyAre) {
  const Tensor x = Tensor::of<float>({4}, {1, 2, 3, 4});
  EXPECT_EQ(values<std::int64_t>(x.slice(std::array{Slice{0, kLargest, kLargest}})), (Ints{1}));
  EXPECT_EQ(values<std::int64_t>(x.slice(std::array{Slice{.step = kSmallest}})), (Ints{4}));
  EXPECT_EQ(values<std::int64_t>(x.slice(std::array{Slice{kSmallest, kLargest, 1}})), (Ints{1, 2, 3, 4}));
  // (2^63 - 1) % 4 = 3, and both together move by 6.
  EXPECT_EQ(values<std::int64_t>(ops::roll(x, kLargest)), (Ints{2, 3, 4, 1}));
  EXPECT_EQ(values<std::int64_t>(ops::roll(x, {kLargest, kLargest})), (Ints{3, 4, 1, 2}));
  EXPECT_EQ(values<std::int64_t>(ops::roll(x, kSmallest)), (Ints{1, 2, 3, 4}));
  EXPECT_EQ(values<std::int64_t>(ops::slice(x, {kLargest}, {2})), (Ints{3, 4}));
  EXPECT_EQ(values<std::int64_t>(ops::slice(x, {kSmallest}, {2})), (Ints{1, 2}));
  EXPECT_EQ(values<std::int64_t>(ops::extract_sequences(x, 2, kLargest)), (Ints{1, 2}));
  EXPECT_EQ(values<std::int64_t>(ops::one_hot(
                Tensor::of<std::int64_t>({4}, {1, (std::int64_t{1} << 32) + 1, -1, kSmallest}), 2)),
            (Ints{0, 1, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(values<std::int64_t>(
                ops::one_hot(Tensor::of<std::uint64_t>({2}, {1, (std::uint64_t{1} << 63) + 1}), 2)),
            (Ints{0, 1, 0, 0}));
  expect_refused([] { ops::bincount(Tensor::of<std::int64_t>({1}, {1}), {.minlength = -1}); },
                 "minlength = -1");
  EXPECT_EQ(values<std::int64_t>(ops::bincount(Tensor::of<std::int64_t>({3}, {2, 0, 2}), {.minlength = 4})),
            (Ints{1, 0, 2, 0}));
}

TEST(SizesTest, AScanThatStacksNothingKeepsNothing) {
  const auto count = [](const Tensor& carry, const std::vector<Tensor>&) {
    return std::pair(carry + 1, std::vector<Tensor>());
  };
  EXPECT_EQ(scan(count, Tensor::of<std::int32_t>({}, {0}), std::vector<Tensor>(), {.length = 5}).first.at(0),
            5);
}

TEST(EmptyFunctionsTest, AreRefusedWhereTheyAreGiven) {
  const std::function<Tensor(const Tensor&)> none;
  const std::function<bool(const Tensor&)> no_condition;
  const std::function<Tensor()> no_branch;
  const std::function<std::pair<Tensor, Tensor>(const Tensor&, const Tensor&)> no_step;
  Tensor (*const no_pointer)(const Tensor&) = nullptr;
  expect_refused([&] { function(none); }, "[function] f must be a function to call");
  expect_refused([&] { function(no_pointer); }, "[function] f must be a function to call");
  expect_refused([&] { while_loop(none, none, three()); }, "[while_loop] condition");
  expect_refused(
      [&] { while_loop([](const Tensor& x) { return ops::less(ops::sum(x), 0); }, none, three()); },
      "[while_loop] body");
  expect_refused([&] { cond(Tensor(true), no_branch, no_branch); }, "[cond] on_true");
  expect_refused([&] { switch_case(Tensor(0), std::vector<std::function<Tensor()>>{no_branch}); },
                 "[switch_case] each branch");
  expect_refused([&] { scan(no_step, three(), three()); }, "[scan] f");
  expect_refused([&] { map(none, three()); }, "[map] f");
  expect_refused(
      [&] {
        custom_gradient(
            std::function<std::pair<Tensor, std::function<Tensor(const Tensor&)>>(const Tensor&)>());
      },
      "[custom_gradient] f");
  const auto without_gradient =
      custom_gradient([](const Tensor& x) { return std::pair(x, std::function<Tensor(const Tensor&)>()); });
  expect_refused([&] { without_gradient(three()); }, "[custom_gradient] the gradient function");
}

}  // namespace
}  // namespace cornu::inline v0
