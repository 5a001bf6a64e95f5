#include <gtest/gtest.h>

#include <optional>
#include <utility>

#include "cornu/backends/cpu/plan/plan.h"
#include "cornu/backends/cpu/programs_test_support.h"
#include "cornu/backends/cpu/step_test_support.h"
#include "cornu/transform/rewrite.h"

// Loops and branches in native code: against the reference backend, and against the loop over steps.
namespace cornu::inline v0::backends::cpu {
namespace {

using ir::DType;
using ir::Literal;
using ir::Value;
using runtime::ArgumentKind;
using Values = std::span<const Value>;
using Results = std::vector<Value>;

Literal numbers(const ir::Dims& dims, float first = 0.25F) {
  Literal literal(ir::TensorType{DType::kF32, dims});
  for (float& x : literal.mutable_data<float>()) x = first += 0.5F;
  return literal;
}

Value index(ir::Builder& b, std::int64_t i) { return ops::scalar(b, DType::kI32, static_cast<double>(i)); }

/// Runs `body` on carried values `bound` times; carried[0] is the counter.
Results repeat(ir::Builder& b, Value bound, Results initial,
               const std::function<Results(ir::Builder&, Value i, Values carried)>& body) {
  initial.insert(initial.begin(), index(b, 0));
  const Results out = ops::while_(
      b, initial,
      [&](ir::Builder& c, Values v) { return ops::compare(c, v[0], bound, ops::ComparisonDirection::kLt); },
      [&](ir::Builder& c, Values v) {
        Results next = body(c, v[0], v.subspan(1));
        next.insert(next.begin(), ops::add(c, v[0], index(c, 1)));
        return next;
      });
  return {out.begin() + 1, out.end()};
}

TEST(RegionsTest, ALoopWithARunTimeBoundRunsThatManyTimes) {
  for (const int bound : {0, 1, 7})
    expect_as_reference(
        {numbers({5}), Literal::of<std::int32_t>({}, {bound})}, [](ir::Builder& b, Values x) -> Results {
          return repeat(b, x[1], {x[0]}, [&](ir::Builder& c, Value, Values v) -> Results {
            return {ops::add(c, ops::multiply(c, v[0], ops::full(c, v[0].type(), 0.5)), x[0])};
          });
        });
}

TEST(RegionsTest, CarriedValuesThatSwapKeepTheirContents) {
  expect_as_reference({numbers({4}), numbers({4}, 9), Literal::of<std::int32_t>({}, {3})},
                      [](ir::Builder& b, Values x) -> Results {
                        return repeat(b, x[2], {x[0], x[1]}, [](ir::Builder& c, Value, Values v) -> Results {
                          return {v[1], ops::add(c, v[0], v[1])};
                        });
                      });
}

TEST(RegionsTest, InitialValuesMayBeConstantsViewsAndTheSameTwice) {
  expect_as_reference({numbers({2, 3}), Literal::of<std::int32_t>({}, {4})},
                      [](ir::Builder& b, Values x) -> Results {
                        const Value zeros = ops::full(b, x[0].type(), 0);
                        const Value turned = ops::transpose(b, ops::transpose(b, x[0], {1, 0}), {1, 0});
                        const Value grown = ops::tanh(b, x[0]);
                        return repeat(b, x[1],
                                      {zeros, turned, grown, grown,
                                       ops::broadcast_in_dim(b, ops::reduce_sum(b, grown, {0}), {2, 3}, {1})},
                                      [&](ir::Builder& c, Value, Values v) -> Results {
                                        return {ops::add(c, v[0], v[1]), ops::negate(c, v[1]),
                                                ops::add(c, v[2], v[3]), ops::add(c, v[3], grown), v[0]};
                                      });
                      });
}

TEST(RegionsTest, ValuesThatALoopHandsOnAreReadInPlace) {
  expect_as_reference(
      {numbers({3, 3}), numbers({3}), Literal::of<std::int32_t>({}, {5})},
      [](ir::Builder& b, Values x) -> Results {
        const Results out = repeat(
            b, x[2], {x[1], x[0], ops::full(b, {DType::kF32, {3}}, 0.125)},
            [](ir::Builder& c, Value, Values v) -> Results {
              return {ops::multiply(
                          c,
                          ops::reduce_sum(
                              c, ops::multiply(c, v[1], ops::broadcast_in_dim(c, v[0], {3, 3}, {1})), {1}),
                          v[2]),
                      v[1], v[2]};
            });
        return {out[0], ops::add(b, out[1], out[1]), out[2]};
      });
}

TEST(RegionsTest, LoopsNestAndCaptureFromEveryLevel) {
  expect_as_reference(
      {numbers({4, 6}), Literal::of<std::int32_t>({}, {3})}, [](ir::Builder& b, Values x) -> Results {
        const Value scaled = ops::tanh(b, x[0]);
        return repeat(b, x[1], {x[0]}, [&](ir::Builder& c, Value i, Values v) -> Results {
          const Value rows = ops::reduce_sum(c, v[0], {1});
          const Results inner = repeat(
              c, ops::add(c, i, index(c, 1)), {rows}, [&](ir::Builder& d, Value j, Values w) -> Results {
                const Value factor = ops::broadcast_in_dim(d, ops::convert(d, j, DType::kF32), {4}, {});
                return {ops::add(d, ops::tanh(d, ops::add(d, w[0], factor)),
                                 ops::reduce_max(d, ops::multiply(d, scaled, v[0]), {1}))};
              });
          return {ops::add(c, v[0], ops::broadcast_in_dim(c, inner[0], {4, 6}, {0}))};
        });
      });
}

TEST(RegionsTest, DotsAndRandomNumbersRunInsideLoops) {
  expect_as_reference(
      {numbers({6, 6}, -9), Literal::of<std::int32_t>({}, {4})}, [](ir::Builder& b, Values x) -> Results {
        const Value key = ops::scalar(b, DType::kU32, 7);
        return repeat(
            b, x[1], {ops::multiply(b, x[0], ops::full(b, x[0].type(), 0.03125))},
            [&](ir::Builder& c, Value i, Values v) -> Results {
              const Value noise =
                  ops::random_uniform(c, key, key, ops::convert(c, i, DType::kU32), v[0].type());
              const Value kept = ops::select(
                  c, ops::compare(c, noise, ops::full(c, v[0].type(), 0.25), ops::ComparisonDirection::kLt),
                  ops::full(c, v[0].type(), 0), v[0]);
              return {ops::maximum(
                  c, ops::matmul(c, ops::transpose(c, kept, {1, 0}), ops::full(c, v[0].type(), 0.125)),
                  v[0])};
            });
      });
}

TEST(RegionsTest, BranchesRunOneSideAndMayHoldLoops) {
  for (const int bound : {0, 3})
    expect_as_reference(
        {numbers({5}), Literal::of<std::int32_t>({}, {bound})}, [](ir::Builder& b, Values x) -> Results {
          const Value many = ops::compare(b, x[1], index(b, 2), ops::ComparisonDirection::kGt);
          return ops::if_(
              b, many,
              [&](ir::Builder& c) -> Results {
                const Results sums = repeat(c, x[1], {x[0]}, [&](ir::Builder& d, Value, Values v) -> Results {
                  return {ops::add(d, v[0], x[0])};
                });
                return {sums[0], x[0]};
              },
              [&](ir::Builder& c) -> Results { return {x[0], ops::negate(c, x[0])}; });
        });
}

TEST(RegionsTest, ABranchInsideALoopSeesTheCarriedValues) {
  expect_as_reference(
      {numbers({5}, -3), Literal::of<std::int32_t>({}, {6})}, [](ir::Builder& b, Values x) -> Results {
        return repeat(
            b, x[1], {x[0], ops::full(b, x[0].type(), 1)}, [&](ir::Builder& c, Value i, Values v) -> Results {
              const Value odd = ops::compare(c, ops::remainder(c, i, index(c, 2)), index(c, 1),
                                             ops::ComparisonDirection::kEq);
              return ops::if_(
                  c, odd, [&](ir::Builder& d) -> Results { return {v[1], ops::add(d, v[0], v[1])}; },
                  [&](ir::Builder& d) -> Results { return {ops::tanh(d, v[0]), v[1]}; });
            });
      });
}

TEST(RegionsTest, ABranchInsideALoopJoinsACarriedValueAndAPartOfItsInitialValue) {
  for (const bool doubles : {false, true})
    expect_as_reference(
        {numbers({40, 33}, -3), numbers({40, 33}, 9), Literal::of<std::int32_t>({}, {doubles ? 1 : 0})},
        [](ir::Builder& b, Values x) -> Results {
          const Value initial = ops::add(b, x[1], x[1]);
          const Value predicate = ops::compare(b, x[2], index(b, 1), ops::ComparisonDirection::kEq);
          const auto body = [&](ir::Builder& c, Value, Values v) -> Results {
            const Value next = ops::if_(
                c, predicate, [&](ir::Builder& d) -> Results { return {ops::add(d, v[1], v[1])}; },
                [&](ir::Builder& d) -> Results {
                  return {ops::concatenate(d,
                                           {ops::slice(d, v[1], {9, 0}, {40, 33}, {1, 1}),
                                            ops::slice(d, initial, {0, 0}, {9, 33}, {1, 1})},
                                           0)};
                })[0];
            return {next, v[0]};
          };
          return {repeat(b, index(b, 3), {x[0], initial}, body)[0]};
        });
}

TEST(RegionsTest, AStateUpdatedInABranchOrALoopIsUpdatedInPlace) {
  ir::Function function;
  function.name = "main";
  const Value w = function.body.add_argument({DType::kF32, {64}});
  const Value v = function.body.add_argument({DType::kF32, {64}});
  const Value good = function.body.add_argument({DType::kI1, {}});
  const Value bound = function.body.add_argument({DType::kI32, {}});
  ir::Builder b(function.body);
  const Results updated = ops::if_(
      b, good, [&](ir::Builder& c) -> Results { return {ops::add(c, w, w)}; },
      [&](ir::Builder&) -> Results { return {w}; });
  const Results looped = repeat(
      b, bound, {v}, [](ir::Builder& c, Value, Values x) -> Results { return {ops::add(c, x[0], x[0])}; });
  function.body.set_results({updated[0], looped[0]});
  const Plan plan =
      make_plan({&function,
                 {ArgumentKind::kState, ArgumentKind::kState, ArgumentKind::kFixed, ArgumentKind::kFixed},
                 "in_place"},
                {});
  EXPECT_LE(plan.arena_bytes, 256U) << plan_str(plan);  // counter and condition only: no copy of a state
}

/// `step` repeated by a loop inside the program: its states are carried, rows are fixed tensors (the same
/// batch in every step).
struct LoopedStep {
  ir::Function function;
  std::vector<ArgumentKind> kinds;
};

void make_looped_step(LoopedStep& looped, const TestStep& step) {
  looped.function.name = "main";
  Results states, others;
  for (std::size_t i = 0; i < step.kinds.size(); ++i) {
    const Value argument = looped.function.body.add_argument(step.function.body.arguments()[i].type());
    const bool state = step.kinds[i] == ArgumentKind::kState;
    (state ? states : others).push_back(argument);
    looped.kinds.push_back(state ? ArgumentKind::kState : ArgumentKind::kFixed);
  }
  const Value bound = looped.function.body.add_argument({DType::kI32, {}});
  looped.kinds.push_back(ArgumentKind::kFixed);
  ir::Builder b(looped.function.body);
  const Results results = repeat(b, bound, states, [&](ir::Builder& c, Value, Values v) {
    transform::ValueMap map;
    std::size_t next_state = 0, next_other = 0;
    for (std::size_t i = 0; i < step.kinds.size(); ++i)
      map[step.function.body.arguments()[i]] =
          step.kinds[i] == ArgumentKind::kState ? v[next_state++] : others[next_other++];
    Results next = transform::clone_ops(c, step.function.body, map);
    next.resize(states.size());
    return next;
  });
  looped.function.body.set_results(results);
}

using StateBytes = std::vector<std::vector<std::byte>>;

/// The state after a program of numbers that are the same for each call ran `num_runs` times. `bound`: what
/// its last argument is.
StateBytes state_after(const runtime::StepProgram& program, int num_threads, std::int64_t num_runs,
                       std::optional<std::int32_t> bound) {
  const auto client = runtime::make_client("cpu", {.num_threads = num_threads});
  std::vector<std::unique_ptr<runtime::Buffer>> owned;
  std::vector<runtime::Buffer*> state, others;
  std::mt19937 random(3);
  const auto arguments = program.step->body.arguments();
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const ir::TensorType& type = arguments[i].type();
    owned.push_back(client->allocate(type));
    if (type.dtype == DType::kF32) {
      std::vector<float> values(static_cast<std::size_t>(type.num_elements()));
      for (float& x : values) x = static_cast<float>(random() % 1000) * 0.001F - 0.5F;
      owned.back()->copy_from_host(values.data());
    }
    if (type.dtype == DType::kI32) {
      const std::int32_t rows = 17;
      owned.back()->copy_from_host(bound.has_value() && i + 1 == arguments.size() ? &*bound : &rows);
    }
    (program.arguments[i] == ArgumentKind::kState ? state : others).push_back(owned.back().get());
  }
  const auto executable = client->compile(program);
  EXPECT_EQ(executable->stats().num_reference_fallbacks, 0);
  runtime::Replica replica;
  replica.state = state;
  replica.fixed = others;
  EXPECT_EQ(executable->run(replica, num_runs), num_runs);
  StateBytes bytes;
  for (runtime::Buffer* buffer : state) {
    bytes.emplace_back(buffer->type().size_bytes());
    buffer->copy_to_host(bytes.back().data());
  }
  return bytes;
}

TEST(RegionsTest, ALoopOverATrainingStepGivesTheBitsOfTheLoopOverSteps) {
  TestStep step;
  make_test_step(step, 20, 4, 32, 3);
  LoopedStep looped;
  make_looped_step(looped, step);
  // The same step with the batch as fixed tensors, repeated by the loop over steps.
  std::vector<ArgumentKind> fixed = step.kinds;
  for (ArgumentKind& kind : fixed)
    if (kind != ArgumentKind::kState) kind = ArgumentKind::kFixed;
  ir::Function plain;
  plain.name = "main";
  transform::ValueMap map;
  for (const Value& argument : step.function.body.arguments())
    map[argument] = plain.body.add_argument(argument.type());
  ir::Builder b(plain.body);
  Results results = transform::clone_ops(b, step.function.body, map);
  results.pop_back();  // the output
  plain.body.set_results(results);

  constexpr std::int32_t kSteps = 9;
  std::vector<StateBytes> outcomes;
  for (const int threads : {1, 3}) {
    outcomes.push_back(state_after({&plain, fixed, "plain"}, threads, kSteps, std::nullopt));
    outcomes.push_back(state_after({&looped.function, looped.kinds, "looped"}, threads, 1, kSteps));
  }
  for (const StateBytes& outcome : outcomes) EXPECT_EQ(outcome, outcomes[0]);
}

TEST(RegionsTest, ALoopReadsSlicesOfOuterTensorsInProductsAndElsewhere) {
  expect_as_reference(
      {numbers({4, 3, 8}), numbers({8, 20}), numbers({3, 4}), Literal::of<std::int32_t>({}, {4})},
      [](ir::Builder& b, Values x) -> Results {
        const Value outer = ops::slice(b, x[1], {0, 0}, {8, 4}, {1, 1});
        return repeat(b, x[3], {x[2]}, [&](ir::Builder& c, Value i, Values v) -> Results {
          const Value row =
              ops::reshape(c, ops::dynamic_slice(c, x[0], {i, index(c, 0), index(c, 0)}, {1, 3, 8}), {3, 8});
          const Value part = ops::slice(c, x[1], {0, 4}, {8, 20}, {1, 4});
          const Value inner = ops::concatenate(
              c, {ops::slice(c, part, {0, 0}, {8, 1}, {1, 1}), ops::slice(c, x[1], {0, 0}, {8, 3}, {1, 1})},
              1);
          const Value sum = ops::reduce_sum(c, ops::tanh(c, row), {1});
          const Value product =
              ops::add(c, ops::matmul(c, row, outer), ops::matmul(c, ops::tanh(c, row), inner));
          return {ops::tanh(
              c, ops::add(c, ops::add(c, v[0], product), ops::broadcast_in_dim(c, sum, {3, 4}, {0})))};
        });
      });
}

TEST(RegionsTest, AStackThatALoopFillsNeedsNoInitialValues) {
  // All of 4 rows forward or backward, and 3 of them.
  for (const auto& [bound, is_backward] : {std::pair(4, false), {4, true}, {3, false}})
    expect_as_reference({numbers({4, 40}), numbers({40})}, [&](ir::Builder& b, Values x) -> Results {
      return repeat(b, index(b, bound), {x[0], x[1]}, [&](ir::Builder& c, Value i, Values v) -> Results {
        const Value at = is_backward ? ops::subtract(c, index(c, 3), i) : i;
        const Value row = ops::reshape(c, v[1], {1, 40});
        return {ops::dynamic_update_slice(c, v[0], row, {at, index(c, 0)}), ops::tanh(c, v[1])};
      });
    });
}

TEST(RegionsTest, AStackWhoseIndexWrapsKeepsTheRowsThatTheLoopDoesNotWrite) {
  // Indices of 8 bits are clamped to row 0 after 128 iterations.
  expect_as_reference({numbers({200, 3}), numbers({3})}, [](ir::Builder& b, Values x) -> Results {
    const Value zero = ops::scalar(b, DType::kI8, 0);
    return repeat(b, index(b, 200), {x[0], x[1], zero}, [&](ir::Builder& c, Value i, Values v) -> Results {
      const Value row = ops::reshape(c, v[1], {1, 3});
      const Value stack = ops::dynamic_update_slice(c, v[0], row, {ops::convert(c, i, DType::kI8), zero});
      return {stack, ops::tanh(c, v[1]), ops::add(c, v[2], ops::scalar(c, DType::kI8, 1))};
    });
  });
}

}  // namespace
}  // namespace cornu::inline v0::backends::cpu
