#include <gtest/gtest.h>
#include <malloc.h>

#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <thread>

#include "cornu/base/error.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/sort/sort.h"
#include "cornu/tensor/cpu_options.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/run/eager.h"
#include "cornu/tensor/run/run_op.h"
#include "cornu/tensor/trace/variable.h"
#include "cornu/tensor/value/device.h"

namespace cornu::inline v0 {
namespace {

std::vector<float> floats(const Tensor& tensor) { return tensor.to_vector<float>(); }

Tensor counted_twice(const Tensor& x, std::int64_t attribute, int& num_built) {
  return detail::run_op(detail::OpKey("eager_test_twice", attribute), {&x, 1},
                        [&](ir::Builder& b, std::span<const ir::Value> v) {
                          ++num_built;
                          return ops::add(b, v[0], v[0]);
                        });
}

TEST(EagerTest, AnOperationIsBuiltOnceForAKeyAndInputTypes) {
  int num_built = 0;
  for (int i = 0; i < 5; ++i) EXPECT_EQ(counted_twice(Tensor::of<float>({2}, {1, 2}), 1, num_built).at(1), 4);
  EXPECT_EQ(num_built, 1);
  (void)counted_twice(Tensor::of<float>({3}, {1, 2, 3}), 1, num_built);      // another shape
  (void)counted_twice(Tensor::of<std::int32_t>({2}, {1, 2}), 1, num_built);  // another dtype
  (void)counted_twice(Tensor::of<float>({2}, {1, 2}), 2, num_built);         // another attribute
  EXPECT_EQ(num_built, 4);
  std::thread([&] { (void)counted_twice(Tensor::of<float>({2}, {1, 2}), 1, num_built); }).join();
  EXPECT_EQ(num_built, 4);  // threads share
}

TEST(EagerTest, TheCacheIsBounded) {
  // More shapes than any table holds: the first ones are built again, and everything stays right.
  int num_built = 0;
  for (int round = 0; round < 2; ++round)
    for (std::int64_t n = 1; n <= 5000; ++n)
      ASSERT_EQ(counted_twice(Tensor::zeros({1, n}), 7, num_built).num_elements(), n);
  EXPECT_GT(num_built, 5000);
  EXPECT_LE(num_built, 10000);
}

TEST(EagerTest, TheCacheIsBoundedInMemoryToo) {
  // Kernels of single ops may hold generated code: fewer of them are kept than of loops.
  int num_built = 0;
  for (int round = 0; round < 2; ++round)
    for (std::int64_t n = 1; n <= 1200; ++n)
      (void)detail::run_op(detail::OpKey("eager_test_sort"), std::array{Tensor::zeros({n})},
                           [&](ir::Builder& b, std::span<const ir::Value> v) {
                             ++num_built;
                             return ops::sort_ascending(b, v[0]);
                           });
  EXPECT_GT(num_built, 1200);
}

TEST(EagerTest, ALongKeyIsAKeyToo) {
  std::vector<Tensor> parts;
  for (int i = 0; i < 100; ++i) parts.push_back(Tensor::of<float>({1, 1, 1}, {static_cast<float>(i)}));
  for (int i = 0; i < 2; ++i) {
    const Tensor joined = ops::concatenate(parts, 1);
    EXPECT_EQ(joined.shape(), (Dims{1, 100, 1}));
    EXPECT_EQ(joined.at(57), 57);
  }
}

TEST(EagerTest, BuildErrorsReachTheCallerAndNothingIsCached) {
  const Tensor x = Tensor::zeros({2, 3});
  for (int i = 0; i < 2; ++i)
    EXPECT_THROW((void)ops::concatenate(std::vector<Tensor>{x, Tensor::zeros({3, 3})}, 1), Error);
}

TEST(EagerTest, LargeOperationsGiveTheSameBitsAtAnyNumberOfThreads) {
  std::vector<float> numbers(1 << 20);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = std::sin(static_cast<float>(i));
  const Tensor x = Tensor::adopt({1024, 1024}, numbers);
  std::vector<std::vector<float>> expected;
  for (const int threads : {1, 2, 3, 8}) {
    set_default_client(runtime::make_client("cpu", {.num_threads = threads}));
    const std::vector<Tensor> results = {
        x * x + 1.0,     ops::sum(x),       ops::sum(x, {.axis = 0}), ops::sum(x, {.axis = 1}),
        ops::softmax(x), ops::matmul(x, x), ops::transpose(x),        ops::max(x)};
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (threads == 1)
        expected.push_back(floats(results[i]));
      else
        EXPECT_EQ(floats(results[i]), expected[i]) << "result " << i << " with " << threads << " threads";
    }
  }
  set_default_client(nullptr);
}

/// The client that an addition of two numbers is prepared for now.
const runtime::Client& client_of_addition() {
  const std::array inputs = {Tensor::of<float>({2}, {1, 2}), Tensor::of<float>({2}, {3, 4})};
  const auto build = [](ir::Builder& b, std::span<const ir::Value> v) {
    return std::vector<ir::Value>{ops::add(b, v[0], v[1])};
  };
  const detail::EagerOperation& operation =
      detail::find_eager_operation(detail::OpKey("eager_test_add"), inputs, build);
  Tensor sum;
  detail::run_eager_operation(operation, inputs, {&sum, 1});
  EXPECT_EQ(floats(sum), (std::vector<float>{4, 6}));
  return *operation.client;
}

TEST(EagerTest, OperationsThatTheDefaultClientCannotRunAloneFollowTheCpuOptions) {
  for (const int threads : {3, 2}) {
    set_cpu_options({.num_threads = threads, .isa = cpu_isa_level_names().front()});
    EXPECT_EQ(&client_of_addition(), default_client().get());
    set_default_client(runtime::make_client("sim:call_60ms"));  // runs whole programs only
    const runtime::Client& client = client_of_addition();
    EXPECT_EQ(client.platform(), "cpu");
    EXPECT_EQ(client.num_threads(), threads);
    EXPECT_NE(client.description().find("instruction set " + cpu_isa_level_names().front() + " "),
              std::string::npos)
        << client.description();
    EXPECT_EQ(&client_of_addition(), &client) << "made once";
  }
  set_default_client(nullptr);  // forgets the options
  set_default_client(runtime::make_client("sim:call_60ms"));
  const auto fresh = runtime::make_client("cpu", default_client_options());
  EXPECT_EQ(client_of_addition().description(), fresh->description());
  set_default_client(nullptr);
}

TEST(EagerTest, ManyThreadsAtOnce) {
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&right, t] {
      for (int i = 1; i <= 200; ++i) {
        const Tensor x = Tensor::of<float>({2, 2}, {1, 2, 3, static_cast<float>(t)});
        right +=
            ops::sum(ops::matmul(x, x) * 2.0).item<float>() == 2 * (7 + 2 + 2 * t + 3 + 3 * t + 6 + t * t)
                ? 1
                : 0;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right.load(), 800);
}

TEST(EagerTest, CyclesOfTensorsVariablesAndOperationsKeepMemoryFlat) {
  const auto cycle = [](int i) {
    Variable weight(ir::Literal(TensorType{DType::kF32, {64, 64}}), {.name = "weight"});
    (void)weight.buffer();
    Tensor x = Tensor::zeros({64, 64}) + static_cast<double>(i);
    for (int k = 0; k < 4; ++k) x = ops::softmax(ops::matmul(x, weight) + x[0]);
    weight.assign_add(x);
    return weight.value();
  };
  for (int i = 0; i < 20; ++i) (void)cycle(i);
  const auto in_use = [] { return static_cast<std::int64_t>(mallinfo2().uordblks); };
  const std::int64_t before = in_use();
  for (int i = 0; i < 500; ++i) (void)cycle(i);
  EXPECT_LE(in_use() - before, 64 * 1024);
}

TEST(VariableTest, AReadValueStaysWhatItWas) {
  Variable x(ir::Literal::of<float>({2}, {1, 2}), {.name = "x"});
  runtime::Buffer& buffer = x.buffer();
  const Tensor before = x.value();
  EXPECT_EQ(before.data<float>().data(), x.value().data<float>().data());  // no copy
  x.assign(Tensor::of<float>({2}, {3, 4}));
  EXPECT_EQ(&x.buffer(), &buffer);
  EXPECT_EQ(before.to_vector<float>(), (std::vector<float>{1, 2}));
  EXPECT_EQ(x.value().to_vector<float>(), (std::vector<float>{3, 4}));
  {
    // A program that updates in place does as well; its first write copies, later ones have the memory to
    // themselves.
    const Tensor held = x.value();
    std::byte* const written = buffer.writable_host_data();
    EXPECT_NE(written, held.bytes());
    EXPECT_EQ(buffer.writable_host_data(), written);
    reinterpret_cast<float*>(written)[0] = 9;
    EXPECT_EQ(held.at(0), 3);
    EXPECT_EQ(x.value().at(0), 9);
    EXPECT_EQ(x.value().at(1), 4);
  }
}

TEST(VariableTest, AssignAddAndSub) {
  Variable x(ir::Literal::of<float>({2}, {1, 2}), {.name = "x"});
  x.assign_add(Tensor::of<float>({2}, {1, 1}));
  x.assign_sub(0.5);
  EXPECT_EQ(x.value().to_vector<float>(), (std::vector<float>{1.5, 2.5}));
  EXPECT_THROW(x.assign_add(Tensor::zeros({3})), Error);
  EXPECT_EQ(x.value().to_vector<float>(), (std::vector<float>{1.5, 2.5}));
}

}  // namespace
}  // namespace cornu::inline v0
