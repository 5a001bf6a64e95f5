#include "cornu/tensor/gradient_tape.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "cornu/base/error.h"
#include "cornu/tensor/control_flow.h"
#include "cornu/tensor/custom_gradient.h"
#include "cornu/tensor/function.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0 {
namespace {

Tensor number(float value) { return Tensor::of<float>({}, {value}); }
Tensor numbers(std::initializer_list<float> values) {
  return Tensor::of<float>({static_cast<std::int64_t>(values.size())}, values);
}
Variable weight(float value, const char* name = "w") {
  return Variable(ir::Literal::scalar(DType::kF32, value), {.name = name});
}
std::vector<double> all_of(const Tensor& x) {
  std::vector<double> values;
  for (std::int64_t i = 0; i < x.num_elements(); ++i) values.push_back(x.at(i));
  return values;
}
std::string refusal(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    return std::string(error_code_name(error.code())) + " " + error.what();
  }
  return "";
}

/// Runs `f` eagerly and inside a traced function, checks that both agree, and returns the result.
template <typename F, typename... Arguments>
std::vector<std::vector<double>> in_both_modes(F f, const Arguments&... arguments) {
  std::vector<std::vector<double>> eager, traced;
  for (const Tensor& x : detail::tensors_of(f(arguments...))) eager.push_back(all_of(x));
  for (const Tensor& x : detail::tensors_of(function(f)(arguments...))) traced.push_back(all_of(x));
  EXPECT_EQ(eager, traced);
  return eager;
}
using Rows = std::vector<std::vector<double>>;

TEST(GradientTapeTest, PassesThroughComplexNumbers) {
  const auto by_fft = [](const Tensor& given) {
    Tensor x = given;
    GradientTape tape;
    tape.watch(x);
    const std::vector<Tensor> y = ops::fft({x, ops::zeros_like(x)});
    return tape.gradient(ops::sum(ops::square(y[0]) + ops::square(y[1])), x);
  };
  const auto by_view = [](const Tensor& given) {
    Tensor x = given;
    GradientTape tape;
    tape.watch(x);
    const Tensor pairs = ops::view_as_real(ops::view_as_complex(ops::reshape(x, {2, 2})));
    return tape.gradient(ops::sum(ops::square(pairs)), x);
  };
  const Tensor x = numbers({1, -2, 3, 0.5});
  for (const Tensor& gradient : {by_fft(x), function(by_fft)(x)})  // sum |fft(x)|^2 = 4 sum x^2
    for (std::int64_t i = 0; i < 4; ++i) EXPECT_NEAR(gradient.at(i), 8 * x.at(i), 1e-5) << i;
  for (const Tensor& gradient : {by_view(x), function(by_view)(x)}) {
    ASSERT_TRUE(gradient.defined());
    for (std::int64_t i = 0; i < 4; ++i) EXPECT_NEAR(gradient.at(i), 2 * x.at(i), 1e-6) << i;
  }
}

TEST(GradientTapeTest, OfAWatchedTensor) {
  const auto f = [](Tensor x) {
    GradientTape tape;
    tape.watch(x);
    const Tensor y = x * x * x;
    return tape.gradient(y, x);
  };
  EXPECT_EQ(in_both_modes(f, number(3)), (Rows{{27}}));
  EXPECT_EQ(in_both_modes(f, numbers({1, 2})), (Rows{{3, 12}})) << "the elements of a target are summed";
  Tensor x = 3.0F;  // a C++ number
  GradientTape tape;
  tape.watch(x);
  EXPECT_EQ(tape.gradient(x * x, x).item<float>(), 6);
}

TEST(GradientTapeTest, OfHalfPrecision) {
  for (const DType dtype : {DType::kF16, DType::kBF16}) {
    const Tensor x = ops::cast(Tensor::of<float>({3}, {1, 2, 3}), dtype);
    GradientTape tape;
    tape.watch(x);
    const Tensor slope = tape.gradient(x * x, x);
    EXPECT_EQ(slope.dtype(), dtype);
    EXPECT_EQ(ops::cast(slope, DType::kF32).to_vector<float>(), (std::vector<float>{2, 4, 6}));
  }
}

