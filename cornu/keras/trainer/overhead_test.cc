// The overhead of fit for each step, measured with a client whose programs do nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <limits>
#include <new>

#include "cornu/keras/trainer/model_test_support.h"

namespace {
thread_local std::int64_t allocations = 0;
}  // namespace

// Counts this thread's allocations in the whole test program. Not inlined: GCC would take the pair for a
// mismatch.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size == 0 ? 1 : size);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace cornu::inline v0::keras {
namespace {

class NullBuffer : public runtime::Buffer {
 public:
  NullBuffer(const TensorType& type, runtime::Client* client)
      : Buffer(type, client), bytes_(type.size_bytes()) {}
  const std::byte* host_data() const override { return bytes_.data(); }
  std::byte* writable_host_data() override { return bytes_.data(); }

 private:
  std::vector<std::byte> bytes_;
};

class NullExecutable : public runtime::Executable {
 public:
  runtime::Submission execute(const runtime::Execution& execution) override {
    execution.progress->steps_done.store(execution.num_steps, std::memory_order_relaxed);
    return {.done = {}, .num_steps = execution.num_steps};
  }
  const runtime::CompileStats& stats() const override { return stats_; }
  std::string explain(const runtime::Profiler*) const override { return "nothing"; }
  std::string dump(const std::string&) const override { return ""; }

 private:
  runtime::CompileStats stats_;
};

class NullClient : public runtime::Client {
 public:
  NullClient() : Client({{}}) {}
  std::string platform() const override { return "null"; }
  std::string description() const override { return "does nothing"; }
  std::unique_ptr<runtime::Executable> compile(const runtime::StepProgram&) override {
    return std::make_unique<NullExecutable>();
  }

 protected:
  std::unique_ptr<runtime::Buffer> do_allocate(const TensorType& type, int) override {
    return std::make_unique<NullBuffer>(type, this);
  }
};

/// Counts the allocations between the first and the last batch of an epoch. The epoch with the fewest counts,
/// because on a busy machine a callback may seem slow, which logs a warning once.
class AllocationCounter : public callbacks::Callback {
 public:
  std::int64_t in_epoch = std::numeric_limits<std::int64_t>::max();
  void on_train_batch_begin(const callbacks::BatchRange& batches) override {
    if (batches.first == 0) begin_ = allocations;
  }
  void on_train_batch_end(const callbacks::BatchRange& batches, LazyLogs&) override {
    if (batches.last == params().steps - 1) in_epoch = std::min(in_epoch, allocations - begin_);
  }

 private:
  std::int64_t begin_ = 0;
};

class OverheadTest : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override { set_default_client(std::make_shared<NullClient>()); }
  void TearDown() override { set_default_client(nullptr); }
};
INSTANTIATE_TEST_SUITE_P(Verbose, OverheadTest, ::testing::Values(0, 1));

TEST_P(OverheadTest, AStepAloneAllocatesNothing) {
  const Flowers data(100);
  Sequential model = small_model();
  model.compile({.optimizer = "adam", .loss = "log_cosh", .metrics = {"accuracy"}, .stop_on_nan = true});
  AllocationCounter counter;
  std::string text;
  text.reserve(4096);
  callbacks::ProgbarLogger bar({.write = [&](std::string_view piece) { text += piece; }});
  const auto history = model.fit(data.x, data.one_hot,
                                 {.batch_size = 20,
                                  .epochs = 3,
                                  .verbose = GetParam(),
                                  .callbacks = {&counter, &bar},
                                  .steps_per_epoch = 50000,
                                  .repeat = true});
  EXPECT_EQ(history.num_steps, 150000);
  EXPECT_EQ(counter.in_epoch, 0);
}

TEST_P(OverheadTest, ARedrawnBarWritesFarLessOftenThanStepsRun) {
  const Flowers data(100);
  Sequential model = small_model();
  model.compile({.optimizer = "adam", .loss = "log_cosh", .metrics = {"accuracy"}});
  std::int64_t num_writes = 0;
  callbacks::ProgbarLogger bar({.redraw = true, .write = [&](std::string_view) { ++num_writes; }});
  const auto history = model.fit(data.x, data.one_hot,
                                 {.batch_size = 20,
                                  .epochs = 3,
                                  .verbose = GetParam(),
                                  .callbacks = {&bar},
                                  .steps_per_epoch = 50000,
                                  .repeat = true});
  EXPECT_EQ(num_writes > 0, GetParam() != 0);
  EXPECT_LT(num_writes, history.num_steps / 100);
}

}  // namespace
}  // namespace cornu::inline v0::keras
