#pragma once

#include <grpcpp/grpcpp.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>

#include "cornu/backends/remote/wire/wire.h"
#include "cornu/runtime/async_executable.h"
#include "cornu/runtime/event.h"

namespace cornu::inline v0::backends::remote {

class Connection;

/// An execution that was sent to the worker and whose reply may not have arrived yet.
struct SentExecution {
  std::uint64_t number = 0;   // of the request
  std::size_t num_bytes = 0;  // of the request
  double seconds = 0;         // expected time on the worker
  /// Stores the reply's values. Throws the execution's error. `seconds`: that the device took, by its clock.
  std::function<void(const proto::ExecuteReply& reply, double seconds)> take;
  std::exception_ptr error;  // final once is_done
  std::atomic<bool> is_done{false};
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
};

/// Executions that are sent to the worker without waiting for the replies to earlier ones: the call Run, which
/// is opened by the first execution and stays open until an execution fails or the session ends. No thread
/// waits for replies: they are taken by the calls below.
///
/// Limits: kMostExecutions; AsyncExecutable::kMostSeconds of expected work; bytes by the link's Pace.
/// Threads: one thread, under the connection's order().
class RunStream {
 public:
  static constexpr std::size_t kMostExecutions = 256;

  explicit RunStream(Connection& connection);
  ~RunStream();
  RunStream(const RunStream&) = delete;
  RunStream& operator=(const RunStream&) = delete;

  /// Waits until the limits allow such an execution; one alone is always allowed. Call it before the request
  /// takes released numbers and deferred writes from the connection.
  /// Errors: that of an earlier execution which has failed, unless it was reported.
  void make_room(std::size_t num_bytes, double seconds);
  /// Sends an execution. Errors: kUnavailable if the call has ended.
  void send(std::shared_ptr<SentExecution> execution, const grpc::ByteBuffer& request);
  /// Waits for all executions, as every other call of the session must. Errors: as make_room().
  void finish();
  /// Takes the replies that have arrived, without waiting.
  void poll();
  void wait_for(const SentExecution& execution);
  /// The last execution without a reply; null if there is none.
  std::shared_ptr<SentExecution> last() const { return sent_.empty() ? nullptr : sent_.back(); }
  /// Records that the failure was reported to a caller.
  void note_reported() { failure_ = nullptr; }
  /// Ends the call; executions without a reply fail. For a session that has ended.
  void abandon();

 private:
  struct Call;

  void open();
  void wait_for_event();
  void take_event(void* tag, bool is_ok);
  void take_reply();
  void settle(const proto::ExecuteReply& reply);
  void read_next();
  /// Called when the worker sends no more replies.
  void end_call();
  /// Ends the call in which an execution has failed, after its last reply.
  void close();
  void fail_all(const std::exception_ptr& error);
  void note_failure(SentExecution& execution, const std::exception_ptr& error);
  void forget_first();

  Connection& connection_;
  std::unique_ptr<Call> call_;                       // null: not open
  std::deque<std::shared_ptr<SentExecution>> sent_;  // without a reply, in order
  std::size_t num_bytes_ = 0;                        // of sent_
  double seconds_ = 0;                               // of sent_
  bool has_failed_ = false;                          // an execution of this call has failed
  std::exception_ptr failure_;                       // that of the first one; null: none, or reported
};

/// The event of an execution on a RunStream. Keeps the connection.
class SentExecutionEvent final : public runtime::Event::State {
 public:
  SentExecutionEvent(std::shared_ptr<Connection> connection, std::shared_ptr<SentExecution> execution);
  /// Waits: the execution uses the caller's memory until its reply has been taken.
  ~SentExecutionEvent() override;
  SentExecutionEvent(const SentExecutionEvent&) = delete;
  SentExecutionEvent& operator=(const SentExecutionEvent&) = delete;
  bool is_ready() override;
  void wait() override;

 private:
  void settle();

  std::shared_ptr<Connection> connection_;
  std::shared_ptr<SentExecution> execution_;
};

}  // namespace cornu::inline v0::backends::remote
