#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>

#include "cornu/base/spin_lock.h"
#include "cornu/runtime/executable.h"

namespace cornu::inline v0::backends::cpu {

/// Gives memory back to where it came from.
struct FreeBytes {
  std::size_t mapped_bytes = 0;  // 0: from malloc
  void operator()(std::byte* p) const;
};
using AlignedBytes = std::unique_ptr<std::byte[], FreeBytes>;

/// Memory on a cache line boundary, in large pages where it is large. Throws ResourceExhausted, naming `what`
/// and the bytes.
AlignedBytes allocate_uninitialized(std::size_t size_bytes, const std::string& what);
/// The same, zeroed.
AlignedBytes allocate_aligned(std::size_t size_bytes, const std::string& what);

class CpuBuffer final : public runtime::Buffer {
 public:
  explicit CpuBuffer(const ir::TensorType& type, runtime::Client* client = nullptr);
  const std::byte* host_data() const override { return bytes_.get(); }
  std::byte* writable_host_data() override;
  /// Replaces all bytes: those that were shared are not copied first.
  void overwrite(const void* source);
  std::shared_ptr<const std::byte> share() const override {
    const std::lock_guard lock(lock_);
    return bytes_;
  }

 private:
  bool is_shared() const;
  /// Goes on with uninitialized memory of its own; returns the memory that it had.
  std::shared_ptr<std::byte> leave_shared();

  mutable SpinLock lock_;  // held while bytes_ changes, and by those that share it; its owner reads without
  std::shared_ptr<std::byte> bytes_;
};

}  // namespace cornu::inline v0::backends::cpu
