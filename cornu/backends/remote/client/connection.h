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
#include "cornu/backends/remote/client/worker_clock.h"
#include "cornu/backends/remote/wire/address.h"
#include "cornu/backends/remote/wire/channel.h"
#include "cornu/backends/remote/wire/wire.h"
#include "cornu/runtime/executable.h"

namespace cornu::inline v0::backends::remote {

/// The link to a worker and the session on it. Buffers and programs share it: what they held is released with
/// the next call. When the link is lost, reconnect() opens another session, in which nothing is: buffers and
/// programs know by generation() that what they had is gone.
/// Threads: safe; calls that change something, and reconnect(), are made under order().
class Connection {
 public:
  /// Errors: as make_client in backend.h.
  /// `group`: the session's place in a group of several workers; join() is to be called once all have theirs.
  explicit Connection(WorkerAddress address, proto::GroupMember group = {});
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Opens another session, unless that was done since generation `lost` and it is there.
  /// Errors: as the constructor.
  void reconnect(std::uint64_t lost);
  /// For the next session. Under order().
  void set_group(proto::GroupMember group);
  /// Links the session's worker with the others of its group.
  /// Errors: kUnavailable, naming the one that cannot be reached.
  void join();
  /// Ends the session at the worker, with what runs there; its calls fail from then on.
  /// Threads: while others call.
  void end_session();
  /// Whether the session has ended, with the link or with the worker; what it held does not come back.
  /// Threads: while others call.
  bool has_lost_session();
  /// Of the session; from 1.
  std::uint64_t generation() const { return generation_.load(); }
  /// What the worker said at first.
  const proto::HelloReply& hello() const { return hello_; }
  const WorkerAddress& address() const { return address_; }
  /// For a buffer, a program, an execution or a transfer.
  std::uint64_t next_number() { return ++last_number_; }
  void release(std::uint64_t number);

  /// One call at a time: calls take effect in the order in which they are made.
  std::mutex& order() { return order_; }
  /// Under order().
  Pace& pace() { return pace_; }
  const WorkerClock& clock() const { return clock_; }
  /// Takes the time from a call that has ended.
  void take_clock(const grpc::ClientContext& context);
  /// The next execution that takes rows is the first of a pass. Threads: any.
  void begin_pass() { pass_begins_ = true; }
  /// Returns true to the first caller of a pass, false to later ones.
  bool take_pass() { return pass_begins_.exchange(false); }

  /// The session, and what was released since the last call.
  template <typename Request>
  void fill(Request& request) {
    request.set_session(session_);
    const std::lock_guard lock(released_mutex_);
    for (const std::uint64_t number : released_) pending_.erase(number);
    request.mutable_released()->Add(released_.begin(), released_.end());
    released_.clear();
  }

  /// Keeps a small write for the next execution, or the call before it. False:
  /// there is no room for it.
  bool put_off(std::uint64_t buffer, const ir::TensorType& type, std::string_view bytes);
  /// The writes that were put off, into a request. Those of buffers that are
  /// gone are not among them.
  void take_pending(proto::WriteRequest& request);
  /// Sends them, in front of a call that may need them.
  void send_pending();

  /// Errors: what the worker answers; kUnavailable when it does not.
  template <typename Request, typename Reply>
  void call(grpc::Status (proto::Worker::Stub::*method)(grpc::ClientContext*, const Request&, Reply*),
            const Request& request, Reply& reply) {
    call(*stub_, method, request, reply);
  }

  /// Error of a failed call of the session. Under order().
  Error failed_call(const grpc::Status& status) const;
  /// For calls whose messages are made by hand (Pipeline).
  grpc::GenericStub& generic_stub() { return *generic_stub_; }
  void add_token(grpc::ClientContext& context) const;

  /// While it lives, what the worker says of an execution goes into `progress`,
  /// whose wish to stop goes to the worker.
  class Watch {
   public:
    /// `first`: steps that were done before this execution. Null progress:
    /// nothing is watched.
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
  /// Reads the token and connects with it.
  void open_stubs();
  proto::HelloReply open_session();
  /// Holds the session open until detach().
  void attach();
  void detach();
  /// Returns whether the execution is to be stopped.
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
  std::string token_;  // of the session: the file is read when one is opened
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<proto::Worker::Stub> stub_;
  std::unique_ptr<proto::Transfers::Stub> transfers_;
  std::unique_ptr<grpc::GenericStub> generic_stub_;
  WorkerClock clock_;  // before hello_, whose call sets it
  proto::HelloReply hello_;
  std::string session_;
  std::atomic<std::uint64_t> generation_{1};
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
};

}  // namespace cornu::inline v0::backends::remote
