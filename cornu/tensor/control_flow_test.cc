#include "cornu/tensor/control_flow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "cornu/base/error.h"
#include "cornu/base/error_test_support.h"
#include "cornu/tensor/function.h"
#include "cornu/tensor/gradient_tape.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/random.h"
#include "cornu/tensor/trace/trace.h"

namespace cornu::inline v0 {
namespace {

Tensor f32(float value) { return Tensor::of<float>({}, {value}); }
Tensor i32(std::int32_t value) { return Tensor::of<std::int32_t>({}, {value}); }
Tensor vector_of(std::initializer_list<float> values) {
  return Tensor::of<float>({static_cast<std::int64_t>(values.size())}, values);
}
std::vector<double> values_of(const Tensor& x) {
  std::vector<double> values;
  for (std::int64_t i = 0; i < x.num_elements(); ++i) values.push_back(x.at(i));
  return values;
}

/// Runs `f` at once and as a traced program: both must agree. Returns the traced results.
template <typename F, typename... Arguments>
auto both_ways(F f, const Arguments&... arguments) {
  const auto now = f(arguments...);
  auto traced = function(f)(arguments...);
  const auto a = detail::tensors_of(now), b = detail::tensors_of(traced);
  EXPECT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    EXPECT_EQ(type_str(a[i].type()), type_str(b[i].type())) << i;
    EXPECT_EQ(values_of(a[i]), values_of(b[i])) << i;
  }
  return traced;
}

TEST(WhileLoopTest, RepeatsUntilTheConditionFails) {
  const auto collatz = [](const Tensor& start) {
    return while_loop([](const Tensor& n, const Tensor&) { return ops::greater(n, 1); },
                      [](const Tensor& n, const Tensor& steps) {
                        const Tensor half = ops::cast(ops::floor(n / 2), DType::kI32);
                        const Tensor is_even = ops::equal(half * 2, n);
                        return std::tuple(ops::where(is_even, half, 3 * n + 1), steps + 1);
                      },
                      std::tuple(start, Tensor(0)));
  };
  EXPECT_EQ(std::get<1>(both_ways(collatz, i32(27))).item<int>(), 111);
  EXPECT_EQ(std::get<1>(both_ways(collatz, i32(1))).item<int>(), 0);
}

TEST(WhileLoopTest, TakesOneTensorAVectorOrAStruct) {
  struct State {
    Tensor i, sum;
  };
  const auto one = [](const Tensor& x) {
    return while_loop([](const Tensor& v) { return ops::less(v, 100.0F); },
                      [](const Tensor& v) { return v * 2.0F; }, x);
  };
  EXPECT_EQ(both_ways(one, f32(3)).item<float>(), 192);
  const auto many = [](const Tensor& x) {
    return while_loop([](const std::vector<Tensor>& v) { return ops::less(v[0], 3); },
                      [](const std::vector<Tensor>& v) { return std::vector{v[0] + 1, v[1] + v[2], v[1]}; },
                      std::vector<Tensor>{0, x, x});
  };
  EXPECT_EQ(both_ways(many, f32(1))[1].item<float>(), 5);
  const auto state = [](const Tensor& x) {
    return while_loop([](const State& s) { return ops::less(s.i, 4); },
                      [&](const State& s) { return State{s.i + 1, s.sum + x}; }, State{0, f32(0)});
  };
  EXPECT_EQ(both_ways(state, f32(2.5F)).sum.item<float>(), 10);
}

TEST(WhileLoopTest, StopsAtTheMaximumOfIterations) {
  const auto bounded = [](const Tensor& maximum) {
    return while_loop([](const Tensor&) { return true; }, [](const Tensor& x) { return x + 1; }, Tensor(0),
                      {.maximum_iterations = maximum});
  };
  EXPECT_EQ(both_ways(bounded, i32(7)).item<int>(), 7);
  EXPECT_EQ(both_ways(bounded, i32(0)).item<int>(), 0);
}

TEST(WhileLoopTest, AVariableThatTheBodyAssignsIsCarried) {
  const auto run = [](bool traced) {
    const Variable total(ir::Literal::scalar(DType::kF32, 1), {.name = "total"}),
        step(ir::Literal::scalar(DType::kF32, 2));
    const Variable last(ir::Literal::scalar(DType::kF32, -1));
    const auto f = [&](const Tensor& n) {
      fori_loop(0, n, [&](const Tensor& i) {
        total.assign(total + step);
        last.assign(ops::cast(i, DType::kF32));
      });
      return total + 0.5F;
    };
    const Tensor result = traced ? function(f)(i32(4)) : f(i32(4));
    return std::vector<float>{result.item<float>(), total.value().item<float>(), step.value().item<float>(),
                              last.value().item<float>()};
  };
  EXPECT_EQ(run(false), (std::vector<float>{9.5F, 9, 2, 3}));
  EXPECT_EQ(run(true), (std::vector<float>{9.5F, 9, 2, 3}));
}

TEST(WhileLoopTest, LoopsAndBranchesNest) {
  const auto f = [](const Tensor& n) {
    const Variable odd(ir::Literal::scalar(DType::kI32, 0)), even(ir::Literal::scalar(DType::kI32, 0));
    fori_loop(0, n, [&](const Tensor& i) {
      fori_loop(0, i, [&](const Tensor& j) {
        const Tensor half = ops::cast(ops::floor(j / 2), DType::kI32);
        cond(ops::equal(half * 2, j), [&] { even.assign(even + i); }, [&] { odd.assign(odd + j); });
      });
    });
    return std::tuple(odd.value(), even.value());
  };
  int odd = 0, even = 0;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < i; ++j) (j % 2 == 0 ? even : odd) += j % 2 == 0 ? i : j;
  const auto [traced_odd, traced_even] = both_ways(f, i32(6));
  EXPECT_EQ(traced_odd.item<int>(), odd);
  EXPECT_EQ(traced_even.item<int>(), even);
}

