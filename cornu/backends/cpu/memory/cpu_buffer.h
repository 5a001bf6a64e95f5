#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>

#include "cornu/base/spin_lock.h"
#include "cornu/runtime/executable.h"

namespace cornu::inline v0::backends::cpu {

class TableFile;

/// Frees memory by the function of its origin.
struct FreeBytes {
  std::size_t mapped_bytes = 0;  // 0: from malloc
  void operator()(std::byte* p) const;
};
using AlignedBytes = std::unique_ptr<std::byte[], FreeBytes>;

/// Allocates memory aligned to a cache line, in large pages if it is large. Throws ResourceExhausted, with
/// `what` and the bytes.
AlignedBytes allocate_uninitialized(std::size_t size_bytes, const std::string& what);
/// Allocates zeroed memory.
AlignedBytes allocate_aligned(std::size_t size_bytes, const std::string& what);

class CpuBuffer final : public runtime::Buffer {
 public:
  explicit CpuBuffer(const ir::TensorType& type, runtime::Client* client = nullptr);
  /// A buffer whose memory is the file's: programs update it in place, and it is not shared. host_data() has
  /// the rows that are initialized; copies have all.
  CpuBuffer(std::shared_ptr<TableFile> table, runtime::Client* client);
  const std::byte* host_data() const override { return bytes_.get(); }
  std::byte* writable_host_data() override;
  /// Replaces all bytes; shared ones are not copied first.
  void overwrite(const void* source);
  /// Copies all bytes.
  void read(void* destination) const;
  std::shared_ptr<const std::byte> share() const override {
    if (table_ != nullptr) return nullptr;
    const std::lock_guard lock(lock_);
    return bytes_;
  }

 private:
  bool is_shared() const;
  /// Replaces the memory by a new, uninitialized block; returns the old one.
  std::shared_ptr<std::byte> leave_shared();

  bool is_for_processes_ = false;  // made in a ProcessMemoryScope
  mutable SpinLock lock_;  // held while bytes_ changes, and by threads that share it; the owner reads without
                           // it
  std::shared_ptr<std::byte> bytes_;
  std::shared_ptr<TableFile> table_;
};

}  // namespace cornu::inline v0::backends::cpu
