#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

/// Memory of a process that the other processes of its machine can read (docs/adr/0170).
namespace cornu::inline v0::runtime {

/// Identifies such memory for other processes. Sent as it is, with other handles compared by its bytes.
struct ProcessMemoryHandle {
  std::int64_t pid = 0;
  std::int64_t file = -1;  // the file's number in that process; -1: there is none
  std::uint64_t token = 0;
  std::uint64_t size_bytes = 0;

  bool operator==(const ProcessMemoryHandle&) const = default;
};

/// Allocates zeroed memory that begins a large page and has no name in a file system, so that nothing is left
/// of it after the processes that use it. It has large pages where the system can collapse small ones. Returns
/// null if the system refuses.
/// Threads: safe.
std::shared_ptr<std::byte> allocate_process_memory(std::size_t size_bytes);
/// The handle of such memory by its address; one without a file for any other memory. Threads: safe.
ProcessMemoryHandle process_memory_handle(const std::byte* memory);

/// Makes the buffers that this thread allocates on the CPU engine such memory while it lives, if they are
/// large.
class ProcessMemoryScope {
 public:
  explicit ProcessMemoryScope(bool is_active);
  ~ProcessMemoryScope();
  ProcessMemoryScope(const ProcessMemoryScope&) = delete;
  ProcessMemoryScope& operator=(const ProcessMemoryScope&) = delete;

  static bool is_active();

 private:
  bool before_;
};
/// The size from which on buffers in a ProcessMemoryScope are such memory.
inline constexpr std::size_t kLeastProcessMemory = std::size_t{2} << 20;

/// Read-only mappings of the memory of several processes, at equal distances in this one's address space.
///
/// Owns: the mappings. They stay readable after a process has freed its memory or has ended.
class ProcessMemoryView {
 public:
  /// Maps the first `size_bytes` of each. `distance`: between their beginnings, a multiple of kPage and at
  /// least size_bytes; with a multiple of kLargePage all keep their large pages. Returns null if one of them
  /// cannot be mapped: on another machine, in some containers.
  static std::unique_ptr<ProcessMemoryView> open(std::span<const ProcessMemoryHandle> handles,
                                                 std::size_t size_bytes, std::size_t distance);
  ~ProcessMemoryView();
  ProcessMemoryView(const ProcessMemoryView&) = delete;
  ProcessMemoryView& operator=(const ProcessMemoryView&) = delete;

  std::byte* address() const { return address_; }
  static constexpr std::size_t kPage = 4096, kLargePage = std::size_t{2} << 20;

 private:
  ProcessMemoryView(std::byte* address, std::size_t size_bytes)
      : address_(address), size_bytes_(size_bytes) {}

  std::byte* address_;
  std::size_t size_bytes_;
};

}  // namespace cornu::inline v0::runtime
