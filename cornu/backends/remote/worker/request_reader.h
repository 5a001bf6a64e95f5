#pragma once

#include <grpcpp/grpcpp.h>

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

#include "cornu/backends/remote/worker/messages.h"

namespace cornu::inline v0::backends::remote {

/// Reads the requests of a Run in a thread of its own, so that the next ones arrive while an execution runs.
/// At most kMostWaiting of them wait, each counted like the request of a call.
/// Threads: one thread.
class RequestReader {
 public:
  using Stream = grpc::ServerReaderWriter<grpc::ByteBuffer, grpc::ByteBuffer>;
  static constexpr std::size_t kMostWaiting = 2;

  struct Arrived {
    QuotaShare share;  // of the request's objects
    proto::ExecuteRequest request;
    std::exception_ptr error;  // set if the message is not a request, or the quota has no space for it
  };

  RequestReader(Stream& stream, MemoryQuota& quota);
  /// Waits for the end of the client's requests, or of the call.
  ~RequestReader();
  RequestReader(const RequestReader&) = delete;
  RequestReader& operator=(const RequestReader&) = delete;

  /// Waits for the next request; null after the last.
  std::unique_ptr<Arrived> next();

 private:
  void read_all();
  void put(std::unique_ptr<Arrived> arrived);

  Stream& stream_;
  MemoryQuota& quota_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::unique_ptr<Arrived>> waiting_;
  bool has_ended_ = false;     // no further request arrives
  bool is_abandoned_ = false;  // no further request is taken
  std::thread thread_;         // uses the other members
};

}  // namespace cornu::inline v0::backends::remote
