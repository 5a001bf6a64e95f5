#include <gtest/gtest.h>

#include <cmath>

#include "cornu/backends/reference/interpreter.h"
#include "cornu/ir/verify.h"
#include "cornu/ops/all.h"
#include "cornu/transform/gradient.h"
#include "tests/gradient/check_gradient.h"

/// Gradients through branches and loops, of known and run-time trip counts, nested, and their second
/// derivatives.
namespace cornu::inline v0::tests {
namespace {

using ir::DType;
using ir::Value;
using Values = std::span<const Value>;
using List = std::vector<Value>;

ir::Literal tensor(ir::Dims dims, std::uint64_t seed) {
  return random_literal({DType::kF64, std::move(dims)}, seed);
}
ir::Literal count(std::int32_t n) { return ir::Literal::of<std::int32_t>({}, {n}); }

Value total(ir::Builder& b, Value x) {
  ir::Dims all(x.dims().size());
  for (std::size_t d = 0; d < all.size(); ++d) all[d] = static_cast<std::int64_t>(d);
  return all.empty() ? x : ops::reduce_sum(b, x, all);
}

Value integer(ir::Builder& b, double value) { return ops::scalar(b, DType::kI32, value); }

/// for (i = 0; i < n; ++i) values = body(i, values); n is a value, so constant or not.
List repeat(ir::Builder& b, Value n, List values,
            const std::function<List(ir::Builder&, Value, Values)>& body) {
  values.insert(values.begin(), integer(b, 0));
  values = ops::while_(
      b, values,
      [&](ir::Builder& c, Values v) { return ops::compare(c, v[0], n, ops::ComparisonDirection::kLt); },
      [&](ir::Builder& c, Values v) {
        List next = body(c, v[0], v.subspan(1));
        next.insert(next.begin(), ops::add(c, v[0], integer(c, 1)));
        return next;
      });
  values.erase(values.begin());
  return values;
}

/// h = tanh(h w + x[i]), as a recurrent network; w and x are captured.
Value recurrent(ir::Builder& b, Value n, Value h, Value w, Value x) {
  return repeat(b, n, {h}, [&](ir::Builder& c, Value i, Values v) -> List {
    const Value zero = integer(c, 0);
    const Value row = ops::reshape(c, ops::dynamic_slice(c, x, {i, zero, zero}, {1, 2, 3}), {2, 3});
    return {ops::tanh(c, ops::add(c, ops::matmul(c, v[0], w), row))};
  })[0];
}

TEST(LoopGradientTest, KnownTripCountWithCapturedWeightsAndSequence) {
  const BuildLoss loss = [](ir::Builder& b, Values v) {
    return total(b, recurrent(b, integer(b, 5), v[0], v[1], v[2]));
  };
  EXPECT_EQ(check_gradient(loss, {tensor({2, 3}, 1), tensor({3, 3}, 2), tensor({5, 2, 3}, 3)}), "");
}

TEST(LoopGradientTest, RunTimeTripCountsFromNoneToSeveralCheckpoints) {
  const BuildLoss loss = [](ir::Builder& b, Values v) {
    return total(b, recurrent(b, v[3], v[0], v[1], v[2]));
  };
  for (std::int32_t n : {0, 1, 2, 7}) {
    EXPECT_EQ(check_gradient(loss, {tensor({2, 3}, 1), tensor({3, 3}, 2), tensor({7, 2, 3}, 3), count(n)}),
              "")
        << n;
  }
}

/// x -> x + sin(x) / 1000 + c, n times; each level of checkpoints is used beyond 128 and 128^2 iterations.
TEST(LoopGradientTest, LongRunTimeTripCounts) {
  ir::Function function;
  function.name = "main";
  const Value x = function.body.add_argument({DType::kF64, {}}),
              c = function.body.add_argument({DType::kF64, {}});
  const Value n = function.body.add_argument({DType::kI32, {}});
  ir::Builder b(function.body);
  const Value loss = repeat(b, n, {x}, [&](ir::Builder& inner, Value, Values v) -> List {
    const Value part = ops::multiply(inner, ops::sine(inner, v[0]), ops::scalar(inner, DType::kF64, 1e-3));
    return {ops::add(inner, ops::add(inner, v[0], part), c)};
  })[0];
  function.body.set_results(transform::gradient(b, loss, List{x, c}));
  ir::verify(function);
  for (std::int32_t length : {127, 128, 129, 300, 17000}) {
    double value = 0.3, dx = 1, dc = 0;
    for (std::int32_t i = 0; i < length; ++i) {
      const double slope = 1 + 1e-3 * std::cos(value);
      dx *= slope, dc = dc * slope + 1, value += 1e-3 * std::sin(value) + 0.1;
    }
    const ir::Literal arguments[] = {ir::Literal::scalar(DType::kF64, 0.3),
                                     ir::Literal::scalar(DType::kF64, 0.1), count(length)};
    const auto gradients = backends::reference::evaluate(function, arguments);
    EXPECT_NEAR(gradients[0].at(0), dx, 1e-9 * std::fabs(dx)) << length;
    EXPECT_NEAR(gradients[1].at(0), dc, 1e-9 * std::fabs(dc)) << length;
  }
}

TEST(LoopGradientTest, CountersThatRunDownOrSkipOrIncludeTheBound) {
  struct Counter {
    double init, bound, step;
    ops::ComparisonDirection direction;
    bool bound_first;
  };
  using enum ops::ComparisonDirection;
  for (const Counter& counter : {Counter{5, 0, -1, kGt, false},
                                 {5, 0, -2, kGe, false},
                                 {1, 8, 3, kLe, false},
                                 {1, 7, 3, kLt, false},
                                 {0, 4, 1, kGt, true},
                                 {0, 4, 2, kGe, true},
                                 {4, 1, 1, kLt, false}}) {
    for (bool at_run_time : {false, true}) {
      const BuildLoss loss = [&](ir::Builder& b, Values v) {
        const Value bound = at_run_time ? v[1] : integer(b, counter.bound);
        return total(b, ops::while_(
                            b, {v[0], integer(b, counter.init)},
                            [&](ir::Builder& c, Values w) {
                              return counter.bound_first ? ops::compare(c, bound, w[1], counter.direction)
                                                         : ops::compare(c, w[1], bound, counter.direction);
                            },
                            [&](ir::Builder& c, Values w) {
                              const Value i =
                                  ops::broadcast_scalar(c, ops::convert(c, w[1], DType::kF64), {3});
                              return List{ops::sine(c, ops::multiply(c, w[0], i)),
                                          ops::add(c, integer(c, counter.step), w[1])};
                            })[0]);
      };
      EXPECT_EQ(check_gradient(loss, {tensor({3}, 1), count(static_cast<std::int32_t>(counter.bound))}), "")
          << counter.init << " to " << counter.bound << " by " << counter.step;
    }
  }
}

TEST(LoopGradientTest, ALoopUntilAValueIsReached) {
  // No counter: the iterations are counted by running what the condition needs.
  const BuildLoss loss = [](ir::Builder& b, Values v) {
    const List done = ops::while_(
        b, {v[0], v[1]},
        [](ir::Builder& c, Values w) {
          return ops::compare(c, w[0], ops::scalar(c, DType::kF64, 20), ops::ComparisonDirection::kLt);
        },
        [](ir::Builder& c, Values w) {
          return List{ops::multiply(c, w[0], ops::scalar(c, DType::kF64, 1.7)),
                      ops::multiply(c, w[1], ops::sine(c, w[0]))};
        });
    return ops::add(b, done[0], ops::multiply(b, done[1], done[1]));
  };
  EXPECT_EQ(
      check_gradient(loss, {ir::Literal::scalar(DType::kF64, 1.3), ir::Literal::scalar(DType::kF64, 0.8)}),
      "");
}

TEST(LoopGradientTest, LoopsInLoops) {
  for (bool at_run_time : {false, true}) {
    const BuildLoss loss = [&](ir::Builder& b, Values v) {
      const Value outer = at_run_time ? v[2] : integer(b, 3), inner = at_run_time ? v[3] : integer(b, 2);
      return total(b, repeat(b, outer, {v[0]}, [&](ir::Builder& c, Value i, Values w) -> List {
                     const Value scale = ops::broadcast_scalar(c, ops::convert(c, i, DType::kF64), {3});
                     const Value twice =
                         repeat(c, inner, {w[0]}, [&](ir::Builder& d, Value, Values u) -> List {
                           return {ops::tanh(d, ops::add(d, ops::multiply(d, u[0], v[1]), scale))};
                         })[0];
                     return {ops::add(c, twice, ops::multiply(c, w[0], w[0]))};
                   })[0]);
    };
    EXPECT_EQ(check_gradient(loss, {tensor({3}, 1), tensor({3}, 2), count(3), count(2)}), "") << at_run_time;
  }
}

TEST(LoopGradientTest, BranchesInLoops) {
  const BuildLoss loss = [](ir::Builder& b, Values v) {
    return total(b, repeat(b, integer(b, 6), {v[0]}, [&](ir::Builder& c, Value i, Values w) -> List {
                   const Value odd = ops::compare(c, ops::remainder(c, i, integer(c, 2)), integer(c, 1),
                                                  ops::ComparisonDirection::kEq);
                   return ops::if_(
                       c, odd, [&](ir::Builder& d) { return List{ops::multiply(d, w[0], v[1])}; },
                       [&](ir::Builder& d) { return List{ops::sine(d, w[0])}; });
                 })[0]);
  };
  EXPECT_EQ(check_gradient(loss, {tensor({4}, 1), tensor({4}, 2)}), "");
}

TEST(LoopGradientTest, ValuesThatNeverChangeAndValuesThatNobodyReads) {
  const BuildLoss loss = [](ir::Builder& b, Values v) {
    const List done =
        repeat(b, integer(b, 4), {v[0], v[1], v[0]}, [](ir::Builder& c, Value, Values w) -> List {
          return {ops::multiply(c, w[0], ops::sine(c, w[1])), w[1], ops::exponential(c, w[0])};
        });
    return ops::add(b, total(b, done[0]), total(b, ops::multiply(b, done[1], done[1])));
  };
  EXPECT_EQ(check_gradient(loss, {tensor({3}, 1), tensor({3}, 2)}), "");
}

TEST(LoopGradientTest, AWrittenSequence) {
  // y[i] = y[i - 1] * x[i], written into a tensor as a scan does.
  const BuildLoss loss = [](ir::Builder& b, Values v) {
    const List done = repeat(b, integer(b, 4), {v[1], ops::full(b, {DType::kF64, {4, 2}}, 0)},
                             [&](ir::Builder& c, Value i, Values w) -> List {
                               const Value zero = integer(c, 0);
                               const Value row = ops::dynamic_slice(c, v[0], {i, zero}, {1, 2});
                               const Value next = ops::multiply(c, w[0], row);
                               return {next, ops::dynamic_update_slice(c, w[1], next, {i, zero})};
                             });
    return total(b, ops::sine(b, done[1]));
  };
  EXPECT_EQ(check_gradient(loss, {tensor({4, 2}, 1), tensor({1, 2}, 2)}), "");
}

TEST(LoopGradientTest, AnEmbeddingReadInALoop) {
  const ir::Literal ids = ir::Literal::of<std::int32_t>({4}, {2, 0, 2, 1});
  const BuildLoss loss = [](ir::Builder& b, Values v) {
    return total(b, repeat(b, integer(b, 4), {ops::full(b, {DType::kF64, {3}}, 0.5)},
                           [&](ir::Builder& c, Value i, Values w) -> List {
                             const Value id = ops::reshape(c, ops::dynamic_slice(c, v[1], {i}, {1}), {});
                             return {ops::tanh(c, ops::add(c, w[0], ops::gather_rows(c, v[0], id)))};
                           })[0]);
  };
  EXPECT_EQ(check_gradient(loss, {tensor({3, 3}, 1), ids}), "");
}

TEST(LoopGradientTest, NoneFlowsThroughIntegersOrStepFunctions) {
  ir::Function function;
  const Value x = function.body.add_argument({DType::kF64, {}});
  ir::Builder b(function.body);
  const Value done = repeat(b, integer(b, 3), {x}, [](ir::Builder& c, Value, Values v) -> List {
    return {ops::convert(c, ops::convert(c, v[0], DType::kI32), DType::kF64)};
  })[0];
  const Value gradient = transform::gradient(b, done, List{x})[0];
  ASSERT_TRUE(gradient);
  function.name = "main";
  function.body.set_results({gradient});
  const ir::Literal arguments[] = {ir::Literal::scalar(DType::kF64, 2.5)};
  EXPECT_EQ(backends::reference::evaluate(function, arguments)[0].at(0), 0);
}

TEST(BranchGradientTest, BothBranchesAndWhatTheyCapture) {
  for (bool taken : {true, false}) {
    const BuildLoss loss = [](ir::Builder& b, Values v) {
      const List y = ops::if_(
          b, v[2], [&](ir::Builder& c) { return List{ops::multiply(c, v[0], v[1]), v[0]}; },
          [&](ir::Builder& c) { return List{ops::sine(c, v[0]), ops::exponential(c, v[0])}; });
      return total(b, ops::multiply(b, y[0], y[1]));
    };
    EXPECT_EQ(check_gradient(loss, {tensor({3}, 1), tensor({3}, 2), ir::Literal::of<bool>({}, {taken})}), "")
        << taken;
  }
}

TEST(BranchGradientTest, BranchesInBranchesAndALoopInOne) {
  for (std::int32_t which : {0, 1, 2}) {
    const BuildLoss loss = [](ir::Builder& b, Values v) {
      const std::vector<ops::Branch> branches = {
          [&](ir::Builder& c) { return List{ops::tanh(c, ops::multiply(c, v[0], v[1]))}; },
          [&](ir::Builder& c) {
            return repeat(c, integer(c, 3), {v[0]}, [&](ir::Builder& d, Value, Values w) -> List {
              return {ops::sine(d, ops::multiply(d, w[0], v[1]))};
            });
          },
          [&](ir::Builder& c) {
            const Value yes = ops::compare(c, v[2], integer(c, 2), ops::ComparisonDirection::kEq);
            return ops::if_(
                c, yes, [&](ir::Builder& d) { return List{ops::multiply(d, v[1], v[1])}; },
                [&](ir::Builder&) { return List{v[0]}; });
          }};
      return total(b, ops::case_(b, v[2], branches)[0]);
    };
    EXPECT_EQ(check_gradient(loss, {tensor({3}, 1), tensor({3}, 2), count(which)}), "") << which;
  }
}

/// The squared length of a loss's gradient: its own gradient is a second derivative.
BuildLoss squared_gradient(const BuildLoss& loss, std::size_t num_floats) {
  return [=](ir::Builder& b, Values v) {
    const List wrt(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(num_floats));
    Value sum = ops::scalar(b, DType::kF64, 0);
    for (const Value& gradient : transform::gradient(b, loss(b, v), wrt))
      if (gradient) sum = ops::add(b, sum, total(b, ops::multiply(b, gradient, gradient)));
    return sum;
  };
}

TEST(SecondDerivativeTest, ElementwiseDotAndReduce) {
  const BuildLoss loss = [](ir::Builder& b, Values v) {
    const Value y = ops::softmax(b, ops::tanh(b, ops::matmul(b, v[0], v[1])));
    const Value most = ops::reduce_max(b, y, {1});
    return ops::add(b, total(b, ops::log(b, y)), total(b, ops::power(b, most, ops::full(b, most.type(), 3))));
  };
  EXPECT_EQ(
      check_gradient(squared_gradient(loss, 2), {tensor({2, 3}, 1), tensor({3, 4}, 2)}, {.tolerance = 1e-7}),
      "");
}

TEST(SecondDerivativeTest, ConvolutionAndMaxPool) {
  const BuildLoss loss = [](ir::Builder& b, Values v) {
    const Value y = ops::tanh(b, ops::convolution(b, v[0], v[1], ops::channels_last(1),
                                                  {.window_strides = {2}, .padding_low = {1}}));
    return total(b, ops::exponential(b, ops::reduce_window_max(b, y, {.dimensions = {1, 2, 1}})));
  };
  EXPECT_EQ(check_gradient(squared_gradient(loss, 2), {tensor({2, 7, 2}, 1), tensor({3, 2, 2}, 2)},
                           {.tolerance = 1e-7}),
            "");
}

TEST(SecondDerivativeTest, OfALoopWithAKnownTripCount) {
  const BuildLoss loss = [](ir::Builder& b, Values v) {
    return total(b, recurrent(b, integer(b, 3), v[0], v[1], v[2]));
  };
  EXPECT_EQ(check_gradient(squared_gradient(loss, 3),
                           {tensor({2, 3}, 1), tensor({3, 3}, 2), tensor({3, 2, 3}, 3)}, {.tolerance = 1e-7}),
            "");
}

TEST(SecondDerivativeTest, OfALoopWithARunTimeTripCount) {
  const BuildLoss loss = [](ir::Builder& b, Values v) {
    return total(b, repeat(b, v[1], {v[0]}, [](ir::Builder& c, Value, Values w) -> List {
                   return {ops::sine(c, ops::multiply(c, w[0], w[0]))};
                 })[0]);
  };
  for (std::int32_t n : {0, 1, 3})
    EXPECT_EQ(check_gradient(squared_gradient(loss, 1), {tensor({2}, 1), count(n)}, {.tolerance = 1e-7}), "")
        << n;
}

TEST(SecondDerivativeTest, OfABranch) {
  for (bool taken : {true, false}) {
    const BuildLoss loss = [](ir::Builder& b, Values v) {
      return total(
          b, ops::if_(
                 b, v[2], [&](ir::Builder& c) { return List{ops::multiply(c, ops::sine(c, v[0]), v[1])}; },
                 [&](ir::Builder& c) { return List{ops::exponential(c, v[1])}; })[0]);
    };
    EXPECT_EQ(check_gradient(squared_gradient(loss, 2),
                             {tensor({3}, 1), tensor({3}, 2), ir::Literal::of<bool>({}, {taken})},
                             {.tolerance = 1e-7}),
              "")
        << taken;
  }
}

}  // namespace
}  // namespace cornu::inline v0::tests
