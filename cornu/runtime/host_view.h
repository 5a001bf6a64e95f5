#pragma once

#include "cornu/runtime/executable.h"
#include "cornu/runtime/host_memory.h"

namespace cornu::inline v0::runtime {

/// Host memory as a buffer, for arguments that are only read: clients whose devices the host can address take
/// it without a copy. One that says such a client is checked as fast as a buffer of its own.
/// Lifetime: the memory's, which the user sees to.
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
