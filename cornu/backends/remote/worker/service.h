#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "cornu/backends/remote/wire/wire.h"
#include "cornu/backends/remote/worker/options.h"
#include "cornu/backends/remote/worker/peer_group.h"
#include "cornu/backends/remote/worker/request_reader.h"
#include "cornu/backends/remote/worker/session_table.h"
#include "cornu/base/check.h"

namespace cornu::inline v0::backends::remote {

/// Limit of a client's simultaneous calls. It makes one call at a time, and one that stops it.
inline constexpr int kMaxCalls = 4;

/// The services of worker.proto: authenticates callers, finds their sessions and converts errors to statuses.
/// Threads: gRPC calls the methods from many.
class Service final : public grpc::Service {
 public:
  /// `token` empty: none is required. Errors: those of the devices, and of DataRoot.
  Service(const WorkerOptions& options, std::string token);
  ~Service() override;
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  /// Rejects new sessions, and new calls of existing ones except Stop.
  void drain() { is_draining_ = true; }
  /// True if open sessions run only reads, which a draining worker still answers.
  bool is_idle();
  /// True if no client has an open session.
  bool has_no_clients() { return sessions_.all().empty(); }
  /// True if a call other than a read runs, in an open session or in one whose client has left.
  bool is_working() const { return num_calls_.load() != 0; }
  bool is_reading() const { return num_running_reads_.load() != 0; }
  /// The number of reads since the start.
  std::uint64_t num_reads() const { return num_reads_.load(); }
  /// Stops all running and later executions between two steps.
  void stop_all() { is_stopping_ = true; }
  /// Ends all sessions.
  void close() { is_closing_ = true; }

 private:
  struct WorkerDevice {
    std::shared_ptr<runtime::Client> client;
    int place = 0;
    const runtime::DeviceInfo& info() const { return client->devices()[static_cast<std::size_t>(place)]; }
  };

  /// Runs a call's work; exceptions become statuses.
  template <typename F>
  grpc::Status answer(const grpc::ServerContext& context, const F& work);
  /// Adds a method with one message in each direction. `work(context, request, reply)` runs after the token
  /// is checked and the memory for the request's objects is counted: generated services parse messages before
  /// both. It returns void, or the quota's share for the reply, which is released when the reply has been
  /// sent.
  template <typename Request, typename Reply, typename Work>
  void add_call(const char* method, Work work);
  /// Adds a call of a session, implemented by run_call().
  template <typename Request, typename Reply>
  void add_session_call(const char* method);
  void add_calls();
  void hello(grpc::ServerContext& context, const proto::HelloRequest& request, proto::HelloReply& reply);
  grpc::Status attach(grpc::ServerContext& context, const proto::AttachRequest& request,
                      grpc::ServerWriter<proto::AttachReply>& writer);
  QuotaShare execute(grpc::ServerContext& context, const proto::ExecuteRequest& request,
                     proto::ExecuteReply& reply);
  /// Handles the call Run, whose messages are passed through unchanged. Every request has a reply, also after
  /// an error: returning early would leave the reader's thread in the call.
  grpc::Status run(grpc::ServerContext& context, RequestReader::Stream& stream);
  grpc::ByteBuffer run_next(const RequestReader::Arrived& next, ExecutionSequence& sequence);
  void count_steps(const proto::ExecuteReply& reply);
  void add_run();
  void report_status(proto::StatusReply& reply);

  /// Finds a call's session, releases the numbers that the client no longer needs, and does the work.
  template <typename Request, typename Work>
  void in_session(const Request& request, const Work& work);
  /// The same, with the device's clock in the reply of the call.
  template <typename Request, typename Work>
  void in_session(grpc::ServerContext& context, const Request& request, const Work& work);
  /// The calls of Transfers, whose messages have their bytes as the last field.
  grpc::Status write(grpc::ServerContext& context, const grpc::ByteBuffer& message, grpc::ByteBuffer& reply);
  grpc::Status read(grpc::ServerContext& context, const grpc::ByteBuffer& message,
                    grpc::ServerWriter<grpc::ByteBuffer>& writer);
  /// Passes bytes through unchanged: generated services copy them into messages.
  void add_transfers();

  /// Handles another worker's call, which lasts as long as the link. Its messages are passed through
  /// unchanged.
  grpc::Status meet(grpc::ServerContext& context, PeerGroups::Stream& stream);
  void add_meet();

  bool is_allowed(const grpc::ServerContext& context) const;
  /// Finds a device by "TPU:0", "TPU" for the first one, or its number among all; case does not matter.
  const WorkerDevice& device_called(const std::string& asked) const;
  /// The group of the devices in "0+1+2"; if a single device does the work of all, that one.
  WorkerDevice devices_called(const std::string& names) const;
  /// Null if the client requests none.
  /// Errors: those of PeerGroups::open; Unimplemented for a device of another kind.
  std::shared_ptr<SessionGroup> group_of(const proto::HelloRequest& request, const WorkerDevice& device);
  void look_after();

  const WorkerOptions options_;
  const std::string token_;
  std::optional<DataRoot> files_;
  MemoryQuota quota_;
  std::vector<WorkerDevice> devices_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::atomic<bool> is_draining_{false}, is_stopping_{false}, is_closing_{false};
  std::atomic<int> num_calls_{0}, num_running_reads_{0};  // of sessions
  std::atomic<std::uint64_t> num_executions_{0}, num_steps_{0}, num_reads_{0};
  PeerGroups groups_;
  SessionTable sessions_;
  std::mutex over_mutex_;
  bool is_over_ = false;
  std::condition_variable over_;
  std::thread rounds_;  // uses the other members
};

}  // namespace cornu::inline v0::backends::remote
