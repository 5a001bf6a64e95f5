#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cornu/backends/remote/worker/session.h"

namespace cornu::inline v0::backends::remote {

/// A session and its use.
struct OpenSession {
  explicit OpenSession(std::shared_ptr<Session> made) : session(std::move(made)) {}
  std::shared_ptr<Session> session;
  std::chrono::steady_clock::time_point since = std::chrono::steady_clock::now();
  std::atomic<bool> is_attached{false};
  std::atomic<int> num_calls{0};
  std::atomic<int> num_changes{0};  // those of num_calls that are not reads

  /// Registers the session's Run; `cancel` ends that call.
  /// Errors: FailedPrecondition if the session has a Run; kUnavailable if it has ended.
  void begin_run(std::function<void()> cancel);
  void end_run();
  /// Stops the session's executions and cancels its Run, which would keep its memory.
  void end(const std::string& why);

 private:
  std::mutex run_mutex_;
  std::function<void()> cancel_run_;  // empty: there is no Run
  bool has_ended_ = false;
};

/// The sessions of a worker, by secret names that only their clients have.
/// Threads: safe.
class SessionTable {
 public:
  explicit SessionTable(int max_sessions) : max_sessions_(max_sessions) {}

  /// Adds a session; returns its name. If the table is full it waits for a moment, since a session whose
  /// client has just left is about to end.
  /// Errors: ResourceExhausted if the table stays full.
  std::string open(std::shared_ptr<Session> session);
  /// Errors: kUnavailable, which asks the client to reconnect.
  std::shared_ptr<OpenSession> find(const std::string& name);
  /// Ends a session: its executions are stopped, and its memory is freed when its calls have ended.
  void end(const std::string& name);
  /// Ends sessions whose clients did not attach.
  void end_unattached(std::chrono::seconds older_than);

  std::vector<std::shared_ptr<OpenSession>> all();
  /// The number of ended sessions.
  std::uint64_t num_ended() const { return num_ended_.load(); }

 private:
  const int max_sessions_;
  bool is_full() const { return sessions_.size() >= static_cast<std::size_t>(max_sessions_); }

  std::mutex mutex_;
  std::condition_variable ended_;
  std::map<std::string, std::shared_ptr<OpenSession>> sessions_;
  std::atomic<std::uint64_t> num_ended_{0};
};

}  // namespace cornu::inline v0::backends::remote
