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
#include "cornu/backends/remote/worker/session_table.h"
#include "cornu/base/check.h"

namespace cornu::inline v0::backends::remote {

/// A client has one call at a time, beside it one that stops it; more is a flood.
inline constexpr int kMaxCalls = 4;

/// The services of worker.proto: lets callers in, finds their sessions and turns
/// what goes wrong into statuses. Threads: gRPC calls the methods from many.
class Service final : public grpc::Service {
 public:
  /// `token` empty: none is asked for. Errors: those of the devices, and of DataRoot.
  Service(const WorkerOptions& options, std::string token);
  ~Service() override;
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  /// No new sessions and no new calls of those that are there, but Stop.
  void drain() { is_draining_ = true; }
  /// True if open sessions run only reads, which a draining worker still answers.
  bool is_idle();
  /// True if a call other than a read runs, in an open session or in one whose client has left.
  bool is_working() const { return num_calls_.load() != 0; }
  bool is_reading() const { return num_running_reads_.load() != 0; }
  /// That have begun since the start.
  std::uint64_t num_reads() const { return num_reads_.load(); }
  /// Whatever runs, or begins to, ends between two steps.
  void stop_all() { is_stopping_ = true; }
  /// All sessions end.
  void close() { is_closing_ = true; }

 private:
  struct WorkerDevice {
    std::shared_ptr<runtime::Client> client;
    int place = 0;
    const runtime::DeviceInfo& info() const { return client->devices()[static_cast<std::size_t>(place)]; }
  };

  /// Runs a call's work; whatever it throws becomes a status.
  template <typename F>
  grpc::Status answer(const grpc::ServerContext& context, const F& work);
  /// Adds a method of one message each way. `work(context, request, reply)` runs once the token was checked
  /// and the memory for the request's objects counted: generated services read messages before both.
  /// It returns nothing, or the quota's memory for the reply, which is given back when the reply has been sent.
  template <typename Request, typename Reply, typename Work>
  void add_call(const char* method, Work work);
  /// Adds a call of a session, which run_call() does.
  template <typename Request, typename Reply>
  void add_session_call(const char* method);
  void add_calls();
  void hello(grpc::ServerContext& context, const proto::HelloRequest& request, proto::HelloReply& reply);
  grpc::Status attach(grpc::ServerContext& context, const proto::AttachRequest& request,
                      grpc::ServerWriter<proto::AttachReply>& writer);
  QuotaShare execute(grpc::ServerContext& context, const proto::ExecuteRequest& request,
                     proto::ExecuteReply& reply);
  void report_status(proto::StatusReply& reply);

  /// Finds a call's session, releases what the client needs no more, and does the work.
  template <typename Request, typename Work>
  void in_session(grpc::ServerContext& context, const Request& request, const Work& work);
  /// The calls of Transfers, whose messages have their bytes as the last field.
  grpc::Status write(grpc::ServerContext& context, const grpc::ByteBuffer& message, grpc::ByteBuffer& reply);
  grpc::Status read(grpc::ServerContext& context, const grpc::ByteBuffer& message,
                    grpc::ServerWriter<grpc::ByteBuffer>& writer);
  /// Bytes come and go as they are: generated services copy them into messages.
  void add_transfers();

  /// Another worker's call, which stays. Its messages come and go as they are.
  grpc::Status meet(grpc::ServerContext& context, PeerGroups::Stream& stream);
  void add_meet();

  bool is_allowed(const grpc::ServerContext& context) const;
  /// By "TPU:0", "TPU" for the first of them, or its number among all; upper or lower case.
  const WorkerDevice& device_called(const std::string& asked) const;
  /// Of the devices in "0+1+2": a group of them, or where one of them does the work of all, that one.
  WorkerDevice devices_called(const std::string& names) const;
  /// Null where the client asks for none.
  /// Errors: as PeerGroups::open; Unimplemented for a device of another kind.
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
  std::thread rounds_;  // works on the others
};

}  // namespace cornu::inline v0::backends::remote
