#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <functional>
#include <string>

#include "cornu/backends/cpu/step_test_support.h"
#include "cornu/runtime/profiler.h"

// A steady-state step allocates nothing: malloc and its kin are counted, in every thread and for every
// library, while steps run.
namespace {
std::atomic<bool> counting{false};
std::atomic<int> num_allocations{0};
void count() {
  if (counting.load(std::memory_order_relaxed)) num_allocations.fetch_add(1, std::memory_order_relaxed);
}
}  // namespace

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void* malloc(std::size_t size) {
  count();
  return __libc_malloc(size);
}
void* calloc(std::size_t n, std::size_t size) {
  count();
  return __libc_calloc(n, size);
}
void* realloc(void* p, std::size_t size) {
  count();
  return __libc_realloc(p, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  count();
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** p, std::size_t alignment, std::size_t size) {
  count();
  *p = __libc_memalign(alignment, size);
  return *p == nullptr ? 12 : 0;
}
}

namespace cornu::inline v0::backends::cpu {
namespace {

/// Allocations of three executions after a first one.
int allocations_of_steps(const TestStep& step, std::int64_t steps_per_execution) {
  const auto client = runtime::make_client("cpu");
  const auto executable = client->compile({&step.function, step.kinds, "test_step"});
  std::vector<std::unique_ptr<runtime::Buffer>> owned;
  std::vector<runtime::Buffer*> state;
  for (std::size_t i = 0; i < 5; ++i) {
    owned.push_back(client->allocate(step.function.body.arguments()[i].type()));
    state.push_back(owned.back().get());
  }
  constexpr std::int64_t kRows = 50;
  const std::vector<float> data(static_cast<std::size_t>(kRows * step.features), 0.5F);
  const std::byte* const rows[] = {reinterpret_cast<const std::byte*>(data.data()),
                                   reinterpret_cast<const std::byte*>(data.data())};
  const std::vector<std::int64_t> indices(static_cast<std::size_t>(steps_per_execution * step.batch), 3);
  std::vector<float> predictions(static_cast<std::size_t>(steps_per_execution * step.batch * step.outputs));
  std::byte* const outputs[] = {reinterpret_cast<std::byte*>(predictions.data())};
  runtime::Replica replica;
  replica.state = state;
  replica.rows = rows;
  replica.row_indices = indices.data();
  replica.num_rows = steps_per_execution * step.batch;
  replica.outputs = outputs;
  executable->run(replica, steps_per_execution);
  num_allocations = 0;
  counting = true;
  for (int i = 0; i < 3; ++i) executable->run(replica, steps_per_execution);
  counting = false;
  return num_allocations.load();
}

/// Of two executions of a program after a first one; all arguments are fixed zeros.
int allocations_of(const std::vector<ir::TensorType>& inputs,
                   const std::function<ir::Value(ir::Builder&, const std::vector<ir::Value>&)>& build,
                   const std::string& isa = "") {
  const auto client = runtime::make_client("cpu", {.num_threads = 3, .isa = isa});
  ir::Function function;
  function.name = "main";
  std::vector<ir::Value> arguments;
  std::vector<std::unique_ptr<runtime::Buffer>> owned;
  std::vector<runtime::Buffer*> fixed;
  for (const ir::TensorType& input : inputs) {
    arguments.push_back(function.body.add_argument(input));
    owned.push_back(client->allocate(input));
    fixed.push_back(owned.back().get());
  }
  ir::Builder b(function.body);
  const ir::Value result = build(b, arguments);
  function.body.set_results({result});
  const auto executable = client->compile(
      {&function, std::vector<runtime::ArgumentKind>(inputs.size(), runtime::ArgumentKind::kFixed),
       "kernel"});
  EXPECT_EQ(executable->stats().num_reference_fallbacks, 0);
  std::vector<std::byte> output(result.type().size_bytes());
  std::byte* const outputs[] = {output.data()};
  runtime::Replica replica;
  replica.fixed = fixed;
  replica.outputs = outputs;
  executable->run(replica);
  num_allocations = 0;
  counting = true;
  for (int i = 0; i < 2; ++i) executable->run(replica);
  counting = false;
  return num_allocations.load();
}

TEST(AllocationsTest, KernelsOfTheEngineAllocateNothing) {
  using ir::DType;
  const auto convolve = [](const ops::ConvolutionOptions& options) {
    return [=](ir::Builder& b, const std::vector<ir::Value>& v) {
      return ops::convolution(b, v[0], v[1], ops::channels_last(2), options);
    };
  };
  const auto inputs = [](DType dtype) {
    return std::vector<ir::TensorType>{{dtype, {4, 8, 8, 16}}, {dtype, {3, 3, 16, 32}}};
  };
  for (const DType dtype : {DType::kF16, DType::kBF16, DType::kF32})  // by our own kernels
    EXPECT_EQ(
        allocations_of(inputs(dtype), convolve({.padding_low = {1, 1}, .padding_high = {1, 1}}), "sse2"), 0);
  // oneDNN's own allocations are counted too: a kernel that must be turned round costs no more of them.
  ops::ConvolutionOptions transposed = {
      .padding_low = {2, 2}, .padding_high = {1, 2}, .lhs_dilation = {2, 2}};
  const int turned = allocations_of(inputs(DType::kF32), convolve(transposed));
  transposed.window_reversal = {1, 1};
  EXPECT_EQ(turned, allocations_of(inputs(DType::kF32), convolve(transposed)));
  const ir::TensorType lines{DType::kF32, {64, 300}};
  // By two keys: no order that the kernel knows.
  const auto by_two_keys = [](ir::Builder& b, std::span<const ir::Value> v) {
    const auto less = [&](std::size_t i) {
      return ops::compare(b, v[i], v[i + 1], ops::ComparisonDirection::kLt);
    };
    const ir::Value equal = ops::compare(b, v[0], v[1], ops::ComparisonDirection::kEq);
    return ops::or_(b, less(0), ops::and_(b, equal, less(2)));
  };
  EXPECT_EQ(allocations_of({lines, lines},
                           [&](ir::Builder& b, const std::vector<ir::Value>& v) {
                             return ops::sort(b, v, by_two_keys, {.dimension = 1})[0];
                           }),
            0);
  EXPECT_EQ(allocations_of({lines},
                           [](ir::Builder& b, const std::vector<ir::Value>& v) {
                             return ops::sort_ascending(b, v[0], 1);
                           }),
            0);
}

TEST(AllocationsTest, TheCounterCounts) {
  num_allocations = 0;
  counting = true;
  // Called by name, it may not be left out, as that of a vector nobody reads may.
  ::operator delete(::operator new(1000));
  counting = false;
  EXPECT_GE(num_allocations.load(), 1);
}

TEST(AllocationsTest, TinyStepAllocatesNothing) {
  TestStep step;
  make_test_step(step, 20, 4, 32, 3);
  EXPECT_EQ(allocations_of_steps(step, 1), 0);
  EXPECT_EQ(allocations_of_steps(step, 50), 0);
}

TEST(AllocationsTest, ParallelStepWithLibraryDotsAllocatesNothing) {
  TestStep step;
  make_test_step(step, 128, 256, 512, 10);
  EXPECT_EQ(allocations_of_steps(step, 5), 0);
}

TEST(AllocationsTest, AMeasuredStepAllocatesNothing) {
  TestStep step;
  make_test_step(step, 20, 4, 32, 3);
  // Without a trace, which grows with each execution.
  runtime::Profiler profiler({.max_events = 0});
  profiler.start();
  EXPECT_EQ(allocations_of_steps(step, 1), 0);
  EXPECT_EQ(profiler.num_executions(), 4);
}

}  // namespace
}  // namespace cornu::inline v0::backends::cpu
