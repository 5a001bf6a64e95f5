// Times of planning and compiling generated programs by the CPU engine:
//
//   compile_time FORM NUM_OPS [plan]
//
// prints a line with the milliseconds of planning and of compiling (without the disk cache), the groups of
// the plan and the functions that were compiled for them; "plan" compiles nothing and prints the time of each
// pass. Forms: chain (elementwise ops
// one after the other), wide (independent chains of many shapes), reduces (softmaxes one after the other),
// dots (small products one after the other), dense (layers of a product, a bias and a relu, each with its own
// weights), train (a step of gradient descent of such layers), one (a single op; NUM_OPS programs, mean
// times).
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cornu/backends/cpu/emit/compiled_step.h"
#include "cornu/base/cpu_info.h"
#include "cornu/base/error.h"
#include "cornu/base/thread_pool.h"
#include "cornu/ops/all.h"
#include "cornu/transform/gradient.h"

namespace {

using namespace cornu;
using namespace cornu::backends::cpu;
using ir::Value;
using runtime::ArgumentKind;

/// A program as it is being generated.
struct Generated {
  ir::Function function;
  std::vector<ArgumentKind> kinds = {};
  std::vector<Value> results = {};
  ir::Builder builder{function.body};

  Value argument(ir::Dims dims, ArgumentKind kind = ArgumentKind::kFixed) {
    kinds.push_back(kind);
    return function.body.add_argument({ir::DType::kF32, std::move(dims)});
  }
};

void chain(Generated& g, std::int64_t num_ops) {
  const Value first = g.argument({64, 32});
  Value x = first;
  for (std::int64_t i = 0; i < num_ops; ++i)
    x = i % 4 == 0   ? ops::tanh(g.builder, x)
        : i % 4 == 1 ? ops::add(g.builder, x, first)
        : i % 4 == 2 ? ops::multiply(g.builder, x, first)
                     : ops::negate(g.builder, x);
  g.results = {x};
}

void wide(Generated& g, std::int64_t num_ops) {
  const Value first = g.argument({64, 32});
  for (std::int64_t i = 0; i < num_ops / 3; ++i) {
    const Value part = ops::slice(g.builder, first, {i % 8, 0}, {i % 8 + 1 + i % 50, 32}, {1, 1});
    g.results.push_back(ops::exponential(g.builder, ops::tanh(g.builder, part)));
  }
}

void reduces(Generated& g, std::int64_t num_ops) {
  Value x = g.argument({64, 32});
  for (std::int64_t i = 0; i < num_ops / 4; ++i) {
    const Value e = ops::exponential(g.builder, x);
    const Value sum = ops::reduce_sum(g.builder, e, {1});
    x = ops::divide(g.builder, e, ops::broadcast_in_dim(g.builder, sum, e.dims(), {0}));
  }
  g.results = {x};
}

void dots(Generated& g, std::int64_t num_ops) {
  const Value w = g.argument({8, 8});
  Value x = g.argument({8, 8});
  for (std::int64_t i = 0; i < num_ops / 2; ++i) x = ops::tanh(g.builder, ops::matmul(g.builder, x, w));
  g.results = {x};
}

/// `num_layers` layers; returns their result.
Value add_layers(Generated& g, std::int64_t num_layers, ArgumentKind kind, std::vector<Value>& weights) {
  Value x = g.argument({32, 64});
  for (std::int64_t i = 0; i < num_layers; ++i) {
    weights.push_back(g.argument({64, 64}, kind));
    weights.push_back(g.argument({64}, kind));
    const Value product = ops::matmul(g.builder, x, weights[weights.size() - 2]);
    const Value sum =
        ops::add(g.builder, product, ops::broadcast_in_dim(g.builder, weights.back(), product.dims(), {1}));
    x = ops::maximum(g.builder, sum, ops::full(g.builder, sum.type(), 0));
  }
  return x;
}

void dense(Generated& g, std::int64_t num_ops) {
  std::vector<Value> weights;
  g.results = {add_layers(g, num_ops / 4, ArgumentKind::kFixed, weights)};
}

void train(Generated& g, std::int64_t num_ops) {
  std::vector<Value> weights;
  const Value y = add_layers(g, num_ops / 12, ArgumentKind::kState, weights);
  const Value loss = ops::reduce_sum(g.builder, ops::multiply(g.builder, y, y), {0, 1});
  const std::vector<Value> gradients = transform::gradient(g.builder, loss, weights);
  for (std::size_t i = 0; i < weights.size(); ++i)
    g.results.push_back(ops::subtract(
        g.builder, weights[i],
        ops::multiply(g.builder, gradients[i], ops::full(g.builder, gradients[i].type(), 0.01))));
}

void one(Generated& g, std::int64_t) {
  const Value x = g.argument({4, 4}), y = g.argument({4, 4});
  g.results = {ops::add(g.builder, x, y)};
}

double milliseconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

struct Times {
  double plan = 0, compile = 0;
  int num_groups = 0, num_functions = 0;
};

Times time_once(Generated& g, bool compiles) {
  const Target target = level_target(cpu_isa_level());
  PlanOptions options;
  options.target = target;
  Plan plan;
  Times times;
  auto last = std::chrono::steady_clock::now();
  if (!compiles)
    options.after_pass = [&](std::string_view pass, const Plan&) {
      const auto now = std::chrono::steady_clock::now();
      fmt::print("  {:24} {:9.3f} ms\n", pass, std::chrono::duration<double, std::milli>(now - last).count());
      last = now;
    };
  times.plan = milliseconds([&] { plan = make_plan({&g.function, g.kinds, "generated"}, options); });
  times.num_groups = plan.num_groups;
  if (!compiles) return times;
  ThreadPool pool(default_num_threads());
  std::unique_ptr<CompiledStep> step;
  times.compile = milliseconds([&] { step = compile_step(plan, target, {.pool = &pool}); });
  times.num_functions = step->num_functions();
  return times;
}

}  // namespace

int main(int argc, char** argv) {
  const std::map<std::string_view, void (*)(Generated&, std::int64_t)> forms = {
      {"chain", chain}, {"wide", wide},   {"reduces", reduces}, {"dots", dots},
      {"dense", dense}, {"train", train}, {"one", one}};
  const auto form = argc < 3 ? forms.end() : forms.find(argv[1]);
  if (form == forms.end()) {
    fmt::print(stderr, "usage: compile_time chain|wide|reduces|dots|dense|train|one NUM_OPS [plan]\n");
    return 2;
  }
  const std::int64_t num_ops = std::atoll(argv[2]);
  const bool compiles = argc < 4;
  const int repeats = form->first == "one" ? static_cast<int>(num_ops) : 1;
  Times all;
  for (int i = 0; i <= repeats; ++i) {
    Generated g;
    form->second(g, num_ops);
    g.function.name = "main";
    g.function.body.set_results(g.results);
    const Times times = time_once(g, compiles);
    if (repeats == 1) {
      all = times;
      break;
    }
    if (i == 0) continue;  // the first one also starts LLVM
    all.plan += times.plan / repeats;
    all.compile += times.compile / repeats;
    all.num_groups = times.num_groups;
    all.num_functions = times.num_functions;
  }
  fmt::print("{:8} {:8} ops: plan {:9.3f} ms, compile {:9.3f} ms, {} groups, {} functions\n", form->first,
             num_ops, all.plan, all.compile, all.num_groups, all.num_functions);
  return 0;
}
