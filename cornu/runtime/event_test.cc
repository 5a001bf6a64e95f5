#include "cornu/runtime/event.h"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "cornu/base/error.h"

namespace cornu::inline v0::runtime {
namespace {

/// Is done when finish() is called, with or without an error; counts waiting threads.
class ManualState final : public Event::State {
 public:
  explicit ManualState(std::atomic<int>* destroyed = nullptr) : destroyed_(destroyed) {}
  ~ManualState() override {
    if (destroyed_ != nullptr) ++*destroyed_;
  }
  bool is_ready() override {
    const std::lock_guard lock(mutex_);
    return is_done_;
  }
  void wait() override {
    std::unique_lock lock(mutex_);
    ++num_waits_;
    changed_.notify_all();
    changed_.wait(lock, [&] { return is_done_; });
    if (error_ != nullptr) std::rethrow_exception(error_);
  }
  void finish(std::exception_ptr error = nullptr) {
    const std::lock_guard lock(mutex_);
    is_done_ = true;
    error_ = std::move(error);
    changed_.notify_all();
  }
  void wait_for_waits(int count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return num_waits_ >= count; });
  }

 private:
  std::atomic<int>* destroyed_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_done_ = false;
  int num_waits_ = 0;
  std::exception_ptr error_;
};

std::exception_ptr failure() {
  return std::make_exception_ptr(Error(ErrorCode::kUnavailable, "the device is gone", {.op = "fake"}));
}

/// The error that waiting throws, if any.
std::optional<Error> error_of(const Event& event) {
  try {
    event.wait();
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

TEST(EventTest, ADefaultConstructedOneIsDone) {
  const Event event;
  const Event copy = event;  // NOLINT(performance-unnecessary-copy-initialization): what is tested
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(event.is_ready());
    EXPECT_FALSE(error_of(event).has_value());
    EXPECT_TRUE(copy.is_ready());
    EXPECT_FALSE(error_of(copy).has_value());
  }
}

TEST(EventTest, CopiesAreHandlesToTheSameEvent) {
  std::atomic<int> destroyed = 0;
  auto state = std::make_shared<ManualState>(&destroyed);
  std::optional<Event> first(state);
  std::optional<Event> second = first;
  const Event third = *second;
  ManualState& manual = *state;
  state.reset();
  EXPECT_FALSE(first->is_ready());
  EXPECT_FALSE(second->is_ready());
  EXPECT_FALSE(third.is_ready());
  manual.finish();
  EXPECT_TRUE(first->is_ready());
  EXPECT_TRUE(third.is_ready());
  first.reset();
  second.reset();
  EXPECT_EQ(destroyed.load(), 0) << "the last handle keeps it";
  EXPECT_FALSE(error_of(third).has_value());
}

TEST(EventTest, WaitingBlocksUntilItIsDoneAndReturnsAgainAfterwards) {
  const auto state = std::make_shared<ManualState>();
  const Event event(state);
  std::atomic<bool> has_returned = false;
  std::thread waiter([&, copy = event] {
    copy.wait();
    has_returned = true;
  });
  state->wait_for_waits(1);
  EXPECT_FALSE(has_returned.load());
  state->finish();
  waiter.join();
  EXPECT_TRUE(has_returned.load());
  for (int i = 0; i < 2; ++i) EXPECT_FALSE(error_of(event).has_value());
}

TEST(EventTest, EachWaiterGetsTheErrorEachTime) {
  constexpr int kWaiters = 4;
  const auto state = std::make_shared<ManualState>();
  const Event event(state);
  std::vector<std::optional<Error>> errors(2 * kWaiters);
  std::vector<std::thread> waiters;
  for (std::size_t i = 0; i < errors.size(); i += 2)
    waiters.emplace_back([&errors, copy = event, i] {
      errors[i] = error_of(copy);
      errors[i + 1] = error_of(copy);
    });
  state->wait_for_waits(kWaiters);
  state->finish(failure());
  for (std::thread& waiter : waiters) waiter.join();
  errors.push_back(error_of(event));
  EXPECT_TRUE(event.is_ready()) << "failed is done";
  for (const std::optional<Error>& error : errors) {
    ASSERT_TRUE(error.has_value());
    EXPECT_EQ(error->code(), ErrorCode::kUnavailable);
    EXPECT_EQ(error->op(), "fake");
    EXPECT_STREQ(error->what(), "[fake] the device is gone");
  }
}

}  // namespace
}  // namespace cornu::inline v0::runtime
