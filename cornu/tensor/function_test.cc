#include "cornu/tensor/function.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <fstream>
#include <optional>
#include <thread>

#include "cornu/base/error.h"
#include "cornu/base/log_test_support.h"
#include "cornu/base/sanitizer_test_support.h"
#include "cornu/tensor/control_flow.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/trace/trace.h"

namespace cornu::inline v0 {
namespace {

Tensor row(std::initializer_list<float> values) {
  return Tensor::of<float>({static_cast<std::int64_t>(values.size())}, values);
}
std::vector<float> elements(const Tensor& x) { return {x.data<float>().begin(), x.data<float>().end()}; }
Variable scalar_variable(float value, const char* name = "v") {
  return Variable(ir::Literal::scalar(DType::kF32, value), {.name = name});
}

std::string error_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    return std::string(error_code_name(error.code())) + " " + error.what();
  }
  return "";
}

TEST(FunctionTest, TracesOnceASignature) {
  int runs = 0;
  auto doubled = function([&](const Tensor& x) {
    ++runs;
    return x + x;
  });
  EXPECT_EQ(elements(doubled(row({1, 2}))), (std::vector<float>{2, 4}));
  EXPECT_EQ(elements(doubled(row({3, 4}))), (std::vector<float>{6, 8}));
  EXPECT_EQ(runs, 1);
  doubled(row({1, 2, 3}));  // another shape
  EXPECT_EQ(doubled(Tensor::of<std::int32_t>({2}, {1, 2})).data<std::int32_t>()[1], 4);
  EXPECT_EQ(doubled.trace_count(), 3);
  doubled(row({5, 6}));
  EXPECT_EQ(doubled.trace_count(), 3) << "the first program is kept";
}

TEST(FunctionTest, RowsOfATracedTensorAreASlice) {
  auto middle = function([](const Tensor& x) { return x.rows(1, 3); });
  EXPECT_EQ(elements(middle(row({1, 2, 3, 4}))), (std::vector<float>{2, 3}));
  EXPECT_NE(error_of([&] { middle(row({1, 2})); }).find("rows [1, 3) are outside a tensor of 2 rows"),
            std::string::npos);
}

TEST(FunctionTest, NumbersArePartOfTheSignatureAndTensorsAreNot) {
  auto scaled = function([](const Tensor& x, float factor) { return x * factor; });
  EXPECT_EQ(elements(scaled(row({1, 2}), 2.0F)), (std::vector<float>{2, 4}));
  EXPECT_EQ(elements(scaled(row({1, 2}), 3.0F)), (std::vector<float>{3, 6}));
  EXPECT_EQ(scaled.trace_count(), 2);
  auto by_tensor = function([](const Tensor& x, const Tensor& factor) { return x * factor; });
  for (const float factor : {2.0F, 3.0F, 4.0F})
    EXPECT_EQ(elements(by_tensor(row({1, 2}), Tensor::of<float>({}, {factor})))[1], 2 * factor);
  EXPECT_EQ(by_tensor.trace_count(), 1);
  by_tensor(row({1, 2}), 2.0F);  // a number where a tensor may stand
  by_tensor(row({1, 2}), 3.0F);
  EXPECT_EQ(by_tensor.trace_count(), 3);
}

TEST(FunctionTest, NumbersThatOnlyADoubleTellsApartAreTwoSignatures) {
  auto sum = function([](const Tensor& x, const Tensor& number) { return x + number; });
  const Tensor x = Tensor::of<double>({}, {0});
  EXPECT_EQ(sum(x, Tensor(16777216.0)).item<double>(), 16777216.0);
  EXPECT_EQ(sum(x, Tensor(16777217.0)).item<double>(), 16777217.0);
  EXPECT_EQ(sum(x, Tensor(16777217.0)).item<double>(), 16777217.0);
  EXPECT_EQ(sum.trace_count(), 2);
}

TEST(FunctionTest, TheTypesOfArgumentsArePartOfTheSignature) {
  auto same = function([](const auto& xs) { return xs; });
  const Tensor x = row({1, 2}), y = row({3});
  EXPECT_EQ(elements(same(std::pair(x, y)).second), (std::vector<float>{3}));
  EXPECT_EQ(elements(same(std::array{x, y})[1]), (std::vector<float>{3}));
  EXPECT_EQ(elements(std::get<0>(same(std::tuple(x, y)))), (std::vector<float>{1, 2}));
  EXPECT_EQ(same(std::pair(7L, x)).first, 7L);
  EXPECT_EQ(same(std::pair(7LL, x)).first, 7LL);
  EXPECT_EQ(same.trace_count(), 5);
}

