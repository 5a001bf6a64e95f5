#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cornu/backends/remote/client/connection.h"
#include "cornu/base/check.h"
#include "cornu/runtime/client.h"
#include "cornu/runtime/distant_client.h"

namespace cornu::inline v0::backends::remote {

/// An array of a file on the worker: the request to open it again, and what is known of it.
struct FileOrigin {
  proto::OpenRequest request;  // for this array alone, without a session
  std::optional<runtime::ValueRange> range;
};

/// Host memory for a value that the reply to an execution brings.
struct LateDestination {
  std::uint64_t num_changes = 0;  // as in KnownBytes, at the request
  std::byte* to = nullptr;
  std::shared_ptr<std::size_t> num_missing;  // destinations of the same read without their value
};

/// The bytes of a buffer, if the client has them. Replies share this object, so that the buffer may be destroyed
/// before they arrive.
struct KnownBytes {
  std::optional<std::string> bytes;
  std::uint64_t num_changes = 0;  // submitted changes of the buffer
  std::uint64_t num_awaited = 0;  // num_changes after the last execution whose reply brings the bytes
  std::vector<LateDestination> late;

  /// True if the bytes are those of the last change, which a reply will bring.
  bool are_awaited() const { return num_changes != 0 && num_awaited == num_changes && !bytes.has_value(); }
};

/// A buffer on the worker, which makes it at the first write or when it is an execution's output. Threads:
/// the local state is read and changed under the connection's order().
class RemoteBuffer final : public runtime::Buffer {
 public:
  RemoteBuffer(const ir::TensorType& type, runtime::Client* client, std::shared_ptr<Connection> connection)
      : Buffer(type, client), connection_(std::move(connection)), number_(connection_->next_number()) {}
  /// Makes a buffer that the worker has filled from a file. Under the connection's order().
  RemoteBuffer(const ir::TensorType& type, runtime::Client* client, std::shared_ptr<Connection> connection,
               std::uint64_t number, FileOrigin origin)
      : Buffer(type, client),
        connection_(std::move(connection)),
        number_(number),
        generation_(connection_->generation()),
        origin_(std::move(origin)) {}
  ~RemoteBuffer() override { connection_->release(number_); }
  RemoteBuffer(const RemoteBuffer&) = delete;
  RemoteBuffer& operator=(const RemoteBuffer&) = delete;
  std::uint64_t number() const { return number_; }

  /// Its bytes, if the last execution returned them.
  const std::optional<std::string>& known() const { return known_->bytes; }
  void set_known(std::string bytes) { known_->bytes = std::move(bytes); }
  /// For a reply, whose bytes are the buffer's only if no change was submitted after the request.
  const std::shared_ptr<KnownBytes>& known_bytes() const { return known_; }
  /// Marks the buffer as changed in the current session.
  void set_written() {
    ++known_->num_changes;
    known_->bytes.reset();
    generation_ = connection_->generation();
  }
  /// Opens a file's array again if it was lost with a session. Under the connection's order(), before a
  /// request is filled.
  /// Errors: FailedPrecondition if the contents were lost with a session; those of DistantClient::open.
  void make_alive() const {
    if (generation_ == 0 || generation_ == connection_->generation()) return;
    if (origin_.has_value()) return open_again();
    fail(ErrorCode::kFailedPrecondition,
         "[grpc] a value on the worker at {} was lost with the link to it: assign it again",
         connection_->address().host_port);
  }
  /// Null if it is not a file's array.
  const FileOrigin* origin() const { return origin_.has_value() ? &*origin_ : nullptr; }

 private:
  void open_again() const;

  std::shared_ptr<Connection> connection_;
  std::uint64_t number_;
  std::shared_ptr<KnownBytes> known_ = std::make_shared<KnownBytes>();
  mutable std::uint64_t generation_ = 0;  // generation of the session in which it was written; 0: never
  std::optional<FileOrigin> origin_;
};

inline RemoteBuffer& remote_buffer(runtime::Buffer& buffer) { return static_cast<RemoteBuffer&>(buffer); }
inline const RemoteBuffer& remote_buffer(const runtime::Buffer& buffer) {
  return static_cast<const RemoteBuffer&>(buffer);
}

}  // namespace cornu::inline v0::backends::remote