TEST(GradientTapeTest, OfTrainableVariablesThatWereRead) {
  const auto f = [](const Tensor& x) {
    const Variable w = weight(2), frozen = weight(3), unused = weight(4);
    frozen.set_trainable(false);
    GradientTape tape;
    const Tensor y = ops::sum(w * x) * frozen + w * w;
    const std::vector<Tensor> gradients = tape.gradient(y, std::vector{w, frozen, unused});
    EXPECT_FALSE(gradients[1].defined());
    EXPECT_FALSE(gradients[2].defined());
    return gradients[0];
  };
  EXPECT_EQ(in_both_modes(f, numbers({1, 2})), (Rows{{13}}));
}

TEST(GradientTapeTest, WatchedVariablesAreThoseThatWereRead) {
  const auto f = [](const Tensor& x) {
    const Variable a = weight(1, "a"), b = weight(2, "b"), c = weight(3, "c");
    GradientTape tape({.persistent = true, .watch_accessed_variables = false});
    tape.watch(b);
    const Tensor y = (a + b * b + c) * x;
    EXPECT_EQ(tape.watched_variables().size(), 1u);
    EXPECT_FALSE(tape.gradient(y, a).defined());
    return tape.gradient(y, b);
  };
  EXPECT_EQ(in_both_modes(f, number(5)), (Rows{{20}}));
  const Variable a = weight(1, "a");
  GradientTape tape;
  a.value();
  a.value();
  ASSERT_EQ(tape.watched_variables().size(), 1u);
  EXPECT_EQ(tape.watched_variables()[0].name(), "a");
}

TEST(GradientTapeTest, ATapeThatWasUsedStillTellsTheVariables) {
  const auto f = [](const Tensor& x) {
    const Variable a = weight(3, "a");
    GradientTape tape;
    const Tensor gradient = tape.gradient(a * a * x, a);
    const std::vector<Variable> watched = tape.watched_variables();
    EXPECT_TRUE(watched.size() == 1 && watched[0] == a);
    tape.reset();
    EXPECT_TRUE(tape.watched_variables().empty());
    return gradient;
  };
  EXPECT_EQ(in_both_modes(f, number(5)), (Rows{{30}}));
}

TEST(GradientTapeTest, AnAssignmentIsNotDifferentiatedThrough) {
  const auto f = [](const Tensor& x) {
    const Variable v = weight(2);
    GradientTape tape;
    const Tensor before = v * x;
    v.assign(v * 10.0F);
    const Tensor after = v * x * 3.0F;
    return tape.gradient(before + after, v);
  };
  EXPECT_EQ(in_both_modes(f, number(5)), (Rows{{20}}));  // 5 + 15, not 5 + 150
}

/// A function's gradients with respect to trainable `a` (3) and `b` (5), eager and traced.
template <typename F>
void expect_gradients(F loss_of, const std::vector<double>& wanted) {
  const auto step = [&](const Tensor& x) {
    const Variable a = weight(3, "a"), b = weight(5, "b");
    return loss_of(a, b, x);
  };
  EXPECT_EQ(in_both_modes(step, number(2)), (Rows{wanted}));
}

std::vector<Tensor> zeros_where_none(GradientTape& tape, const Tensor& loss,
                                     const std::vector<Variable>& variables) {
  return tape.gradient(loss, variables, {.unconnected_gradients = UnconnectedGradients::kZero});
}

TEST(GradientTapeTest, AVariableThatHasAnothersValueIsAnotherSource) {
  expect_gradients(
      [](const Variable& online, const Variable& target, const Tensor& x) {
        target.set_trainable(false);
        target.assign(online);
        GradientTape tape;
        return tape.gradient(ops::square(online * x - target * x * 0.5F), online);
      },
      {12});
  expect_gradients(
      [](const Variable& a, const Variable& b, const Tensor& x) {
        b.assign(a);
        GradientTape tape;
        return ops::stack(tape.gradient(a * x + b * 10.0F, std::vector{a, b}));
      },
      {2, 10});
  expect_gradients(
      [](const Variable& a, const Variable& b, const Tensor& x) {
        GradientTape tape;
        const Tensor first = a * x;
        b.assign(a);
        return ops::stack(tape.gradient(first + b * 10.0F + a, std::vector{a, b}));
      },
      {3, 10});
}

