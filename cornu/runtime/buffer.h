#pragma once

#include <cstddef>
#include <memory>

#include "cornu/ir/type.h"

namespace cornu::inline v0::runtime {

class Client;

/// A tensor in a device's memory, row-major. On an addressable device its data are aligned to 64 bytes.
///
/// An execution writes a state buffer's new value into the same object. On a device whose programs allocate
/// their results (donation) the handle inside is exchanged.
/// Threads:  one writer at a time, and no readers at the same time.
/// Lifetime: the client must outlive it.
class Buffer {
 public:
  virtual ~Buffer() = default;
  const ir::TensorType& type() const { return type_; }
  /// ir::fingerprint(type()): executions compare it instead of the type.
  std::uint64_t type_fingerprint() const { return type_fingerprint_; }
  /// Null for host memory without a client (HostView).
  Client* client() const { return client_; }
  /// Index in client()->devices().
  int device() const { return device_; }

  /// Copies size_bytes bytes from / to host memory. To copy several buffers in one round trip, call
  /// Client::write or Client::read.
  /// Errors: FailedPrecondition for a null pointer, unless the tensor has no bytes.
  void copy_from_host(const void* source);
  void copy_to_host(void* destination) const;

  /// The bytes for reading, on an addressable device; null on others.
  virtual const std::byte* host_data() const { return nullptr; }
  /// The bytes for writing in place. If they are shared (share()), the buffer first gets its own copy.
  virtual std::byte* writable_host_data() { return nullptr; }
  /// A snapshot of the bytes that later writes to the buffer do not change. Null on a device that is not
  /// addressable, and for backends that do not share. The address is the same until the next write.
  /// Threads: safe between writes.
  virtual std::shared_ptr<const std::byte> share() const { return nullptr; }

 protected:
  explicit Buffer(ir::TensorType type, Client* client = nullptr, int device = 0)
      : type_(std::move(type)), type_fingerprint_(ir::fingerprint(type_)), client_(client), device_(device) {}

 private:
  ir::TensorType type_;
  std::uint64_t type_fingerprint_;
  Client* client_;
  int device_;
};

}  // namespace cornu::inline v0::runtime
