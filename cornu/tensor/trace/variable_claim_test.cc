#include "cornu/tensor/trace/variable_claim.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <latch>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "cornu/base/error_test_support.h"
#include "cornu/runtime/fake_device_test_support.h"
#include "cornu/tensor/function.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/trace/variable_versions.h"

namespace cornu::inline v0::detail {
namespace {

using namespace std::chrono_literals;

Variable number(float value = 0) { return Variable(Tensor(value), {.name = "number"}); }

void on_another_thread(const std::function<void()>& f) { std::thread(f).join(); }

void expect_refused(const std::function<void()>& f) {
  expect_contains(error_of(f), ErrorCode::kFailedPrecondition,
                  {"another thread", "[fit] of model", "number"});
}

TEST(VariableClaimTest, NumbersPassARunWhileTheyAreInHostMemory) {
  const auto device = std::make_shared<runtime::FakeClient>();
  const Variable written = number(1), read = number(2);
  const VariableClaim run({.written = {&written, 1}, .read = {&read, 1}}, OtherThreads::kAreRefused,
                          "[fit] of model \"m\"");
  const auto in_host_memory = [&] {
    EXPECT_EQ(written.read().at(0), 1);
    EXPECT_EQ(read.read().at(0), 2);
    expect_refused([&] { written.assign(Tensor(3.0F)); });
    EXPECT_NO_THROW(read.assign(Tensor(2.0F)));
  };
  on_another_thread(in_host_memory);
  (void)written.buffer(), (void)read.buffer();  // of the CPU
  on_another_thread(in_host_memory);
  (void)written.buffer(Placement(device));
  on_another_thread([&] {
    expect_refused([&] { (void)written.read(); });
    expect_refused([&] { (void)written.value(); });
    EXPECT_EQ(read.read().at(0), 2);
  });
  EXPECT_EQ(written.read().at(0), 1) << "on the thread of the run";
}

TEST(VariableClaimTest, AClaimLeavesNothingBehindAlsoWhereItIsRefused) {
  const Variable one = number(), other = number();
  const std::vector<Variable> twice = {one, other, one};
  {
    const VariableClaim run({.written = {&other, 1}}, OtherThreads::kAreRefused, "[fit] of model \"m\"");
    on_another_thread(
        [&] { expect_refused([&] { const VariableClaim all({.written = twice}, OtherThreads::kWait); }); });
    EXPECT_EQ(other.state().claim_marks.size(), 1U);
  }
  {
    VariableClaim all({.written = twice, .read = twice}, OtherThreads::kWait);
    EXPECT_EQ(one.state().claim_marks.size(), 4U);
    all.stop_reading();
    EXPECT_EQ(one.state().claim_marks.size(), 2U);
  }
  EXPECT_TRUE(one.state().claim_marks.empty());
  EXPECT_TRUE(other.state().claim_marks.empty());
  EXPECT_EQ(num_variable_claims.load(), 0);
}

TEST(VariableClaimTest, AClaimThatComesLaterDoesNotOvertakeOneThatWaits) {
  const std::vector<Variable> both = {number(), number()};
  std::optional<VariableClaim> first;
  first.emplace(VariableClaim::Variables{.written = {both.data(), 1}}, OtherThreads::kWait);
  std::vector<std::size_t> order;  // how many variables the claims have, as they are served
  const auto claim = [&](std::span<const Variable> variables) {
    const VariableClaim one({.written = variables}, OtherThreads::kWait);
    order.push_back(variables.size());
  };
  const auto num_marks = [&] {
    const std::lock_guard lock(Variable::State::mutex());
    return both[0].state().claim_marks.size();
  };
  std::thread of_both([&] { claim(both); });
  while (num_marks() < 2) std::this_thread::yield();
  std::thread of_one([&] { claim({&both[1], 1}); });  // which nothing holds
  std::this_thread::sleep_for(100ms);
  first.reset();
  of_both.join();
  of_one.join();
  EXPECT_EQ(order, (std::vector<std::size_t>{2, 1}));
}

// A thread that claims a variable again as soon as it has let go of it: without turns the reader waits until
// it happens to wake up in the moment between.
void expect_reader_is_served(const std::function<std::unique_ptr<VariableClaim>()>& outer) {
  constexpr int kMostClaims = 1000, kReads = 20;
  const Variable weight(ops::zeros({4}));
  std::atomic<int> num_claims{0};
  std::atomic<bool> is_over{false};
  std::thread trainer([&] {
    const std::unique_ptr<VariableClaim> run = outer();
    while (!is_over && num_claims < kMostClaims) {
      const VariableClaim claim({.written = {&weight, 1}}, OtherThreads::kWait);
      ++num_claims;
      std::this_thread::sleep_for(1ms);
    }
  });
  std::vector<int> waited;
  for (int i = 0; i < kReads; ++i) {
    const int before = num_claims;
    (void)weight.read();
    waited.push_back(num_claims - before);
  }
  is_over = true;
  trainer.join();
  std::ranges::sort(waited);
  EXPECT_LE(waited[kReads / 2], 3) << "claims during a read";
  EXPECT_LT(num_claims, kMostClaims);
}

TEST(VariableClaimTest, AReaderIsServedBeforeAThreadThatClaimsAgainAndAgain) {
  expect_reader_is_served([] { return nullptr; });
}

// As a fit claims the process's random counter for each execution.
TEST(VariableClaimTest, AReaderIsServedBeforeARunThatClaimsSomethingElseAgainAndAgain) {
  const Variable other = number();
  expect_reader_is_served([&] {
    return std::make_unique<VariableClaim>(VariableClaim::Variables{.written = {&other, 1}},
                                           OtherThreads::kAreRefused, "[fit] of model \"m\"");
  });
}

// The reader may wake up before the run has got its claim, and then waits for the run.
TEST(VariableClaimTest, ARunThatHasWaitedRefusesThoseThatWaitForIt) {
  for (int i = 0; i < 50; ++i) {
    const Variable weight(ops::zeros({4}), {.name = "number"});
    std::optional<VariableClaim> first;
    first.emplace(VariableClaim::Variables{.written = {&weight, 1}}, OtherThreads::kWait);
    const auto wait_for_marks = [&](std::size_t count) {
      for (;;) {
        const std::lock_guard lock(Variable::State::mutex());
        if (weight.state().claim_marks.size() >= count) return;
      }
    };
    std::latch is_refused(1);
    std::thread run([&] {
      const VariableClaim claim({.written = {&weight, 1}}, OtherThreads::kAreRefused, "[fit] of model \"m\"");
      is_refused.wait();
    });
    wait_for_marks(2);
    std::thread reader([&] {
      expect_refused([&] { (void)weight.read(); });
      is_refused.count_down();
    });
    wait_for_marks(3);
    first.reset();
    reader.join();
    run.join();
  }
}

TEST(VariableClaimTest, AReaderOfAnotherDeviceIsServedToo) {
  constexpr int kMostClaims = 1000;
  const auto device = std::make_shared<runtime::FakeClient>();
  const Variable weight(ops::zeros({4}));
  VariableVersions versions({&weight, 1}, Placement(device));
  std::atomic<int> num_claims{0};
  std::atomic<bool> is_over{false};
  std::thread trainer([&] {
    while (!is_over && num_claims < kMostClaims) {
      const VariableClaim claim({.written = {&weight, 1}}, OtherThreads::kWait);
      (void)weight.buffer();  // takes it from the device
      ++num_claims;
      std::this_thread::sleep_for(1ms);
    }
  });
  for (int i = 0; i < 10; ++i) EXPECT_EQ(versions.take().buffers().size(), 1U);
  is_over = true;
  trainer.join();
  EXPECT_LT(num_claims, kMostClaims);
}

// As two optimizers whose constraints read each other's variables.
TEST(VariableClaimTest, OfTwoThreadsThatWaitForEachOtherOneIsRefused) {
  const Variable a = number(1), b = number(2);
  std::latch both(2);
  std::atomic<int> num_refused{0}, num_read{0};
  const auto update = [&](const Variable& own, const Variable& other) {
    const VariableClaim claim({.written = {&own, 1}}, OtherThreads::kWait);
    both.arrive_and_wait();
    try {
      (void)other.read();
      ++num_read;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kFailedPrecondition);
      EXPECT_NE(std::string(error.what()).find("waits for this one"), std::string::npos) << error.what();
      ++num_refused;
    }
  };
  std::thread thread([&] { update(a, b); });
  update(b, a);
  thread.join();
  EXPECT_EQ(num_refused, 1);
  EXPECT_EQ(num_read, 1);
}

// As an optimizer whose constraint calls a function that another thread is about to run.
TEST(VariableClaimTest, AThreadThatHasAClaimMayCallAFunctionThatWaitsForIt) {
  const Variable weight(ops::zeros({4}));
  const auto step = function([&] { weight.assign_add(1.0); });
  step();
  std::atomic<bool> has_begun{false};
  std::thread other;
  {
    const VariableClaim update({.written = {&weight, 1}}, OtherThreads::kWait);
    other = std::thread([&] {
      has_begun = true;
      step();
    });
    while (!has_begun) std::this_thread::yield();
    std::this_thread::sleep_for(50ms);  // now it waits
    step();
  }
  other.join();
  EXPECT_EQ(weight.value().to_vector<float>()[0], 3);
}

TEST(VariableClaimTest, WhoeverTakesABufferToWriteItIsNoticedByVersions) {
  const Variable weight = number(1);
  (void)weight.buffer();
  VariableVersions versions({&weight, 1}, current_placement());
  const auto value_of = [](const VersionLease& lease) {
    float value = 0;
    lease.buffers()[0]->copy_to_host(&value);
    return value;
  };
  const VersionLease before = versions.take();
  const float two = 2;
  weight.buffer().copy_from_host(&two);
  EXPECT_EQ(value_of(before), 1);
  EXPECT_EQ(value_of(versions.take()), 2);
  const VariableClaim run({.written = {&weight, 1}}, OtherThreads::kAreRefused, "[fit] of model \"m\"");
  on_another_thread([&] { expect_refused([&] { (void)weight.buffer(); }); });
}

}  // namespace
}  // namespace cornu::inline v0::detail