TEST(GradientTapeTest, WhatAVariableWasAssignedIsAnotherSource) {
  expect_gradients(
      [](const Variable& a, const Variable&, const Tensor& x) {
        const Tensor y = x * 2.0F;
        a.assign(y);
        GradientTape tape;
        return tape.gradient(y * 7.0F + a * 10.0F, a);
      },
      {10});
  expect_gradients(
      [](const Variable& a, const Variable&, const Tensor& x) {
        const Tensor y = x * 2.0F;
        a.assign(y);
        GradientTape tape({.persistent = true, .watch_accessed_variables = false});
        tape.watch(y);
        const Tensor loss = y * a;
        EXPECT_FALSE(tape.gradient(loss, a).defined());
        return tape.gradient(loss, y);
      },
      {4});
}

TEST(GradientTapeTest, WhatWasReadBeforeOrInAPauseIsAConstant) {
  expect_gradients(
      [](const Variable& a, const Variable&, const Tensor& x) {
        const Tensor before = a.value();
        GradientTape tape;
        return tape.gradient(before * 7.0F + a * x + a, a);
      },
      {3});
  expect_gradients(
      [](const Variable& a, const Variable&, const Tensor& x) {
        GradientTape tape;
        const Tensor first = a * x;
        Tensor constant;
        {
          const auto pause = tape.stop_recording();
          constant = a.value();
        }
        return tape.gradient(first + constant * 7.0F + a, a);
      },
      {3});
  expect_gradients(
      [](const Variable& a, const Variable&, const Tensor& x) {
        GradientTape tape({.persistent = true});
        const Tensor before = a.value();
        tape.reset();
        const Tensor loss = before * 7.0F + a * x;
        return ops::stack({tape.gradient(loss, a), tape.gradient(loss * a, a)});
      },
      {2, 33});
  expect_gradients(
      [](const Variable& a, const Variable&, const Tensor& x) {
        GradientTape tape({.watch_accessed_variables = false});
        const Tensor read = a.value();
        tape.watch(read);
        return tape.gradient(read * x + a * 7.0F, read);
      },
      {2});
}

TEST(GradientTapeTest, NestedTapesTellReadsApart) {
  expect_gradients(
      [](const Variable& a, const Variable&, const Tensor& x) {
        GradientTape outer;
        const Tensor first = a * a;
        GradientTape inner;
        const Tensor slope = inner.gradient(first * x + a * a * a, a);
        return ops::stack({slope, outer.gradient(first + slope, a)});
      },
      {27, 24});  // 3 a a, 2 a + 6 a
}

TEST(GradientTapeTest, LoopsAndBranchesTellVariablesApart) {
  expect_gradients(
      [](const Variable& a, const Variable& b, const Tensor& x) {
        b.assign(a);
        GradientTape tape;
        const Tensor loss = fori_loop(
            0, Tensor::of<std::int32_t>({}, {2}),
            [&](const Tensor&, const Tensor& sum) { return sum + a * x + b; }, x);
        return ops::stack(zeros_where_none(tape, loss, {a, b}));
      },
      {4, 2});
  expect_gradients(
      [](const Variable& a, const Variable& b, const Tensor& x) {
        GradientTape tape;
        const Tensor loss = fori_loop(
            0, Tensor::of<std::int32_t>({}, {3}),
            [&](const Tensor&, const Tensor& sum) {
              b.assign(a * 2.0F);
              return sum + b * x;
            },
            x);
        return ops::stack(zeros_where_none(tape, loss, {a, b}));
      },
      {0, 6});
  expect_gradients(
      [](const Variable& a, const Variable& b, const Tensor& x) {
        GradientTape tape;
        cond(ops::greater(x, 0.0F), [&] { b.assign(a); }, [] {});
        return ops::stack(zeros_where_none(tape, a * x + b * 7.0F, {a, b}));
      },
      {2, 7});
}

TEST(GradientTapeTest, AFunctionUnderATapeDoesNotDifferentiateThroughAssignments) {
  const Variable online = weight(3, "online"), target = weight(5, "target"), other = weight(5, "other");
  target.set_trainable(false);
  const auto loss_of = [&](const Tensor& x) {
    target.assign(online);
    other.assign(online);
    return ops::square(online * x - target * x * 0.5F) + other * 10.0F;
  };
  auto compiled = function(loss_of);
  const auto gradients = [&](const auto& f) {
    GradientTape tape;
    return tape.gradient(f(number(2)), std::vector{online, other});
  };
  for (const std::vector<Tensor>& both : {gradients(loss_of), gradients(compiled)}) {
    EXPECT_EQ(both[0].item<float>(), 12);
    ASSERT_TRUE(both[1].defined());
    EXPECT_EQ(both[1].item<float>(), 10);
  }
}