TEST(FunctionTest, ALoopBoundGivenAsATensorDoesNotRetrace) {
  auto powers = function([](const Tensor& x, const Tensor& count) {
    return fori_loop(
        0, count, [&](const Tensor&, const Tensor& power) { return power * x; }, Tensor::of<float>({}, {1}));
  });
  for (const std::int32_t count : {0, 1, 5, 10})
    EXPECT_EQ(powers(Tensor::of<float>({}, {2}), Tensor::of<std::int32_t>({}, {count})).item<float>(),
              std::ldexp(1.0F, count));
  EXPECT_EQ(powers.trace_count(), 1);
}

struct Batch {
  Tensor images;
  Tensor labels;
};
struct Figures {
  Tensor loss;
  std::vector<Tensor> parts;
  int count = 0;
};

TEST(FunctionTest, TakesAndGivesStructures) {
  auto f =
      function([](const Batch& batch, const std::vector<Tensor>& more, const std::pair<Tensor, bool>& last) {
        const Tensor sum = last.second ? ops::sum(last.first) : Tensor(0.0F);
        return Figures{ops::sum(batch.images) + ops::sum(batch.labels) + sum, {more[0] * 2.0F, more[1]}, 7};
      });
  const Figures figures =
      f(Batch{row({1, 2}), row({3})}, std::vector{row({4}), row({5, 6})}, std::pair(row({10}), true));
  EXPECT_EQ(figures.loss.item<float>(), 16);
  ASSERT_EQ(figures.parts.size(), 2u);
  EXPECT_EQ(elements(figures.parts[0]), (std::vector<float>{8}));
  EXPECT_EQ(elements(figures.parts[1]), (std::vector<float>{5, 6}));
  EXPECT_EQ(figures.count, 7);
  f(Batch{row({1, 2}), row({3})}, std::vector{row({4}), row({5, 6})}, std::pair(row({10}), false));
  EXPECT_EQ(f.trace_count(), 2);

  auto two = function([](const Tensor& x, const char* mode) {
    return std::tuple(x, mode == std::string("twice") ? x + x : x);
  });
  const auto [same, other] = two(row({1}), "twice");
  EXPECT_EQ(elements(same), (std::vector<float>{1}));
  EXPECT_EQ(elements(other), (std::vector<float>{2}));
  EXPECT_EQ(elements(std::get<1>(two(row({1}), "once"))), (std::vector<float>{1}));
}

TEST(FunctionTest, VariablesThatItAssignsAreUpdatedAndEarlierReadsStay) {
  const Variable total = scalar_variable(1), rate = scalar_variable(10);
  auto step = function([&](const Tensor& x) { total.assign(total + ops::sum(x) * rate); });
  const Tensor before = total.value();
  step(row({1, 2}));
  EXPECT_EQ(total.value().item<float>(), 31);
  EXPECT_EQ(before.item<float>(), 1);
  const Tensor between = total.value();
  rate.assign(Tensor::of<float>({}, {1}));
  step(row({1, 2}));
  EXPECT_EQ(total.value().item<float>(), 34);
  EXPECT_EQ(between.item<float>(), 31);
  EXPECT_EQ(step.trace_count(), 1);
}

TEST(FunctionTest, ResultsOfACallStayWhenItIsCalledAgain) {
  const Variable counter = scalar_variable(0);
  auto next = function([&] {
    counter.assign(counter + 1.0F);
    return counter.value();
  });
  const Tensor first = next(), second = next();
  EXPECT_EQ(first.item<float>(), 1);
  EXPECT_EQ(second.item<float>(), 2);
}