TEST(WhileLoopTest, RandomNumbersAdvanceWithEachIteration) {
  const auto draw = [](bool traced) {
    const SeedGenerator generator(7);
    const auto f = [&](const Tensor& n) {
      return scan(
                 [&](const Tensor& carry, const Tensor&) {
                   return std::pair(
                       carry, ops::random_uniform(generator.key0(), generator.key1(), generator.next(), {2}));
                 },
                 n, Tensor::zeros({3}))
          .second;
    };
    return values_of(traced ? function(f)(f32(0)) : f(f32(0)));
  };
  const std::vector<double> values = draw(true);
  EXPECT_EQ(values, draw(false));
  EXPECT_EQ(std::set<double>(values.begin(), values.end()).size(), 6u);
}

TEST(WhileLoopTest, NamesTheLoopVariableThatChanges) {
  const auto f = function([](const Tensor& x) {
    return while_loop(
        [](const Tensor&, const Tensor&) { return true; },
        [](const Tensor& i, const Tensor& y) { return std::tuple(i + 1, ops::expand_dims(y, 0)); },
        std::tuple(Tensor(0), x), {.names = {"i", "y"}});
  });
  EXPECT_EQ(error_text_of([&] { f(vector_of({1, 2})); }),
            "[while_loop] loop variable \"y\" goes into the body as (2,) float32 and comes out as (1, 2) "
            "float32; shapes and dtypes must stay");
  EXPECT_EQ(error_text_of([] {
              while_loop([](const Tensor&) { return true; }, [](const Tensor& x) { return x + f32(1); },
                         Tensor(0));
            }),
            "[while_loop] loop variable 0 goes into the body as () int32 and comes out as () float32; shapes "
            "and dtypes must stay");
}

