// What is default-constructed, null, moved from or in other hands: an error of ours, or it works.
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <thread>

#include "cornu/base/error_test_support.h"
#include "cornu/runtime/host_view.h"
#include "cornu/tensor/function.h"
#include "cornu/tensor/gradient_tape.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/random.h"
#include "cornu/tensor/run/run_op.h"
#include "cornu/tensor/trace/trace.h"
#include "cornu/tensor/value/device.h"

namespace cornu::inline v0 {
namespace {

using Uses = std::vector<std::pair<const char*, std::function<void()>>>;

/// Each throws an Error of this code whose message holds `part`.
void expect_refused(const Uses& uses, ErrorCode code, const std::string& part) {
  for (const auto& [what, use] : uses) {
    SCOPED_TRACE(what);
    expect_error(code, {part}, use);
  }
}
void expect_undefined(const Uses& uses, const char* kind) {
  expect_refused(uses, ErrorCode::kFailedPrecondition,
                 "[" + std::string(kind) + "] this " + kind + " is undefined");
}

Variable a_variable() { return Variable(ir::Literal::scalar(DType::kF32, 3)); }

TEST(UndefinedTest, AVariableSaysSoWhateverIsAskedOfIt) {
  const Variable v;
  const Tensor one(1.0F);
  expect_undefined(
      {{"name", [&] { (void)v.name(); }},
       {"path", [&] { (void)v.path(); }},
       {"type", [&] { (void)v.type(); }},
       {"shape", [&] { (void)v.shape(); }},
       {"trainable", [&] { (void)v.trainable(); }},
       {"set_trainable", [&] { v.set_trainable(false); }},
       {"constraint", [&] { (void)v.constraint(); }},
       {"device", [&] { (void)v.device(); }},
       {"value", [&] { (void)v.value(); }},
       {"assign", [&] { v.assign(one); }},
       {"assign_add", [&] { v.assign_add(one); }},
       {"assign_sub", [&] { v.assign_sub(one); }},
       {"read", [&] { (void)v.read(); }},
       {"load", [&] { v.load(ir::Literal()); }},
       {"buffer", [&] { (void)v.buffer(); }},
       {"arithmetic", [&] { (void)(v + 1.0F); }},
       {"a function's argument", [&] { (void)function([](const Variable& x) { return x * 2.0F; })(v); }},
       {"a function's capture", [&] { (void)function([&](const Tensor& x) { return v * x; })(one); }},
       {"assigned in a function",
        [&] { function([&](const Tensor& x) { v.assign(x); })(Tensor::zeros({}, DType::kF32)); }}},
      "variable");
  EXPECT_FALSE(v.defined());
  EXPECT_TRUE(v == Variable());
}

TEST(UndefinedTest, AVariableThatWasMovedFromIsUndefined) {
  Variable v = a_variable();
  const Variable to = std::move(v);
  expect_undefined({{"value", [&] { (void)v.value(); }}}, "variable");  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(to.value().item<float>(), 3);
  expect_undefined({{"buffer", [&] { (void)to.buffer(Placement(nullptr)); }}}, "client");
}

TEST(UndefinedTest, ATapeRefusesUndefinedSourcesAndTargets) {
  const Variable v = a_variable();
  const auto with_tape = [&](auto use) {
    return [&v, use] {
      GradientTape tape;
      const Tensor y = v * 2.0F;
      use(tape, y);
    };
  };
  for (const bool traced : {false, true}) {
    std::optional<Trace> trace;
    std::optional<Trace::Scope> scope;
    if (traced) scope.emplace(trace.emplace());
    expect_undefined(
        {{"watch", with_tape([](GradientTape& tape, const Tensor&) { tape.watch(Variable()); })},
         {"gradient",
          with_tape([](GradientTape& tape, const Tensor& y) { (void)tape.gradient(y, Variable()); })},
         {"jacobian",
          with_tape([](GradientTape& tape, const Tensor& y) { (void)tape.jacobian(y, Variable()); })}},
        "variable");
    expect_undefined(
        {{"watch", with_tape([](GradientTape& tape, const Tensor&) {
            tape.watch(std::as_const(*std::make_unique<Tensor>()));
          })},
         {"target", with_tape([&](GradientTape& tape, const Tensor&) { (void)tape.gradient(Tensor(), v); })},
         {"gradient",
          with_tape([](GradientTape& tape, const Tensor& y) { (void)tape.gradient(y, Tensor()); })},
         {"jacobian",
          with_tape([](GradientTape& tape, const Tensor& y) { (void)tape.jacobian(y, Tensor()); })}},
        "tensor");
  }
}

TEST(UndefinedTest, AFunctionThatWasMovedFromSaysSo) {
  auto twice = function([](const Tensor& x) { return x * 2.0F; });
  const auto to = std::move(twice);
  expect_undefined({{"call", [&] { (void)twice(Tensor(1.0F)); }},  // NOLINT(bugprone-use-after-move)
                    {"trace_count", [&] { (void)twice.trace_count(); }},
                    {"explain", [&] { (void)twice.explain(); }},
                    {"stablehlo", [&] { (void)twice.stablehlo(); }},
                    {"in a trace",
                     [&] { (void)function([&](const Tensor& x) { return twice(x); })(Tensor::zeros({2})); }}},
                   "function");
  EXPECT_EQ(to(Tensor(2.0F)).item<float>(), 4);
  SeedGenerator seeds(1);
  const SeedGenerator others = std::move(seeds);
  expect_undefined({{"next", [&] { (void)seeds.next(); }}}, "variable");  // NOLINT(bugprone-use-after-move)
}

TEST(UndefinedTest, ATensorOfANullPointerIsRefused) {
  const std::span<const float> nothing(static_cast<const float*>(nullptr), 4);
  expect_refused({{"from_bytes", [&] { (void)Tensor::from_bytes({DType::kF32, {4}}, nullptr, 16, nullptr); }},
                  {"view", [&] { (void)Tensor::view<float>({4}, nothing); }},
                  {"from", [&] { (void)Tensor::from<float>({4}, nothing); }}},
                 ErrorCode::kInvalidArgument, "null pointer");
  EXPECT_EQ(Tensor::from_bytes({DType::kF32, {0}}, nullptr, 0, nullptr).num_elements(), 0);
  expect_refused({{"quantile", [] { (void)normal_quantile(1); }}}, ErrorCode::kInvalidArgument, "p = 1");
}

TEST(UndefinedTest, ViewsOfViewsAreNoChain) {
  Tensor rows = Tensor::of<float>({2}, {1, 2}), constant = rows, masked = rows;
  for (int i = 0; i < 200'000; ++i) {
    rows = rows.rows(0, 2);
    constant = ops::stop_gradient(constant);
    masked = Tensor(1.0F).with_mask(masked);
  }
  EXPECT_EQ(rows.at(1), 2);
  EXPECT_EQ(constant.at(1), 2);
  EXPECT_EQ(masked.mask()->mask(), nullptr);
}

TEST(UndefinedTest, AFinishedTraceTakesNothingMore) {
  Trace trace;
  const Trace::Scope scope(trace);
  const Tensor x = trace.add_parameter({DType::kF32, {2}});
  expect_refused({{"a parameter behind others",
                   [&] {
                     (void)trace.add_rows_argument({DType::kF32, {2, 2}});
                     (void)trace.add_parameter({DType::kF32, {2}});
                   }}},
                 ErrorCode::kFailedPrecondition, "before other arguments");
  (void)trace.finish();
  expect_refused({{"finish", [&] { (void)trace.finish(); }},
                  {"add_parameter", [&] { (void)trace.add_parameter({DType::kF32, {2}}); }},
                  {"an operation", [&] { (void)(x + x); }},
                  {"a variable", [&] { (void)a_variable().value(); }}},
                 ErrorCode::kFailedPrecondition, "the trace is finished");
}

TEST(UndefinedTest, AProgramWithoutAStepIsRefusedByEachBackend) {
  for (const char* platform : {"reference", "cpu"})
    expect_refused({{platform, [&] { (void)runtime::make_client(platform)->compile({}); }}},
                   ErrorCode::kInvalidArgument, "no step");
  expect_undefined({{"a program that was not traced", [] { (void)TracedProgram().step_program(); }}},
                   "program");
}

TEST(UndefinedTest, ABufferRefusesNullHostMemory) {
  for (const char* platform : {"reference", "cpu"}) {
    const auto client = runtime::make_client(platform);  // which outlives its buffers
    const auto buffer = client->allocate({DType::kF32, {2}});
    expect_undefined(
        {{"from", [&] { buffer->copy_from_host(nullptr); }}, {"to", [&] { buffer->copy_to_host(nullptr); }}},
        "host memory");
    EXPECT_NO_THROW(client->allocate({DType::kF32, {0}})->copy_from_host(nullptr));
  }
  std::array<float, 2> values;
  expect_undefined(
      {{"a view of nothing", [&] { runtime::HostView({DType::kF32, {2}}).copy_to_host(values.data()); }}},
      "host memory");
}

TEST(UndefinedTest, ATraceMayGoBeforeItsScope) {
  auto trace = std::make_unique<Trace>();
  const Trace::Scope scope(*trace);
  trace.reset();
  EXPECT_EQ((Tensor(1.0F) + Tensor(2.0F)).item<float>(), 3);
}

TEST(GradientTapeThreadsTest, ATapeMayBeDestroyedOnAnotherThread) {
  const Variable v = a_variable();
  for (const bool traced : {false, true}) {
    std::optional<Trace> trace;
    std::optional<Trace::Scope> scope;
    if (traced) scope.emplace(trace.emplace());
    auto tape = std::make_unique<GradientTape>();
    Tensor y = v * 2.0F;
    std::thread([&] { tape.reset(); }).join();
    for (int i = 0; i < 100; ++i) y = y + v * 2.0F;
    EXPECT_TRUE(detail::op_recorders().empty());
    GradientTape other;
    EXPECT_TRUE(other.gradient(v * v, v).defined());
  }
}

TEST(GradientTapeThreadsTest, WhatATapesThreadRunsMeanwhileIsNoMatter) {
  const Variable v = a_variable();
  for (int i = 0; i < 20; ++i) {
    auto tape = std::make_unique<GradientTape>();
    std::thread ending([&] { tape.reset(); });
    for (int k = 0; k < 50; ++k) (void)(v * 2.0F);
    ending.join();
  }
  (void)v.value();
  EXPECT_TRUE(detail::op_recorders().empty());
}

TEST(GradientTapeThreadsTest, ATapeMayOutliveItsThread) {
  const Variable v = a_variable();
  std::optional<GradientTape> tape;
  Tensor y;
  std::thread([&] {
    tape.emplace();
    y = v * v;
  }).join();
  EXPECT_EQ(tape->gradient(y, v).item<float>(), 6) << "what it recorded holds";
  tape.reset();
  EXPECT_EQ((v * 2.0F).item<float>(), 6);
}

TEST(GradientTapeThreadsTest, ATapeOfAnEndedTraceIsRefused) {
  std::optional<GradientTape> tape;
  {
    Trace trace;
    const Trace::Scope scope(trace);
    tape.emplace();
    (void)(a_variable() * 2.0F);
  }
  expect_refused({{"reset", [&] { tape->reset(); }}}, ErrorCode::kFailedPrecondition,
                 "outside of the function");
}

}  // namespace
}  // namespace cornu::inline v0
