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

/// Calls of one method that are on their way together: pieces of large transfers, of which the worker takes
/// one in while the next travels. Messages are made without protobuf, so that bytes go from the caller's
/// memory without a copy in between.
/// Threads: one thread, under the connection's order().
class Pipeline {
 public:
  /// `method`: kWriteMethod or kExecuteMethod.
  Pipeline(Connection& connection, const char* method);
  /// Waits for what is on its way.
  ~Pipeline();
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;

  /// Begins a call, once there are fewer than kMostCalls. `head`: the message without its last field, `data`:
  /// that one, a field `number` of bytes; none when it is empty. `take` gets the answer.
  /// Errors: what the worker answered to an earlier call; kUnavailable when it does not answer.
  void begin(std::string head, int number, const Parts& data, std::function<void(grpc::ByteBuffer&)> take);
  /// Waits for all. Errors: as begin, of the first call that failed.
  void finish();

 private:
  static constexpr std::size_t kMostCalls = 2;
  struct Call;
  /// How many slices of the caller's memory gRPC still has: more than none also after a call has failed.
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