TEST(WhileLoopTest, NumbersTakeTheDtypeOfTheLoopVariableOrAreRefused) {
  const auto ends_as = [](double number) {
    return [number](const Tensor& start) {
      return fori_loop(0, 2, [&](const Tensor&, const Tensor&) { return Tensor(number); }, start);
    };
  };
  EXPECT_EQ(both_ways(ends_as(0.1), Tensor::of<double>({}, {1})).item<double>(), 0.1);
  const auto integer = [](const Tensor& start) {
    return fori_loop(0, 2, [](const Tensor&, const Tensor&) { return Tensor(7); }, start);
  };
  EXPECT_EQ(both_ways(integer, f32(1)).item<float>(), 7);
  const std::string refused =
      " goes into the body as () int32 and comes out as the number 2.75 (float32), which int32 does not "
      "hold; cast what goes in, or the number";
  const auto of_while = [](const Tensor& start) {
    return while_loop([](const Tensor& x) { return ops::less(x, 2); },
                      [](const Tensor&) { return Tensor(2.75); }, start);
  };
  const auto of_number = [&](const Tensor&) { return ends_as(2.75)(0); };
  const auto of_scan = [](const Tensor& start) {
    return scan([](const Tensor&, const Tensor& row) { return std::pair(Tensor(2.75), row); }, start,
                vector_of({1, 2}))
        .first;
  };
  EXPECT_EQ(error_text_of([&] { ends_as(2.75)(i32(1)); }), "[fori_loop] loop variable \"0\"" + refused);
  EXPECT_EQ(error_text_of([&] { function(ends_as(2.75))(i32(1)); }),
            "[fori_loop] loop variable \"0\"" + refused);
  EXPECT_EQ(error_text_of([&] { of_number(i32(1)); }), "[fori_loop] loop variable \"0\"" + refused);
  EXPECT_EQ(error_text_of([&] { function(of_number)(i32(1)); }), "[fori_loop] loop variable \"0\"" + refused);
  EXPECT_EQ(error_text_of([&] { of_while(i32(1)); }), "[while_loop] loop variable 0" + refused);
  EXPECT_EQ(error_text_of([&] { function(of_while)(i32(1)); }), "[while_loop] loop variable 0" + refused);
  EXPECT_EQ(error_text_of([&] { of_scan(i32(1)); }), "[scan] loop variable 0" + refused);
  EXPECT_EQ(error_text_of([&] { function(of_scan)(i32(1)); }), "[scan] loop variable 0" + refused);
}

TEST(WhileLoopTest, RefusesOddConditions) {
  const auto not_scalar = function([](const Tensor& x) {
    return while_loop([](const Tensor& v) { return ops::less(v, 1); }, [](const Tensor& v) { return v; }, x);
  });
  EXPECT_EQ(error_text_of([&] { not_scalar(vector_of({1, 2})); }),
            "[while_loop] the condition must be a boolean scalar; got (2,) bool");
  const Variable v(ir::Literal::scalar(DType::kF32, 1), {.name = "v"});
  const auto assigns = function([&](const Tensor& x) {
    return while_loop(
        [&](const Tensor&) {
          v.assign(v + 1.0F);
          return ops::less(v, 3.0F);
        },
        [](const Tensor& y) { return y; }, x);
  });
  EXPECT_EQ(error_text_of([&] { assigns(f32(1)); }),
            "[the condition of while_loop] variable \"v\" is assigned, which is possible in loop bodies and "
            "branches only");
}

TEST(WhileLoopTest, WhatABodyMakesCannotLeakOutOfIt) {
  const auto f = function([](const Tensor& n) {
    Tensor leaked;
    fori_loop(0, n, [&](const Tensor& i) { leaked = i + 1; });
    return leaked + 1;
  });
  EXPECT_EQ(error_text_of([&] { f(i32(3)); }),
            "a tensor (() int32) that was made inside a loop body or a branch is used outside of it; make it "
            "a result of the body");
}

TEST(CondTest, TakesOneBranch) {
  const auto f = [](const Tensor& x) {
    return cond(
        ops::less(x, 0.0F), [&] { return std::pair(-x, Tensor(1)); },
        [&] { return std::pair(x, Tensor(2)); });
  };
  EXPECT_EQ(both_ways(f, f32(-3)).first.item<float>(), 3);
  EXPECT_EQ(both_ways(f, f32(-3)).second.item<int>(), 1);
  EXPECT_EQ(both_ways(f, f32(4)).second.item<int>(), 2);
  int calls = 0;
  cond(true, [&] { ++calls; }, [&] { calls += 10; });
  EXPECT_EQ(calls, 1);
}