TEST(FunctionTest, TrainableIsPartOfTheSignature) {
  const Variable weight = scalar_variable(2);
  auto f = function([&](const Tensor& x) { return weight.trainable() ? x * weight : x; });
  EXPECT_EQ(elements(f(row({3})))[0], 6);
  const Variable other = scalar_variable(1);
  other.set_trainable(false);  // not one that f uses
  f(row({3}));
  EXPECT_EQ(f.trace_count(), 1);
  auto g = function([&](const Tensor& x) { return (weight.trainable() ? 1.0F : 2.0F) * x * weight; });
  EXPECT_EQ(elements(g(row({3})))[0], 6);
  weight.set_trainable(false);
  EXPECT_EQ(elements(g(row({3})))[0], 12);
  weight.set_trainable(true);
  EXPECT_EQ(elements(g(row({3})))[0], 6);
  EXPECT_EQ(g.trace_count(), 2);
}

TEST(FunctionTest, LargeCapturedTensorsAreArgumentsAndSmallOnesConstants) {
  const Tensor large = Tensor::adopt({1200}, std::vector<float>(1200, 2.0F)), small = row({3});
  auto f = function([&](const Tensor& x) { return ops::sum(large) + ops::sum(small) + x; });
  EXPECT_EQ(f(Tensor::of<float>({}, {1})).item<float>(), 2404);
  const std::string text = f.stablehlo();
  EXPECT_NE(text.find("tensor<1200xf32>)"), std::string::npos) << text;
  EXPECT_EQ(text.find("%arg2"), std::string::npos) << text;
}

TEST(FunctionTest, VariablesMadeInTheFirstCallAreKeptAndInALaterTraceRefused) {
  std::optional<Variable> weight;
  auto f = function([&](const Tensor& x) {
    if (!weight) weight = scalar_variable(5, "made");
    weight->assign(*weight + 1.0F);
    return x * *weight;
  });
  EXPECT_EQ(elements(f(row({1})))[0], 6);
  EXPECT_EQ(elements(f(row({1})))[0], 7);
  EXPECT_EQ(elements(f(row({1, 1})))[0], 8);
  EXPECT_EQ(f.trace_count(), 2);

  auto careless = function([](const Tensor& x) {
    const Variable fresh = scalar_variable(0, "fresh");
    fresh.assign(fresh + 1.0F);
    return x + fresh;
  });
  EXPECT_EQ(elements(careless(row({1})))[0], 2);
  EXPECT_EQ(elements(careless(row({1})))[0], 3) << "made once";
  EXPECT_EQ(error_of([&] { careless(row({1, 2})); }),
            "FAILED_PRECONDITION [function] variables were made in a call that is not the first: fresh. Make "
            "them once: outside of the "
            "function, or in its first call only");
  EXPECT_EQ(elements(careless(row({1})))[0], 4) << "the program of the first call is still there";
}

TEST(FunctionTest, AFunctionInsideATraceIsInlined) {
  auto square = function([](const Tensor& x) { return x * x; });
  auto fourth = function([&](const Tensor& x) { return square(square(x)); });
  EXPECT_EQ(elements(fourth(row({2})))[0], 16);
  EXPECT_EQ(square.trace_count(), 0);
}

TEST(FunctionTest, AnExceptionInItLeavesNothingBehind) {
  const Variable v = scalar_variable(1);
  bool fails = true;
  auto f = function([&](const Tensor& x) {
    v.assign(v + 1.0F);
    return cond(
        ops::greater(ops::sum(x), 0),
        [&] {
          if (fails) throw std::runtime_error("no");
          return x;
        },
        [&] { return -x; });
  });
  EXPECT_THROW(f(row({1})), std::runtime_error);
  EXPECT_EQ(Trace::current(), nullptr);
  EXPECT_EQ(v.value().item<float>(), 1);
  EXPECT_EQ(f.trace_count(), 0);
  fails = false;
  EXPECT_EQ(elements(f(row({-4})))[0], 4);
  EXPECT_EQ(v.value().item<float>(), 2);
}

TEST(FunctionTest, ATensorOfTheTraceIsUselessOutside) {
  Tensor leaked;
  auto f = function([&](const Tensor& x) {
    leaked = x + x;
    return x;
  });
  f(row({1}));
  EXPECT_NE(error_of([&] { f(leaked); }).find("used outside the program that it was traced for"),
            std::string::npos);
  EXPECT_NE(error_of([&] { leaked.item<float>(); }).find("while its program is being traced"),
            std::string::npos);
}

