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

/// A Read whose answer comes message by message: each is copied once, from the memory in which it came to
/// where its bytes belong, while the next is on its way.
/// Threads: one thread, under the connection's order().
class ReadStream {
 public:
  ReadStream(Connection& connection, const proto::ReadRequest& request);
  /// Breaks the call off where it has not ended.
  ~ReadStream();
  ReadStream(const ReadStream&) = delete;
  ReadStream& operator=(const ReadStream&) = delete;

  /// The answer's bytes into memory that follows in parts.
  /// Errors: what the worker answered; kUnavailable when it does not; kInternal when it answered with fewer
  ///         or more bytes, or with something else.
  void read_into(std::span<const std::span<std::byte>> to);

 private:
  /// The next message; null behind the last.
  grpc::ByteBuffer* next();
  /// Of the one operation that is on its way: whether it went well.
  bool wait();
  void finish();

  Connection& connection_;
  grpc::ClientContext context_;
  grpc::CompletionQueue events_;
  std::unique_ptr<grpc::GenericClientAsyncReaderWriter> call_;
  std::array<grpc::ByteBuffer, 2> messages_;
  std::size_t arriving_ = 0;  // of messages_
  bool has_ended_ = false, is_finished_ = false;
  grpc::Status status_;
};

}  // namespace cornu::inline v0::backends::remote
