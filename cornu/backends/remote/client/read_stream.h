#pragma once

#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "cornu/backends/remote/client/connection.h"

namespace cornu::inline v0::backends::remote {

/// A Read call whose reply is streamed: each message is copied once, from the memory in which it arrived to
/// its destination, while the next is in flight.
/// Threads: one thread, under the connection's order().
class ReadStream {
 public:
  ReadStream(Connection& connection, const proto::ReadRequest& request);
  /// Cancels the call if it has not ended.
  ~ReadStream();
  ReadStream(const ReadStream&) = delete;
  ReadStream& operator=(const ReadStream&) = delete;

  /// Reads the reply's bytes into consecutive parts of memory.
  /// Errors: the worker's; kUnavailable if it does not answer; kInternal for a reply of another length or
  ///         kind.
  void read_into(std::span<const std::span<std::byte>> to);

 private:
  /// The next message; null after the last.
  grpc::ByteBuffer* next();
  /// Waits for the pending operation; true if it succeeded.
  bool wait();
  void finish();

  Connection& connection_;
  grpc::ClientContext context_;
  grpc::CompletionQueue events_;
  std::unique_ptr<grpc::GenericClientAsyncReaderWriter> call_;
  std::array<grpc::ByteBuffer, 2> messages_;
  std::size_t arriving_ = 0;  // index in messages_
  bool has_ended_ = false, is_finished_ = false;
  grpc::Status status_;
};

}  // namespace cornu::inline v0::backends::remote