TEST(FunctionTest, TheFifthRetraceWarnsOnceAndShowsWhatDiffers) {
  auto f =
      function([](const Tensor& x, int power) { return x * static_cast<float>(power); }, {.name = "scale"});
  CapturedLog log;
  for (int i = 1; i <= 5; ++i) f(row({1}), i);
  EXPECT_EQ(log.take(), "");
  for (int i = 6; i <= 9; ++i) f(row({1}), i);
  const std::string warning = log.take();
  EXPECT_NE(warning.find("[scale] the function was traced and compiled for the 6th time; what differs from "
                         "the call before is argument 1: 6 "
                         "after 5"),
            std::string::npos)
      << warning;
  EXPECT_EQ(std::count(warning.begin(), warning.end(), '\n'), 1);
}

TEST(FunctionTest, TheCacheIsBounded) {
  auto f = function([](const Tensor& x) { return x; }, {.reduce_retracing = true, .max_programs = 2});
  const Tensor one = row({1}), two = row({1, 2}), three = row({1, 2, 3});
  f(one), f(two), f(one), f(three);  // two is the least recently used
  f(one);
  EXPECT_EQ(f.trace_count(), 3);
  f(two);
  EXPECT_EQ(f.trace_count(), 4);
  EXPECT_EQ(f.pretty_printed_signatures(),
            "function((2,) float32) -> ((2,) float32)\nfunction((1,) float32) -> ((1,) float32)\n");
}

TEST(FunctionTest, AnInputSignatureRefusesOtherTensors) {
  auto f = function([](const Tensor& x) { return ops::sum(x); },
                    {.name = "total", .input_signature = {{.shape = {-1, 2}, .dtype = DType::kF32}}});
  EXPECT_EQ(f(Tensor::of<float>({2, 2}, {1, 2, 3, 4})).item<float>(), 10);
  EXPECT_EQ(f(Tensor::of<float>({1, 2}, {1, 2})).item<float>(), 3);
  EXPECT_EQ(
      error_of([&] { f(row({1})); }),
      "INVALID_ARGUMENT [total] tensor 0 must be (None, 2) float32 by the input signature; got (1,) float32");
}

TEST(FunctionTest, TellsWhatWasCompiled) {
  auto f =
      function([](const Tensor& x, bool flag, double rate) { return flag ? x * rate : x; }, {.name = "f"});
  EXPECT_NE(error_of([&] { (void)f.stablehlo(); }).find("nothing is traced yet"), std::string::npos);
  EXPECT_NE(f.stablehlo(row({1, 2}), true, 0.5).find("stablehlo.multiply"), std::string::npos);
  EXPECT_EQ(f.pretty_printed_signatures(), "f((2,) float32, true, 0.5) -> ((2,) float32)\n");
  EXPECT_NE(f.explain().find("f((2,) float32, true, 0.5)"), std::string::npos);
}

TEST(FunctionTest, ThreadsMayCallOneFunction) {
  const Variable count = scalar_variable(0);
  auto counted = function([&](const Tensor& x) {
    count.assign(count + 1.0F);
    return x + x;
  });
  auto pure = function([](const Tensor& x) { return x * x; });
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 2; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 200; ++i) {
        const auto value = static_cast<float>(t * 1000 + i);
        wrong += counted(row({value})).at(0) != 2 * value;
        wrong += pure(row({value})).at(0) != value * value;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(count.value().item<float>(), 400);
  EXPECT_EQ(counted.trace_count(), 1);
  EXPECT_EQ(pure.trace_count(), 1);
}

std::int64_t resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  std::int64_t pages = 0, resident = 0;
  statm >> pages >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

TEST(FunctionTest, MakingAndDroppingFunctionsKeepsMemoryFlat) {
  if (kIsSanitized) GTEST_SKIP() << "a sanitizer keeps what is freed";
  const auto cycle = [] {
    const Variable v = scalar_variable(1);
    auto f = function([&](const Tensor& x) {
      v.assign(v + ops::sum(x));
      return x * v;
    });
    f(row({1, 2, 3}));
  };
  for (int i = 0; i < 20; ++i) cycle();
  const std::int64_t before = resident_bytes();
  for (int i = 0; i < 30; ++i) cycle();
  const std::int64_t after = resident_bytes();
  EXPECT_LT(after - before, 30 * 256 * 1024) << "less than a program's compiler keeps when it leaks";
}

}  // namespace
}  // namespace cornu::inline v0