TEST(GradientTapeTest, WhatRanBeforeATensorWasWatchedDoesNotCount) {
  const auto f = [](const Tensor& start, Tensor w) {
    GradientTape tape({.persistent = true});
    tape.watch(w);
    const Tensor x = start * 1.0F;
    Tensor z = x * x;
    const Tensor product = x * w;
    tape.watch(x);
    z = z + x * 5.0F;
    return std::tuple(tape.gradient(z, x), tape.gradient(product, x));
  };
  EXPECT_EQ(in_both_modes(f, number(2), number(3)), (Rows{{5}, {3}}))
      << "an operation that was recorded for another tensor counts";
}

TEST(GradientTapeTest, ThroughRows) {
  const auto f = [](const Tensor& start) {
    const Tensor x = start * 1.0F;
    GradientTape tape({.persistent = true});
    tape.watch(x);
    const Tensor part = ops::square(x.rows(1, 3));
    const Tensor taken = ops::square(ops::take_rows(x, std::vector<std::int64_t>{2, 0, 2}));
    return std::tuple(part, taken, tape.gradient(part, x), tape.gradient(taken, x));
  };
  EXPECT_EQ(in_both_modes(f, numbers({1, 2, 3, 4})), (Rows{{4, 9}, {9, 1, 9}, {0, 4, 6, 0}, {2, 0, 12, 0}}));
}

TEST(GradientTapeTest, ThroughRowsOfACapturedTensor) {
  const Tensor captured = numbers({1, 2, 3, 4});
  const std::vector<std::int64_t> rows = {1, 2};
  const auto watched_inside = [&](const Tensor& x) {
    GradientTape tape({.persistent = true});
    tape.watch(captured);
    return std::tuple(tape.gradient(captured.rows(1, 3) * x, captured),
                      tape.gradient(ops::take_rows(captured, rows) * x, captured));
  };
  EXPECT_EQ(in_both_modes(watched_inside, number(5)), (Rows{{0, 5, 5, 0}, {0, 5, 5, 0}}));
  GradientTape tape;
  tape.watch(captured);
  const auto scaled = function([&](const Tensor& x) { return captured.rows(1, 3) * x; });
  EXPECT_EQ(tape.gradient(scaled(number(5)), captured).to_vector<float>(), (std::vector<float>{0, 5, 5, 0}));
}

TEST(GradientTapeTest, RowsThatNoTapeFollowsAreTakenWhereTheyLie) {
  const Tensor data = numbers({1, 2, 3, 4}), x = number(2);
  GradientTape tape({.persistent = true});
  tape.watch(x);
  EXPECT_EQ(data.rows(1, 3).bytes(), data.bytes() + sizeof(float));
  tape.watch(data);
  EXPECT_NE(data.rows(1, 3).bytes(), data.bytes() + sizeof(float));
  const auto paused = tape.stop_recording();
  EXPECT_EQ(data.rows(1, 3).bytes(), data.bytes() + sizeof(float));
}

TEST(GradientTapeTest, WhatIsNotWatchedIsAConstant) {
  const auto f = [](Tensor x) {
    const Tensor early = x * 2.0F;
    GradientTape tape({.persistent = true});
    tape.watch(x);
    const Tensor y = early * x;
    const Tensor from_x = tape.gradient(y, x);
    EXPECT_FALSE(tape.gradient(y, early).defined()) << "made before the tape";
    const Tensor zeros = tape.gradient(y, early, {.unconnected_gradients = UnconnectedGradients::kZero});
    const Tensor middle = x * x;
    return std::tuple(from_x, zeros, tape.gradient(middle * x, middle));
  };
  EXPECT_EQ(in_both_modes(f, number(3)), (Rows{{6}, {0}, {3}}));
}

TEST(GradientTapeTest, SeveralTargetsAndOutputGradients) {
  const auto f = [](Tensor x) {
    GradientTape tape({.persistent = true});
    tape.watch(x);
    const Tensor y = x * x, z = x * 10.0F;
    return std::tuple(tape.gradient(std::vector{y, z}, x),
                      tape.gradient(y, x, {.output_gradients = {numbers({1, 100})}}));
  };
  EXPECT_EQ(in_both_modes(f, numbers({1, 2})), (Rows{{12, 14}, {2, 400}}));
}