TEST(CondTest, ANumberIsTrueWhenItIsNotZero) {
  const auto f = [](const Tensor& x) { return cond(x, [] { return i32(1); }, [] { return i32(2); }); };
  for (const Tensor& x : {i32(5), f32(-0.5F), f32(std::nanf("")), Tensor::of<std::uint8_t>({}, {1})})
    EXPECT_EQ(both_ways(f, x).item<int>(), 1) << x.str();
  for (const Tensor& x : {i32(0), f32(0), f32(-0.0F)}) EXPECT_EQ(both_ways(f, x).item<int>(), 2) << x.str();
  EXPECT_EQ(f(3).item<int>(), 1);
}

TEST(CondTest, VariablesThatOneBranchAssignsKeepTheirValueInTheOther) {
  const Variable a(ir::Literal::scalar(DType::kF32, 1)), b(ir::Literal::scalar(DType::kF32, 2));
  const auto f = function([&](const Tensor& x) {
    a.assign(a * 10.0F);
    cond(ops::greater(x, 0.0F), [&] { a.assign(a + x); }, [&] { b.assign(b - x + a); });
    return a + b;
  });
  EXPECT_EQ(f(f32(5)).item<float>(), 17);
  EXPECT_EQ(a.value().item<float>(), 15);
  EXPECT_EQ(b.value().item<float>(), 2);
  EXPECT_EQ(f(f32(-1)).item<float>(), 303);
  EXPECT_EQ(a.value().item<float>(), 150);
  EXPECT_EQ(b.value().item<float>(), 153);
  EXPECT_EQ(f.trace_count(), 1);
}

TEST(CondTest, RefusesBranchesThatDiffer) {
  const auto f = function([](const Tensor& x) {
    return cond(ops::less(ops::sum(x), 0.0F), [&] { return x; }, [&] { return ops::sum(x); });
  });
  EXPECT_EQ(error_text_of([&] { f(vector_of({1, 2})); }),
            "[cond] both branches must return the same types; tensor 0 is (2,) float32 and () float32");
  EXPECT_EQ(error_text_of([] { cond(vector_of({1, 2}), [] {}, [] {}); }),
            "[cond] the predicate must be a scalar; got (2,) float32");
}

using Branches = std::vector<std::function<Tensor(const Tensor&)>>;

/// The branch of the index, in a program, for x = 3; as printed, with its type.
std::string chosen(const Branches& branches, std::int32_t index) {
  const auto f = function([&](const Tensor& i, const Tensor& x) {
    if (branches.size() == 2)
      return cond(ops::equal(i, 0), [&] { return branches[0](x); }, [&] { return branches[1](x); });
    std::vector<std::function<Tensor()>> of_x;
    for (const auto& branch : branches) of_x.emplace_back([&] { return branch(x); });
    return switch_case(i, of_x);
  });
  const Tensor result = f(i32(index), f32(3));
  return result.str() + " " + type_str(result.type());
}

TEST(CondTest, NumbersInBranchesAreNeverCut) {
  const auto number = [](auto value) { return [value](const Tensor&) { return Tensor(value); }; };
  const auto tripled = [](const Tensor& x) { return x * 3; };
  const auto halved = [](const Tensor& x) { return ops::cast(x, DType::kF64) * 0.5; };
  EXPECT_EQ(chosen({number(1), number(2.5)}, 1), "2.5 () float32");
  EXPECT_EQ(chosen({number(2.5), number(1)}, 1), "1.0 () float32");
  EXPECT_EQ(chosen({number(0), tripled}, 0), "0.0 () float32");
  EXPECT_EQ(chosen({number(0), tripled}, 1), "9.0 () float32");
  EXPECT_EQ(chosen({tripled, number(7)}, 1), "7.0 () float32");
  EXPECT_EQ(chosen({number(0.1), halved}, 0), "0.1 () float64");
  EXPECT_EQ(chosen({halved, number(0.1)}, 0), "1.5 () float64");
  const Branches several = {tripled, number(0), number(1), number(0.5)};
  EXPECT_EQ(chosen(several, 0), "9.0 () float32");
  EXPECT_EQ(chosen(several, 1), "0.0 () float32");
  EXPECT_EQ(chosen(several, 3), "0.5 () float32");
  EXPECT_EQ(chosen({number(1), number(2.75), number(3)}, 1), "2.75 () float32");
  EXPECT_EQ(chosen({number(1), number(2), number(std::int64_t{5000000000})}, 2), "5000000000 () int64");
}

