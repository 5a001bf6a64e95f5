#include "cornu/runtime/process_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "cornu/base/random_token.h"

namespace cornu::inline v0::runtime {
namespace {

constexpr std::size_t kPage = ProcessMemoryView::kPage, kLargePage = ProcessMemoryView::kLargePage;

std::size_t whole_pages(std::size_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

/// Reserves addresses for whole pages, the first of which begins a large page. Returns null if there are none.
std::byte* reserve_addresses(std::size_t size_bytes) {
  const std::size_t all = size_bytes + kLargePage;
  void* const reserved = mmap(nullptr, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reserved == MAP_FAILED) return nullptr;
  auto* const begin = static_cast<std::byte*>(reserved);
  const std::size_t before = (kLargePage - reinterpret_cast<std::uintptr_t>(begin) % kLargePage) % kLargePage;
  if (before > 0) munmap(begin, before);
  munmap(begin + before + size_bytes, kLargePage - before);
  return begin + before;
}

/// Gives memory of a file large pages, as far as it has whole ones and the system can. Linux otherwise gives
/// files in memory small pages, unless it is set up otherwise for the whole machine; a collapse does not
/// depend on that. Large pages without any small one are not collapsed, so one is allocated in each before.
void collapse_pages(int file, std::byte* memory, std::size_t size_bytes) {
  constexpr int kCollapse = 25;  // MADV_COLLAPSE of Linux 6.1, which C libraries of that time do not name
  const std::size_t whole = size_bytes / kLargePage * kLargePage;
  for (std::size_t at = 0; at < whole; at += kLargePage)
    if (posix_fallocate(file, static_cast<off_t>(at), kPage) != 0) return;
  if (whole > 0) madvise(memory, whole, kCollapse);  // an optimization: its failure leaves small pages
}

/// Closes a file at the end of a scope, unless it is released.
class OpenFile {
 public:
  explicit OpenFile(int file) : file_(file) {}
  ~OpenFile() {
    if (file_ >= 0) close(file_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  int number() const { return file_; }
  int release() { return std::exchange(file_, -1); }

 private:
  int file_;
};

/// All such memory of this process, by address.
struct Allocations {
  std::mutex mutex;
  std::map<const std::byte*, ProcessMemoryHandle> handles;
};
Allocations& allocations() {
  static Allocations& all = *new Allocations;
  return all;
}

void free_process_memory(std::byte* memory, std::size_t size_bytes) {
  ProcessMemoryHandle handle;
  {
    Allocations& all = allocations();
    const std::lock_guard lock(all.mutex);
    handle = all.handles.at(memory);
    all.handles.erase(memory);
  }
  munmap(memory, whole_pages(size_bytes));
  close(static_cast<int>(handle.file));
}

thread_local bool is_scope_active = false;

}  // namespace

std::shared_ptr<std::byte> allocate_process_memory(std::size_t size_bytes) {
  OpenFile file(memfd_create("cornu-table", MFD_CLOEXEC));
  if (file.number() < 0) return nullptr;
  // The token follows the memory.
  const std::size_t token_at = whole_pages(size_bytes);
  const ProcessMemoryHandle handle{
      .pid = getpid(), .file = file.number(), .token = random_token(), .size_bytes = size_bytes};
  std::byte* const memory = reserve_addresses(token_at);
  if (memory == nullptr) return nullptr;
  const auto map = [&] {
    if (ftruncate(file.number(), static_cast<off_t>(token_at + kPage)) != 0 ||
        mmap(memory, token_at, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file.number(), 0) ==
            MAP_FAILED)
      return false;
    madvise(memory, token_at, MADV_HUGEPAGE);  // an optimization, where the system is set up for it
    collapse_pages(file.number(), memory, token_at);
    // Pages are reserved now: a page that is missing later ends the process.
    return posix_fallocate(file.number(), 0, static_cast<off_t>(token_at + kPage)) == 0 &&
           pwrite(file.number(), &handle.token, sizeof(handle.token), static_cast<off_t>(token_at)) ==
               static_cast<ssize_t>(sizeof(handle.token));
  };
  if (!map()) {
    munmap(memory, token_at);
    return nullptr;
  }
  {
    Allocations& all = allocations();
    const std::lock_guard lock(all.mutex);
    all.handles.emplace(memory, handle);
  }
  file.release();
  return {memory, [size_bytes](std::byte* p) { free_process_memory(p, size_bytes); }};
}

ProcessMemoryHandle process_memory_handle(const std::byte* memory) {
  Allocations& all = allocations();
  const std::lock_guard lock(all.mutex);
  const auto found = all.handles.find(memory);
  return found == all.handles.end() ? ProcessMemoryHandle() : found->second;
}

ProcessMemoryScope::ProcessMemoryScope(bool is_active) : before_(std::exchange(is_scope_active, is_active)) {}
ProcessMemoryScope::~ProcessMemoryScope() { is_scope_active = before_; }
bool ProcessMemoryScope::is_active() { return is_scope_active; }

namespace {

/// Maps the beginning of a process's memory to an address. Returns false if that is impossible.
bool map_at(std::byte* address, const ProcessMemoryHandle& handle, std::size_t size_bytes) {
  if (handle.file < 0 || handle.size_bytes < size_bytes) return false;
  const std::string path = "/proc/" + std::to_string(handle.pid) + "/fd/" + std::to_string(handle.file);
  // Not a pipe or a terminal: a number may be another file in another container.
  const OpenFile file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat status = {};
  const std::size_t token_at = whole_pages(handle.size_bytes);
  std::uint64_t token = 0;
  if (file.number() < 0 || fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode) ||
      status.st_size != static_cast<off_t>(token_at + kPage) ||
      pread(file.number(), &token, sizeof(token), static_cast<off_t>(token_at)) !=
          static_cast<ssize_t>(sizeof(token)) ||
      token != handle.token)
    return false;
  return mmap(address, whole_pages(size_bytes), PROT_READ, MAP_SHARED | MAP_FIXED, file.number(), 0) !=
         MAP_FAILED;
}

}  // namespace

std::unique_ptr<ProcessMemoryView> ProcessMemoryView::open(std::span<const ProcessMemoryHandle> handles,
                                                           std::size_t size_bytes, std::size_t distance) {
  const std::size_t all_bytes = distance * handles.size();
  std::byte* const reserved = reserve_addresses(all_bytes);
  if (reserved == nullptr) return nullptr;
  std::unique_ptr<ProcessMemoryView> view(new ProcessMemoryView(reserved, all_bytes));
  for (std::size_t i = 0; i < handles.size(); ++i)
    if (!map_at(view->address_ + i * distance, handles[i], size_bytes)) return nullptr;
  return view;
}

ProcessMemoryView::~ProcessMemoryView() { munmap(address_, size_bytes_); }

}  // namespace cornu::inline v0::runtime
