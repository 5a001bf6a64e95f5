#include "cornu/backends/cpu/memory/cpu_buffer.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "cornu/backends/cpu/memory/live_ranges.h"
#include "cornu/backends/cpu/memory/table_file.h"
#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"
#include "cornu/base/cpu_budget.h"
#include "cornu/runtime/host_memory.h"
#include "cornu/runtime/process_memory.h"

namespace cornu::inline v0::backends::cpu {
namespace {

constexpr std::size_t kLargePage = std::size_t{2} << 20;

/// Maps memory, which the system zeroes at the first touch, on the touching thread. Large pages need fewer
/// faults and fewer TLB entries.
AlignedBytes map(std::size_t size_bytes) {
  // Reserves space to align to a large page; the ends are unmapped.
  const std::size_t wanted = (size_bytes + kLargePage - 1) / kLargePage * kLargePage;
  void* const mapped =
      mmap(nullptr, wanted + kLargePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  const std::size_t before =
      (kLargePage - reinterpret_cast<std::uintptr_t>(mapped) % kLargePage) % kLargePage;
  std::byte* const start = static_cast<std::byte*>(mapped) + before;
  if (before > 0) munmap(mapped, before);
  if (before < kLargePage) munmap(start + wanted, kLargePage - before);
  madvise(start, wanted, MADV_HUGEPAGE);  // an optimization: without it pages are small
  return {start, FreeBytes{wanted}};
}

AlignedBytes allocate(std::size_t size_bytes, const std::string& what) {
  const auto tagged = [&] { return "[cpu] " + what; };
  check_memory(size_bytes, tagged);
  AlignedBytes bytes;
  if (size_bytes >= kLargePage)
    bytes = map(size_bytes);
  else
    bytes.reset(static_cast<std::byte*>(
        std::aligned_alloc(kAlignment, (size_bytes + kAlignment) / kAlignment * kAlignment)));
  if (bytes == nullptr) fail_no_memory(size_bytes, tagged);
  return bytes;
}

}  // namespace

void FreeBytes::operator()(std::byte* p) const {
  if (mapped_bytes > 0)
    munmap(p, mapped_bytes);
  else
    std::free(p);
}

AlignedBytes allocate_uninitialized(std::size_t size_bytes, const std::string& what) {
  return allocate(size_bytes, what);
}

AlignedBytes allocate_aligned(std::size_t size_bytes, const std::string& what) {
  AlignedBytes bytes = allocate(size_bytes, what);
  if (bytes.get_deleter().mapped_bytes == 0) std::memset(bytes.get(), 0, size_bytes);
  return bytes;
}

namespace {

std::string what_buffer(const ir::TensorType& type) { return "a " + type.str(); }
std::shared_ptr<std::byte> shared(AlignedBytes bytes) {
  const FreeBytes free = bytes.get_deleter();
  return {bytes.release(), free};
}

/// Memory that other processes can map, if the system has some; else null. Errors: ResourceExhausted.
std::shared_ptr<std::byte> for_processes(const ir::TensorType& type) {
  if (type.size_bytes() < runtime::kLeastProcessMemory) return nullptr;
  check_memory(type.size_bytes(), [&] { return "[cpu] " + what_buffer(type); });
  return runtime::allocate_process_memory(type.size_bytes());
}

}  // namespace

CpuBuffer::CpuBuffer(const ir::TensorType& type, runtime::Client* client)
    : Buffer(type, client), is_for_processes_(runtime::ProcessMemoryScope::is_active()) {
  if (is_for_processes_) bytes_ = for_processes(type);
  if (bytes_ == nullptr) bytes_ = shared(allocate_aligned(type.size_bytes(), what_buffer(type)));
}

CpuBuffer::CpuBuffer(std::shared_ptr<TableFile> table, runtime::Client* client)
    : Buffer(table->type(), client), bytes_(table, table->rows()), table_(std::move(table)) {}

bool CpuBuffer::is_shared() const {
  if (table_ != nullptr) return false;
  if (bytes_.use_count() > 1) return true;
  std::atomic_thread_fence(std::memory_order_acquire);  // the last sharer's reads are complete
  return false;
}

std::shared_ptr<std::byte> CpuBuffer::leave_shared() {
  std::shared_ptr<std::byte> other = is_for_processes_ ? for_processes(type()) : nullptr;
  if (other == nullptr) other = shared(allocate_uninitialized(type().size_bytes(), what_buffer(type())));
  const std::lock_guard lock(lock_);
  bytes_.swap(other);
  return other;
}

std::byte* CpuBuffer::writable_host_data() {
  if (is_shared()) {
    const std::shared_ptr<std::byte> before = leave_shared();
    std::memcpy(bytes_.get(), before.get(), type().size_bytes());
  }
  return bytes_.get();
}

void CpuBuffer::overwrite(const void* source) {
  if (table_ != nullptr) return table_->write(static_cast<const std::byte*>(source));
  std::shared_ptr<std::byte> before;  // which may hold `source`
  if (is_shared()) before = leave_shared();
  runtime::copy_host_memory(bytes_.get(), source, type().size_bytes());
}

void CpuBuffer::read(void* destination) const {
  if (table_ != nullptr) return table_->read(static_cast<std::byte*>(destination));
  runtime::copy_host_memory(destination, bytes_.get(), type().size_bytes());
}

}  // namespace cornu::inline v0::backends::cpu