TEST(CondTest, RefusesANumberThatTheOtherBranchesDtypeDoesNotHold) {
  const auto number = [](const Tensor&) { return Tensor(2.5); };
  const auto integer = [](const Tensor& x) { return ops::cast(x, DType::kI32); };
  const auto is_large = [](const Tensor& x) { return ops::greater(x, 5); };
  const std::string refused =
      "tensor 0 is () int32 in one branch and the number 2.5 (float32) in another, which int32 does not "
      "hold; cast the tensor or the number";
  EXPECT_EQ(error_text_of([&] { chosen({integer, number}, 0); }), "[cond] " + refused);
  EXPECT_EQ(error_text_of([&] { chosen({number, integer}, 0); }), "[cond] " + refused);
  EXPECT_EQ(error_text_of([&] { chosen({number, integer, integer}, 0); }), "[switch_case] " + refused);
  EXPECT_NE(error_text_of([&] { chosen({is_large, number}, 0); }).find("which bool does not hold"),
            std::string::npos);
  EXPECT_NE(error_text_of([&] {
              chosen({is_large, [](const Tensor&) { return Tensor(7); }}, 0);
            }).find("the number 7 (int32) in another, which bool does not hold"),
            std::string::npos);
}

TEST(ControlFlowGradientTest, ThroughABranchBesideANumber) {
  const auto slope = function([](const Tensor& x) {
    GradientTape tape;
    tape.watch(x);
    const Tensor y = cond(ops::less(x, 0.0F), [] { return Tensor(1); }, [&] { return x * x; });
    return tape.gradient(y, x, {.unconnected_gradients = UnconnectedGradients::kZero});
  });
  EXPECT_EQ(slope(f32(3)).item<float>(), 6);
  EXPECT_EQ(slope(f32(-3)).item<float>(), 0);
}

TEST(SwitchCaseTest, TakesTheBranchOfTheIndexOrTheLast) {
  const auto f = [](const Tensor& index) {
    const std::vector<std::function<Tensor()>> branches = {[] { return f32(10); }, [] { return f32(20); },
                                                           [] { return f32(30); }};
    return switch_case(index, branches);
  };
  for (const std::int32_t index : {0, 1, 2})
    EXPECT_EQ(both_ways(f, i32(index)).item<float>(), static_cast<float>(10 * (index + 1)));
  EXPECT_EQ(both_ways(f, i32(-1)).item<float>(), 30);
  EXPECT_EQ(both_ways(f, i32(5)).item<float>(), 30);
}

TEST(ScanTest, StacksWhatEachRowGives) {
  const auto sums = [](const Tensor& xs) {
    return scan(
        [](const Tensor& sum, const Tensor& x) { return std::pair(sum + x, std::pair(sum, x * 2.0F)); },
        f32(0), xs);
  };
  const auto [last, stacked] = both_ways(sums, vector_of({1, 2, 3, 4}));
  EXPECT_EQ(last.item<float>(), 10);
  EXPECT_EQ(values_of(stacked.first), (std::vector<double>{0, 1, 3, 6}));
  EXPECT_EQ(values_of(stacked.second), (std::vector<double>{2, 4, 6, 8}));
}

TEST(ScanTest, WalksBackwardsOverSeveralArrays) {
  const auto f = [](const Tensor& a, const Tensor& b) {
    return scan(
        [](const Tensor& carry, const std::pair<Tensor, Tensor>& row) {
          return std::pair(carry + row.first, ops::sum(row.second) + carry);
        },
        f32(0), std::pair(a, b), {.reverse = true});
  };
  const auto [last, stacked] =
      both_ways(f, vector_of({1, 2, 3}), Tensor::of<float>({3, 2}, {1, 1, 2, 2, 3, 3}));
  EXPECT_EQ(last.item<float>(), 6);
  EXPECT_EQ(values_of(stacked), (std::vector<double>{7, 7, 6}));
  EXPECT_EQ(error_text_of([&] { f(vector_of({1}), Tensor::zeros({3, 2})); }),
            "[scan] the first extents of xs and length must agree; got 1 and 3");
}

