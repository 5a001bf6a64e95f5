#pragma once

#include <cstddef>
#include <memory>

#include "cornu/ir/graph.h"

namespace cornu::inline v0::runtime {

class Client;

/// A tensor in a device's memory, row-major. Where the host can address the device it begins on a 64-byte
/// boundary.
///
/// An execution that is given a buffer as state puts the new value into the same object; a device whose
/// programs make new memory for their results (donation) exchanges the handle inside.
/// Threads:  one writer at a time, and no readers beside it.
/// Lifetime: within its client's.
class Buffer {
 public:
  virtual ~Buffer() = default;
  const ir::TensorType& type() const { return type_; }
  /// ir::word_of(type()): executions compare it instead of the type.
  std::uint64_t word_of_type() const { return word_of_type_; }
  /// Null for memory of the host that belongs to no client (HostView).
  Client* client() const { return client_; }
  /// Its place in client()->devices().
  int device() const { return device_; }

  /// Copies size_bytes bytes from / to host memory: a Client::write or read of one buffer. Whoever has more
  /// than one to copy asks the client, which copies them in one round trip.
  /// Errors: FailedPrecondition for a null pointer, unless the tensor has no bytes.
  void copy_from_host(const void* source);
  void copy_to_host(void* destination) const;

  /// Where the bytes can be read on an addressable device; null on others.
  virtual const std::byte* host_data() const { return nullptr; }
  /// Where they can be written in place. Bytes that are shared are left to those who share them: the buffer
  /// goes on with a copy.
  virtual std::byte* writable_host_data() { return nullptr; }
  /// The bytes as they are now, which no later write to the buffer changes; null on a device that is not
  /// addressable, and for backends that do not share. As long as nobody writes, it is the same address each
  /// time.
  /// Threads: safe while nobody writes.
  virtual std::shared_ptr<const std::byte> share() const { return nullptr; }

 protected:
  explicit Buffer(ir::TensorType type, Client* client = nullptr, int device = 0)
      : type_(std::move(type)), word_of_type_(ir::word_of(type_)), client_(client), device_(device) {}

 private:
  ir::TensorType type_;
  std::uint64_t word_of_type_;
  Client* client_;
  int device_;
};

}  // namespace cornu::inline v0::runtime