TEST(GradientTapeTest, StopRecordingAndReset) {
  const auto f = [](Tensor x) {
    GradientTape tape({.persistent = true});
    tape.watch(x);
    Tensor constant;
    {
      const auto pause = tape.stop_recording();
      constant = x * x;
    }
    const Tensor with_pause = tape.gradient(constant * x, x);
    tape.reset();
    const Tensor forgotten = tape.gradient(x * x, x, {.unconnected_gradients = UnconnectedGradients::kZero});
    tape.watch(x);
    return std::tuple(with_pause, forgotten, tape.gradient(x * x, x));
  };
  EXPECT_EQ(in_both_modes(f, number(3)), (Rows{{9}, {0}, {6}}));
}

TEST(GradientTapeTest, TapesNestForSecondDerivatives) {
  const auto f = [](Tensor x) {
    GradientTape outer;
    outer.watch(x);
    Tensor first;
    {
      GradientTape inner;
      inner.watch(x);
      const Tensor y = ops::exp(x * 2.0F) * x;
      first = inner.gradient(y, x);
    }
    return std::tuple(first, outer.gradient(first, x));
  };
  const Rows rows = in_both_modes(f, number(0.5F));
  EXPECT_NEAR(rows[0][0], std::exp(1.0) * 2, 1e-5);
  EXPECT_NEAR(rows[1][0], std::exp(1.0) * 6, 1e-4);
}

TEST(GradientTapeTest, StopGradientMakesAConstant) {
  const auto f = [](Tensor x) {
    GradientTape tape;
    tape.watch(x);
    return tape.gradient(ops::stop_gradient(x * x) * x, x);
  };
  EXPECT_EQ(in_both_modes(f, number(3)), (Rows{{9}}));
}

TEST(GradientTapeTest, JacobiansHaveTheShapesOfTargetAndSource) {
  const auto f = [](Tensor x) {
    GradientTape tape;
    tape.watch(x);
    return tape.jacobian(ops::reshape(x * x, {1, 3}), x);
  };
  EXPECT_EQ(in_both_modes(f, numbers({1, 2, 3})), (Rows{{2, 0, 0, 0, 4, 0, 0, 0, 6}}));
  const auto batch = [](Tensor x) {
    GradientTape tape({.persistent = true});
    tape.watch(x);
    const Tensor y = ops::concatenate(std::vector{x * x, x * 10.0F}, 1);
    const Tensor jacobian = tape.batch_jacobian(y, x);
    EXPECT_EQ(jacobian.shape(), (Dims{2, 4, 2}));
    EXPECT_EQ(tape.jacobian(y, x).shape(), (Dims{2, 4, 2, 2}));
    return jacobian;
  };
  EXPECT_EQ(in_both_modes(batch, Tensor::of<float>({2, 2}, {1, 2, 3, 4})),
            (Rows{{2, 0, 0, 4, 10, 0, 0, 10, 6, 0, 0, 8, 10, 0, 0, 10}}));
  const auto none = [](Tensor x) {
    GradientTape tape;
    tape.watch(x);
    return tape.jacobian(x * 2.0F, numbers({1}), {.unconnected_gradients = UnconnectedGradients::kZero});
  };
  EXPECT_EQ(in_both_modes(none, numbers({1, 2})), (Rows{{0, 0}}));
}

TEST(GradientTapeTest, AFunctionUnderATapeIsOneOperation) {
  const Variable w = weight(3);
  const Tensor captured = numbers({10, 20});
  auto f = function([&](const Tensor& x) {
    const Tensor y = ops::sum(x * x * captured) * w;
    w.assign(w + 1.0F);
    return std::pair(y, ops::cast(y, DType::kI32));
  });
  for (const float scale : {3.0F, 4.0F}) {
    Tensor x = numbers({1, 2});
    GradientTape tape({.persistent = true});
    tape.watch(x);
    tape.watch(captured);
    const Tensor y = f(x).first * 2.0F;
    EXPECT_EQ(all_of(tape.gradient(y, x)), (std::vector<double>{40 * scale, 160 * scale}));
    EXPECT_EQ(tape.gradient(y, w).item<float>(), 180);
    EXPECT_EQ(all_of(tape.gradient(y, captured)), (std::vector<double>{2 * scale, 8 * scale}));
  }
  EXPECT_EQ(f.trace_count(), 1);
}