TEST(ScanTest, OfNothingGivesNoRows) {
  const auto f = [](const Tensor& xs) {
    return scan([](const Tensor& carry, const Tensor& x) { return std::pair(carry + ops::sum(x), x * 2.0F); },
                f32(3), xs);
  };
  const auto [last, stacked] = both_ways(f, Tensor::zeros({0, 2}));
  EXPECT_EQ(last.item<float>(), 3);
  EXPECT_EQ(stacked.shape(), (Dims{0, 2}));
}

TEST(MapTest, AppliesAFunctionToEachRow) {
  const auto f = [](const Tensor& xs) { return map([](const Tensor& x) { return ops::sum(x) * 2.0F; }, xs); };
  EXPECT_EQ(values_of(both_ways(f, Tensor::of<float>({2, 2}, {1, 2, 3, 4}))), (std::vector<double>{6, 14}));
}

/// The gradient of sum(f(x)) by a tape around f, at once and in a traced function.
template <typename F>
std::vector<double> gradient_of(F f, const Tensor& x) {
  const auto gradient = [&](Tensor at) {
    GradientTape tape;
    tape.watch(at);
    return tape.gradient(f(at), at);
  };
  return values_of(both_ways(gradient, x));
}

TEST(ControlFlowGradientTest, ThroughALoopWithAKnownCount) {
  const auto cube = [](const Tensor& x) {
    return fori_loop(0, 3, [&](const Tensor&, const Tensor& product) { return product * x; }, f32(1));
  };
  EXPECT_EQ(gradient_of(cube, f32(2)), (std::vector<double>{12}));
}

TEST(ControlFlowGradientTest, ThroughALoopThatEndsAtRunTime) {
  const auto doubled_until_large = [](const Tensor& x) {
    return while_loop([](const Tensor& v) { return ops::less(v, 100.0F); },
                      [](const Tensor& v) { return v * v; }, x);
  };
  EXPECT_EQ(gradient_of(doubled_until_large, f32(3)), (std::vector<double>{17496}));  // x^8 by 3, 9, 81, 6561
  EXPECT_EQ(gradient_of(doubled_until_large, f32(200)), (std::vector<double>{1}));
}

TEST(ControlFlowGradientTest, ThroughABranch) {
  const auto f = [](const Tensor& x) {
    return cond(ops::greater(x, 0.0F), [&] { return x * x; }, [&] { return x * 5.0F; });
  };
  EXPECT_EQ(gradient_of(f, f32(3)), (std::vector<double>{6}));
  EXPECT_EQ(gradient_of(f, f32(-3)), (std::vector<double>{5}));
}

TEST(ControlFlowGradientTest, ThroughAScanAndAMap) {
  const auto products = [](const Tensor& xs) {
    return scan([](const Tensor& product, const Tensor& x) { return std::pair(product * x, product * x); },
                f32(1), xs)
        .second;
  };
  EXPECT_EQ(gradient_of(products, vector_of({2, 3, 4})), (std::vector<double>{1 + 3 + 12, 2 + 8, 6}));
  const auto squares = [](const Tensor& xs) { return map([](const Tensor& x) { return x * x; }, xs); };
  EXPECT_EQ(gradient_of(squares, vector_of({1, 2, 3})), (std::vector<double>{2, 4, 6}));
}

TEST(ControlFlowGradientTest, OfAVariableThatALoopReads) {
  const Variable w(ir::Literal::scalar(DType::kF32, 3), {.name = "w"});
  const auto f = [&](const Tensor& n) {
    GradientTape tape;
    const Tensor power =
        fori_loop(0, n, [&](const Tensor&, const Tensor& product) { return product * w; }, f32(1));
    return tape.gradient(power, w);
  };
  EXPECT_EQ(values_of(both_ways(f, i32(3))), (std::vector<double>{27}));
}

}  // namespace
}  // namespace cornu::inline v0
