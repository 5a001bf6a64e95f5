#include "cornu/tensor/value/submitted_call.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <exception>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cornu/runtime/client.h"
#include "cornu/runtime/executable.h"

namespace cornu::inline v0::detail {
namespace {

using namespace std::chrono_literals;

/// Work of a device, which the test ends.
class Work final : public runtime::Event::State {
 public:
  bool is_ready() override { return done_.wait_for(0s) == std::future_status::ready; }
  void wait() override {
    if (!has_waiter_.exchange(true)) waited_for_.set_value();
    done_.get();
  }
  void end() { end_.set_value(); }
  void fail(const std::string& message) {
    end_.set_exception(std::make_exception_ptr(std::runtime_error(message)));
  }
  void expect_waiter() { waited_for_.get_future().wait(); }

 private:
  std::promise<void> end_, waited_for_;
  std::shared_future<void> done_ = end_.get_future().share();
  std::atomic<bool> has_waiter_{false};
};

class Device final : public runtime::Client {
 public:
  Device() : Client({{.type = "GPU", .kind = "idle", .is_addressable = false}}) {}
  std::string platform() const override { return "idle"; }
  std::string description() const override { return "a device whose work the test ends"; }
  std::unique_ptr<runtime::Executable> compile(const runtime::StepProgram&) override { return nullptr; }

 protected:
  std::unique_ptr<runtime::Buffer> do_allocate(const ir::TensorType&, int) override { return nullptr; }
};

/// A program of one call.
class Program final : public runtime::Executable {
 public:
  explicit Program(std::shared_ptr<Work> work) : work_(std::move(work)) { ++num_live; }
  ~Program() override { --num_live; }
  runtime::Submission execute(const runtime::Execution&) override {
    return {.done = runtime::Event(work_), .num_steps = 1};
  }
  const runtime::CompileStats& stats() const override { return stats_; }
  std::string explain(const runtime::Profiler*) const override { return {}; }
  std::string dump(const std::string&) const override { return {}; }

  static inline std::atomic<int> num_live{0};

 private:
  std::shared_ptr<Work> work_;
  runtime::CompileStats stats_;
};

struct SubmittedCallTest : testing::Test {
  std::shared_ptr<SubmittedCall> submit(const std::shared_ptr<Work>& work) const {
    return submit_call(std::make_shared<Program>(work), placement, {});
  }
  void TearDown() override {
    finish_calls(*placement.client());
    EXPECT_EQ(Program::num_live, 0) << "calls that are done keep nothing";
  }
  Placement placement = Placement(std::make_shared<Device>());
};

TEST_F(SubmittedCallTest, ASubmissionDoesNotWaitForACallThatAnotherThreadWaitsFor) {
  const auto first = std::make_shared<Work>(), second = std::make_shared<Work>();
  const std::shared_ptr<SubmittedCall> call = submit(first);
  std::jthread waiter([&] { call->wait(); });
  first->expect_waiter();
  auto submission = std::async(std::launch::async, [&] { return submit(second); });
  EXPECT_EQ(submission.wait_for(10s), std::future_status::ready);
  first->end();
  second->end();
  submission.get()->wait();
}

TEST_F(SubmittedCallTest, AFailureThatWasNotReadIsReportedByTheNextSubmissionOnce) {
  const auto failed = std::make_shared<Work>(), after = std::make_shared<Work>();
  const std::shared_ptr<SubmittedCall> call = submit(failed);
  failed->fail("the device failed");
  after->end();
  EXPECT_THROW(submit(after), std::runtime_error);
  submit(after);
  EXPECT_THROW(call->wait(), std::runtime_error) << "at each call";
}

TEST_F(SubmittedCallTest, ThreadsMaySubmitAndWaitAtTheSameTime) {
  constexpr int kCalls = 60;
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < kCalls; ++i) {
        const auto work = std::make_shared<Work>();
        std::jthread device([work] { work->end(); });
        const std::shared_ptr<SubmittedCall> call = submit(work);
        if (i % 3 == t % 3) call->wait();
      }
    });
}

}  // namespace
}  // namespace cornu::inline v0::detail