TEST(GradientTapeTest, IsZeroThroughStepFunctionsAsInJax) {
  const auto f = [](Tensor x) {
    GradientTape tape({.persistent = true});
    tape.watch(x);
    std::vector<Tensor> gradients;
    for (const Tensor& y : {ops::sign(x), ops::floor(x), ops::ceil(x), ops::round(x), ops::trunc(x)})
      gradients.push_back(tape.gradient(y, x));
    return gradients;
  };
  EXPECT_EQ(in_both_modes(f, numbers({-1.5F, 0, 1})), Rows(5, {0, 0, 0}));
}

TEST(GradientTapeTest, NothingBeforeAStepIsReachedAsInJax) {
  const auto f = [](Tensor x) {
    GradientTape tape({.persistent = true});
    tape.watch(x);
    const Tensor whole = ops::floor(ops::sqrt(x));  // the slope of sqrt is infinite at 0
    const Tensor is_zero = ops::equal(x, 0);
    return std::vector{tape.gradient(x + whole, x), tape.gradient(whole, x),
                       tape.gradient(ops::where(is_zero, 0, ops::floor_divide(2, x)), x)};
  };
  EXPECT_EQ(in_both_modes(f, numbers({0, 4})), (Rows{{1, 1}, {0, 0}, {0, 0}}));

  auto step = function([](const Tensor& x) { return ops::floor(x); });  // one operation under a tape
  const Tensor x = numbers({0, 4});
  GradientTape tape({.persistent = true});
  tape.watch(x);
  const Tensor whole = step(ops::sqrt(x));
  EXPECT_EQ(all_of(tape.gradient(x + whole, x)), (std::vector<double>{1, 1}));
  EXPECT_EQ(all_of(tape.gradient(whole, x)), (std::vector<double>{0, 0}));
}

TEST(GradientTapeTest, NoZerosGoThroughWhatStopsGradients) {
  const auto gradient = [](const Tensor& x) {
    GradientTape tape;
    tape.watch(x);
    return tape.gradient(ops::floor(ops::stop_gradient(x)), x);
  };
  EXPECT_FALSE(gradient(numbers({0, 4})).defined());
  function([&](const Tensor& x) {
    EXPECT_FALSE(gradient(x).defined());
    return x;
  })(numbers({0, 4}));
}

TEST(GradientTapeTest, OfClipIsOneHalfAtTheBoundsAsInJax) {
  const auto f = [](Tensor x) {
    GradientTape tape({.persistent = true});
    tape.watch(x);
    return std::pair(tape.gradient(ops::clip(x, -1, 2), x),
                     tape.gradient(ops::clip(x, Tensor(-1.0F), Tensor(2.0F)), x));
  };
  const std::vector<double> wanted = {0, 0.5, 1, 0.5, 0};
  EXPECT_EQ(in_both_modes(f, numbers({-3, -1, 0, 2, 3})), (Rows{wanted, wanted}));
}

TEST(GradientTapeTest, AFunctionNeedsNoGradientsOfInputsThatNobodyWatches) {
  const Tensor ids = Tensor::of<std::int32_t>({2}, {0, 0});
  auto f = function([&](const Tensor& x, const Tensor& w) {
    return ops::sum(ops::segment_prod(x, ids, {.num_segments = 1})) + ops::sum(w * w);
  });
  const Tensor x = numbers({2, 3}), w = numbers({4, 5});
  const auto gradient = [&](std::initializer_list<Tensor> watched) {
    GradientTape tape;
    for (const Tensor& tensor : watched) tape.watch(tensor);
    return tape.gradient(f(x, w), w);
  };
  EXPECT_EQ(all_of(gradient({w})), (std::vector<double>{8, 10}));
  EXPECT_NE(refusal([&] { gradient({x, w}); }).find("[scatter] cannot be differentiated"), std::string::npos);
  EXPECT_EQ(all_of(gradient({w})), (std::vector<double>{8, 10}));
  EXPECT_EQ(f.trace_count(), 1);
}

