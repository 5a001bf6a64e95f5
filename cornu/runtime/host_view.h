#pragma once

#include "cornu/runtime/executable.h"
#include "cornu/runtime/host_memory.h"

namespace cornu::inline v0::runtime {

/// Host memory as a read-only argument: clients with addressable devices take it without a copy. A view made
/// with such a client is checked as fast as that client's own buffers.
/// Lifetime: the caller keeps the memory alive.
/// Errors: FailedPrecondition for copying before look_at().
class HostView final : public Buffer {
 public:
  explicit HostView(ir::TensorType type, Client* client = nullptr, int device = 0)
      : Buffer(std::move(type), client, device) {}
  void look_at(const std::byte* data) { data_ = const_cast<std::byte*>(data); }

  const std::byte* host_data() const override { return data_; }
  std::byte* writable_host_data() override { return data_; }

 private:
  std::byte* data_ = nullptr;
};

}  // namespace cornu::inline v0::runtime
