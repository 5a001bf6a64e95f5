#include "cornu/tensor/value/submitted_call.h"

#include <cstdlib>
#include <deque>
#include <map>
#include <utility>

#include "cornu/base/error.h"
#include "cornu/base/log_formatted.h"
#include "cornu/runtime/async_executable.h"
#include "cornu/runtime/distant_client.h"
#include "cornu/runtime/profiler.h"

namespace cornu::inline v0::detail {
namespace {

/// The calls of one client that are not known to be done, in order.
/// Threads: safe.
class CallsInFlight {
 public:
  /// A device of another process limits executions and their time itself (runtime::AsyncExecutable).
  static constexpr std::size_t kMostCalls = 16, kMostDistant = 256;
  static constexpr std::size_t kMostBytes = std::size_t{64} << 20;

  /// Forgets calls that are done, and waits until there is room for one with so much memory.
  /// Errors: that of a call which has failed; all calls are done then.
  void make_room(std::size_t num_bytes, bool is_distant) {
    while (const std::shared_ptr<SubmittedCall> first = take_first(num_bytes, is_distant)) {
      const std::exception_ptr error = first->take_failure();
      if (error == nullptr) continue;
      finish();  // those after it failed for the same reason
      std::rethrow_exception(error);
    }
  }
  void add(std::shared_ptr<SubmittedCall> call) {
    const std::lock_guard lock(mutex_);
    num_bytes_ += call->num_bytes();
    calls_.push_back(std::move(call));
  }
  /// Waits for all calls. Returns the first error that was not reported.
  std::exception_ptr finish() {
    std::exception_ptr error;
    while (const std::shared_ptr<SubmittedCall> first = take_first(kMostBytes + 1, false))
      if (const std::exception_ptr failure = first->take_failure(); error == nullptr) error = failure;
    return error;
  }

 private:
  /// Takes the first call if it is done, or if there is no room for another beside it; else null.
  std::shared_ptr<SubmittedCall> take_first(std::size_t num_bytes, bool is_distant) {
    const std::lock_guard lock(mutex_);
    if (calls_.empty()) return nullptr;
    const bool is_full =
        num_bytes_ + num_bytes > kMostBytes || calls_.size() >= (is_distant ? kMostDistant : kMostCalls);
    if (!is_full && !calls_.front()->is_done()) return nullptr;
    std::shared_ptr<SubmittedCall> first = std::move(calls_.front());
    calls_.pop_front();
    num_bytes_ -= first->num_bytes();
    return first;
  }

  std::mutex mutex_;
  std::deque<std::shared_ptr<SubmittedCall>> calls_;
  std::size_t num_bytes_ = 0;  // of calls_
};

/// The calls of all clients. A client's calls keep it, so its address is its own while it has any.
struct AllCalls {
  std::mutex mutex;
  std::map<const runtime::Client*, std::shared_ptr<CallsInFlight>> of_client;
};
AllCalls& all_calls() {
  static AllCalls& all = *new AllCalls;
  return all;
}

void log_failure(const std::exception_ptr& error) {
  try {
    if (error != nullptr) std::rethrow_exception(error);
  } catch (const std::exception& failure) {
    log_warning("[function] a call on a device has failed, and its result was not read: {}", failure.what());
  }
}

/// Waits at the end of the process: the device must not work while its libraries are unloaded.
void finish_all_calls() {
  std::map<const runtime::Client*, std::shared_ptr<CallsInFlight>> all;
  {
    const std::lock_guard lock(all_calls().mutex);
    all.swap(all_calls().of_client);
  }
  for (const auto& [client, calls] : all) log_failure(calls->finish());
}

std::shared_ptr<CallsInFlight> calls_of(const runtime::Client& client) {
  const std::lock_guard lock(all_calls().mutex);
  [[maybe_unused]] static const int registered = std::atexit(finish_all_calls);
  std::shared_ptr<CallsInFlight>& calls = all_calls().of_client[&client];
  if (calls == nullptr) calls = std::make_shared<CallsInFlight>();
  return calls;
}

}  // namespace

bool SubmittedCall::is_done() {
  const std::unique_lock lock(mutex_, std::try_to_lock);  // a thread that waits for the call has it
  return lock.owns_lock() && (kept_ == nullptr || kept_->done.is_ready());
}

std::unique_ptr<SubmittedCall::Kept> SubmittedCall::finish() {
  if (kept_ == nullptr) return nullptr;
  try {
    kept_->done.wait();
  } catch (...) {
    error_ = std::current_exception();
  }
  return std::move(kept_);
}

void SubmittedCall::wait() {
  std::unique_ptr<Kept> over;  // destroyed without the lock
  const std::lock_guard lock(mutex_);
  over = finish();
  if (error_ == nullptr) return;
  is_reported_ = true;
  std::rethrow_exception(error_);
}

std::exception_ptr SubmittedCall::take_failure() {
  std::unique_ptr<Kept> over;
  const std::lock_guard lock(mutex_);
  over = finish();
  return std::exchange(is_reported_, true) ? nullptr : error_;
}

std::shared_ptr<SubmittedCall> submit_call(std::shared_ptr<runtime::Executable> executable,
                                           const Placement& placement, CallOperands operands) {
  runtime::Client& client = *placement.client();
  const bool is_distant = client.distant() != nullptr;
  const std::shared_ptr<CallsInFlight> calls = calls_of(client);
  calls->make_room(operands.num_bytes, is_distant);
  auto call = std::make_shared<SubmittedCall>();
  call->num_bytes_ = operands.num_bytes;
  call->kept_ = std::make_unique<SubmittedCall::Kept>(SubmittedCall::Kept{.client = placement.client(),
                                                                          .executable = std::move(executable),
                                                                          .operands = std::move(operands),
                                                                          .outputs = {}});
  SubmittedCall::Kept& kept = *call->kept_;
  for (const auto& output : kept.operands.outputs) kept.outputs.push_back(output.get());
  const runtime::Replica replica{
      .state = kept.operands.state, .fixed = kept.operands.fixed, .output_buffers = kept.outputs};
  const runtime::Execution execution{.replicas = {&replica, 1}};
  runtime::AsyncExecutable* const async = runtime::async_executable(kept.executable.get());
  kept.done = (async != nullptr && async->is_short(1) ? async->submit(execution)
                                                      : kept.executable->execute(execution))
                  .done;
  if (kept.done.is_ready() || runtime::Profiler::current() != nullptr)
    call->wait();
  else
    calls->add(call);
  return call;
}

void finish_calls(const runtime::Client& client) {
  std::shared_ptr<CallsInFlight> calls;
  {
    const std::lock_guard lock(all_calls().mutex);
    const auto found = all_calls().of_client.find(&client);
    if (found == all_calls().of_client.end()) return;
    calls = std::move(found->second);
    all_calls().of_client.erase(found);
  }
  log_failure(calls->finish());
}

}  // namespace cornu::inline v0::detail