TEST(GradientTapeTest, SecondDerivativesThroughAFunction) {
  auto cube = function([](const Tensor& x) { return x * x * x; });
  Tensor x = number(2);
  GradientTape outer;
  outer.watch(x);
  GradientTape inner;
  inner.watch(x);
  const Tensor first = inner.gradient(cube(x), x);
  EXPECT_EQ(first.item<float>(), 12);
  EXPECT_EQ(outer.gradient(first, x).item<float>(), 12);
}

TEST(GradientTapeTest, InsideALoopBodyATrainingStepLearns) {
  const auto f = [](const Tensor& steps) {
    const Variable w = weight(0);
    fori_loop(0, steps, [&](const Tensor&) {
      GradientTape tape;
      const Tensor loss = ops::square(w - 4.0F);
      w.assign(w - 0.25F * tape.gradient(loss, w));
    });
    return w.value();
  };
  EXPECT_EQ(in_both_modes(f, Tensor::of<std::int32_t>({}, {3})), (Rows{{3.5}}));
}

TEST(GradientTapeTest, RefusesWhatCannotBeMeant) {
  Tensor x = number(3);
  GradientTape tape;
  tape.watch(x);
  const Tensor y = x * x;
  tape.gradient(y, x);
  EXPECT_EQ(refusal([&] { tape.gradient(y, x); }),
            "FAILED_PRECONDITION [gradient_tape] gradient() is called on a tape that was used already; make "
            "it with {.persistent = true} to "
            "use it more than once");
  EXPECT_NE(refusal([&] {
              GradientTape().gradient(Tensor::of<std::int32_t>({1}, {1}), x);
            }).find("a target must be floating-point; got (1,) int32"),
            std::string::npos);
  EXPECT_NE(refusal([&] { GradientTape().watch(2.0F); }).find("a C++ number is a constant"),
            std::string::npos);
  EXPECT_NE(refusal([&] {
              Tensor i = Tensor::of<std::int32_t>({1}, {1});
              GradientTape().watch(i);
            }).find("a watched tensor must be floating-point"),
            std::string::npos);
  EXPECT_NE(refusal([&] {
              GradientTape().gradient(x, x, {.output_gradients = {numbers({1, 2})}});
            }).find("output gradient 0 is (2,) float32; its target is () float32"),
            std::string::npos);
  GradientTape outside;
  EXPECT_NE(refusal([&] {
              function([&](const Tensor& t) { return outside.gradient(t * t, t); })(x);
            }).find("made outside of the function"),
            std::string::npos);
  EXPECT_NE(refusal([&] {
              function([](const Tensor& t) {
                GradientTape around;
                return cond(ops::less(t, 0.0F), [&] { return around.gradient(t * t, t); }, [&] { return t; });
              })(x);
            }).find("inside a loop body or a branch that it was not made in"),
            std::string::npos);
}

TEST(CustomGradientTest, ReplacesTheGradient) {
  const auto log1pexp = custom_gradient([](const Tensor& x) {
    const Tensor e = ops::exp(x);
    return std::pair(ops::log(1.0F + e), [=](const Tensor& dy) { return dy * (1.0F - 1.0F / (1.0F + e)); });
  });
  const auto first = [&](Tensor x) {
    GradientTape tape;
    tape.watch(x);
    return tape.gradient(log1pexp(x) * 2.0F, x);
  };
  EXPECT_EQ(in_both_modes(first, numbers({0, 100})), (Rows{{1, 2}})) << "the plain gradient of 100 is NaN";
  const auto second = [&](Tensor x) {
    GradientTape tape;
    tape.watch(x);
    return std::tuple(log1pexp(x), tape.gradient(first(x), x));
  };
  const Rows rows = in_both_modes(second, number(0));
  EXPECT_NEAR(rows[0][0], std::log(2.0), 1e-6);
  EXPECT_NEAR(rows[1][0], 0.5, 1e-6) << "second derivatives go through the gradient function";
}

