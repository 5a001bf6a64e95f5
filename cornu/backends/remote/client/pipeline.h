#pragma once

#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "cornu/backends/remote/wire/last_field.h"

namespace cornu::inline v0::backends::remote {

class Connection;

/// Concurrent calls of one method, for pieces of large transfers: the worker processes one while the next is
/// in flight. Messages are encoded without protobuf, so that bytes are sent from the caller's memory without
/// a copy.
/// Threads: one thread, under the connection's order().
class Pipeline {
 public:
  /// `method`: kWriteMethod or kExecuteMethod.
  Pipeline(Connection& connection, const char* method);
  /// Waits for running calls.
  ~Pipeline();
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;

  /// Begins a call, once fewer than kMostCalls are running. `head`: the message without its last field;
  /// `data`: that field, number `number`, of bytes (empty: no field). `take` receives the reply.
  /// Errors: the worker's for an earlier call; kUnavailable if it does not answer.
  void begin(std::string head, int number, const Parts& data, std::function<void(grpc::ByteBuffer&)> take);
  /// Waits for all calls. Errors: as for begin, of the first call that failed.
  void finish();

 private:
  static constexpr std::size_t kMostCalls = 2;
  struct Call;
  /// The number of slices of the caller's memory that gRPC still uses; it may be positive after a failed
  /// call.
  struct Lent {
    std::mutex mutex;
    std::condition_variable given_back;
    std::size_t count = 0;
  };

  grpc::Slice lend(std::span<const std::byte> memory);
  void finish_one();
  void wait_for_all();

  Connection& connection_;
  std::string method_;
  grpc::CompletionQueue events_;
  std::size_t num_calls_ = 0;
  std::shared_ptr<Lent> lent_ = std::make_shared<Lent>();
  std::exception_ptr error_;
};

}  // namespace cornu::inline v0::backends::remote
