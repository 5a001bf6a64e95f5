#pragma once

#include <grpcpp/generic/generic_stub.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/backends/remote/client/pace.h"
#include "cornu/backends/remote/client/run_stream.h"
#include "cornu/backends/remote/client/worker_clock.h"
#include "cornu/backends/remote/wire/address.h"
#include "cornu/backends/remote/wire/channel.h"
#include "cornu/backends/remote/wire/wire.h"
#include "cornu/runtime/executable.h"

namespace cornu::inline v0::backends::remote {

/// The link to a worker and the session on it. Buffers and programs share it; numbers that they release are
/// sent with the next call. After a loss of the link, reconnect() opens another, empty session: buffers and
/// programs detect by generation() that their contents are lost.
/// Threads: safe; calls that change something, and reconnect(), are made under order().
class Connection {
 public:
  /// Errors: those of make_client in backend.h.
  /// `group`: the session's membership in a group of several workers; call join() once all sessions are open.
  explicit Connection(WorkerAddress address, proto::GroupMember group = {});
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Opens another session, unless that was done since generation `lost` and the session is alive.
  /// Errors: those of the constructor.
  void reconnect(std::uint64_t lost);
  /// Sets the group of the next session. Under order().
  void set_group(proto::GroupMember group);
  /// Links the session's worker with the others of its group.
  /// Errors: kUnavailable, with the worker that cannot be reached.
  void join();
  /// Ends the session at the worker, with its running executions; later calls of it fail.
  /// Threads: safe during other calls.
  void end_session();
  /// True if the session has ended, with the link or with the worker; its contents are lost for good.
  /// Threads: safe during other calls.
  bool has_lost_session();
  /// The session's generation, starting at 1.
  std::uint64_t generation() const { return generation_.load(); }
  /// The worker's reply to the first call.
  const proto::HelloReply& hello() const { return hello_; }
  const WorkerAddress& address() const { return address_; }
  /// True if the session's worker supports the call Run.
  bool has_run() const { return has_run_.load(); }
  /// A new number for a buffer, a program, an execution or a transfer.
  std::uint64_t next_number() { return ++last_number_; }
  void release(std::uint64_t number);

  /// Held during calls, one at a time: calls take effect in the order in which they are made.
  std::mutex& order() { return order_; }
  /// Under order().
  Pace& pace() { return pace_; }
  const WorkerClock& clock() const { return clock_; }
  /// Reads the clock from the reply of a finished call.
  void take_clock(const grpc::ClientContext& context);
  void take_clock(double seconds) { clock_.take(seconds); }
  /// The executions that were submitted ahead. Under order().
  RunStream& run_stream() { return run_stream_; }
  /// The session's name, for a call's metadata. Under order().
  const std::string& session() const { return session_; }
  /// Announces that the next execution with rows is the first of a pass. Threads: any.
  void begin_pass() { pass_begins_ = true; }
  /// True for the first caller in a pass, false for later ones.
  bool take_pass() { return pass_begins_.exchange(false); }

  /// Prepares a request: waits for the executions that were submitted ahead, then adds the session, and the
  /// numbers released since the last call. Errors: RunStream::finish.
  template <typename Request>
  void fill(Request& request) {
    run_stream_.finish();
    fill_ahead(request);
  }
  /// The same for a request that follows the executions on the RunStream.
  template <typename Request>
  void fill_ahead(Request& request) {
    request.set_session(session_);
    const std::lock_guard lock(released_mutex_);
    for (const std::uint64_t number : released_) drop_pending(number);
    request.mutable_released()->Add(released_.begin(), released_.end());
    released_.clear();
  }

  /// Defers a small write to the next execution, or to the call before it. False if there is no space for it.
  bool put_off(std::uint64_t buffer, const ir::TensorType& type, std::string_view bytes);
  /// Moves the deferred writes into a request, except those of destroyed buffers.
  void take_pending(proto::WriteRequest& request);
  /// Sends the deferred writes, before a call that may need them.
  void send_pending();
  /// Sends the deferred writes and the released numbers by a call of their own, before a request that the
  /// worker may refuse for its size: it would refuse them with it.
  void flush();

  /// Makes a call. Errors: the worker's; kUnavailable if it does not answer.
  template <typename Request, typename Reply>
  void call(grpc::Status (proto::Worker::Stub::*method)(grpc::ClientContext*, const Request&, Reply*),
            const Request& request, Reply& reply) {
    call(*stub_, method, request, reply);
  }

  /// The error of a failed call of the session. Under order().
  Error failed_call(const grpc::Status& status) const;
  /// For calls with hand-made messages (Pipeline).
  grpc::GenericStub& generic_stub() { return *generic_stub_; }
  void add_token(grpc::ClientContext& context) const;

  /// Copies an execution's progress from the worker to `progress` while it lives, and sends its stop request
  /// to the worker.
  class Watch {
   public:
    /// `first`: steps done before this execution. Null progress: does nothing.
    Watch(Connection& connection, std::uint64_t execution, std::int64_t first, runtime::Progress* progress);
    ~Watch();
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

   private:
    Connection& connection_;
  };

 private:
  template <typename Stub, typename Request, typename Reply>
  void call(Stub& stub, grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Reply*),
            const Request& request, Reply& reply) {
    grpc::ClientContext context;
    add_token(context);
    const grpc::Status status = (stub.*method)(&context, request, &reply);
    take_clock(context);
    if (!status.ok()) throw failed_call(status);
  }
  /// Drops the deferred write of a buffer, if there is one; those of all released buffers.
  void drop_pending(std::uint64_t buffer);
  void drop_released();
  /// Reads the token and makes a channel with it.
  void open_stubs();
  proto::HelloReply open_session();
  /// Keeps the session open until detach().
  void attach();
  void detach();
  /// Returns true if the execution must be stopped.
  bool take_progress(const proto::AttachReply& reply);
  void stop(std::uint64_t execution, const std::string& session);

  class Attachment;
  struct Watched {
    std::uint64_t execution = 0;
    std::int64_t first = 0;
    runtime::Progress* progress = nullptr;
    bool is_stopping = false;
  };

  WorkerAddress address_;
  proto::GroupMember group_;
  std::string token_;  // the session's; the file is read when a session is opened
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<proto::Worker::Stub> stub_;
  std::unique_ptr<proto::Transfers::Stub> transfers_;
  std::unique_ptr<grpc::GenericStub> generic_stub_;
  WorkerClock clock_;  // before hello_, whose call sets it
  proto::HelloReply hello_;
  std::string session_;
  std::atomic<std::uint64_t> generation_{1};
  std::atomic<bool> has_run_;
  std::mutex attachment_mutex_;
  std::unique_ptr<Attachment> attachment_;
  std::mutex order_;
  Pace pace_;  // under order_
  std::atomic<bool> pass_begins_{false};
  std::atomic<std::uint64_t> last_number_{0};
  std::mutex released_mutex_;
  std::vector<std::uint64_t> released_;
  struct Pending {
    ir::TensorType type;
    std::string bytes;
  };
  std::map<std::uint64_t, Pending> pending_;  // under order_
  std::size_t pending_bytes_ = 0;
  std::mutex watched_mutex_;
  Watched watched_;
  RunStream run_stream_{*this};  // the last member: its call uses the others
};

}  // namespace cornu::inline v0::backends::remote