TEST(CustomGradientTest, SeveralArgumentsAndResults) {
  const auto swapped = custom_gradient([](const Tensor& x, const Tensor& y) {
    return std::pair(std::tuple(x * y, x + y), [](const std::tuple<Tensor, Tensor>& dy) {
      return std::tuple(std::get<0>(dy) * 100.0F, std::get<1>(dy) * 1000.0F);
    });
  });
  const auto f = [&](Tensor x, Tensor y) {
    GradientTape tape({.persistent = true});
    tape.watch(x);
    tape.watch(y);
    const auto [product, sum] = swapped(x, y);
    const std::vector<Tensor> gradients = tape.gradient(product * 2.0F, std::vector{x, y});
    return std::tuple(product, gradients[0], gradients[1], tape.gradient(product + sum, y));
  };
  EXPECT_EQ(in_both_modes(f, number(3), number(4)), (Rows{{12}, {200}, {0}, {1000}}));
  const auto wrong = custom_gradient(
      [](const Tensor& x) { return std::pair(x, [](const Tensor& dy) { return ops::expand_dims(dy, 0); }); });
  EXPECT_NE(refusal([&] {
              Tensor x = number(1);
              GradientTape tape;
              tape.watch(x);
              tape.gradient(wrong(x), x);
            }).find("[custom_gradient] gradient 0 is (1,) float32; its argument is () float32"),
            std::string::npos);
}

TEST(CustomGradientTest, AnUndefinedGradientIsNoneInBothModes) {
  const auto one_sided = custom_gradient([](const Tensor& x, const Tensor& y) {
    return std::pair(x * y, [](const Tensor& dy) { return std::tuple(dy * 10.0F, Tensor()); });
  });
  const auto connected = [&](Tensor x, Tensor y) {
    GradientTape tape;
    tape.watch(x);
    tape.watch(y);
    const std::vector<Tensor> gradients = tape.gradient(one_sided(x, y), std::vector{x, y});
    return std::tuple(gradients[0], Tensor(gradients[1].defined()));
  };
  EXPECT_EQ(in_both_modes(connected, number(3), number(4)), (Rows{{10}, {0}}));
  const auto zeros = [&](Tensor x, Tensor y) {
    GradientTape tape;
    tape.watch(y);
    return tape.gradient(one_sided(x, y), y, {.unconnected_gradients = UnconnectedGradients::kZero});
  };
  EXPECT_EQ(in_both_modes(zeros, number(3), number(4)), (Rows{{0}}));
}

// In a traced function small captured tensors are constants of the program.
TEST(GradientTapeTest, CapturedTensorsMayBeWatched) {
  const Tensor kernel = Tensor::of<float>({2, 1, 1}, {5, 7});
  const auto convolved = [&](const Tensor& x) {
    GradientTape tape;
    tape.watch(kernel);
    return tape.gradient(ops::sum(ops::conv(x, kernel)), kernel);
  };
  EXPECT_EQ(in_both_modes(convolved, Tensor::of<float>({1, 3, 1}, {1, 3, 3})), (Rows{{4, 6}}));
  const Tensor base = numbers({1, 2, 3, 4});
  const auto updated = [&](const Tensor& x) {
    GradientTape tape;
    tape.watch(base);
    return tape.gradient(ops::sum(ops::slice_update(base, {1}, x)), base);
  };
  EXPECT_EQ(in_both_modes(updated, numbers({8, 9})), (Rows{{1, 0, 0, 1}}));
  const Tensor rim = number(7);
  const auto padded = [&](const Tensor& x) {
    GradientTape tape;
    tape.watch(rim);
    return tape.gradient(ops::sum(ops::pad(x, {{1, 2}}, {.constant_values = rim})), rim);
  };
  EXPECT_EQ(in_both_modes(padded, numbers({8, 9})), (Rows{{3}}));
}

TEST(GradientTapeTest, ThroughAConvolutionWithReluAndAMaxPool) {
  const auto f = [](Tensor x, Tensor kernel, Tensor bias) {
    GradientTape tape;
    tape.watch(x);
    tape.watch(kernel);
    tape.watch(bias);
    const Tensor y = ops::max_pool(ops::conv(x, kernel, {.bias = bias, .activation = "relu"}), 2);
    return tape.gradient(ops::sum(y), std::vector<Tensor>{x, kernel, bias});
  };
  // relu(2 x + 1) is {3, 0, 0, 7}: the windows choose the first and the last.
  EXPECT_EQ(in_both_modes(f, Tensor::of<float>({1, 4, 1}, {1, -1, -2, 3}), Tensor::of<float>({1, 1, 1}, {2}),
                          numbers({1})),
            (Rows{{2, 0, 0, 2}, {4}, {2}}));
}

}  // namespace
}  // namespace cornu::inline v0
