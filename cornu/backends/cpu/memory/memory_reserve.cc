#include "cornu/backends/cpu/memory/memory_reserve.h"

#include <sys/mman.h>

#include <cstdlib>
#include <mutex>
#include <new>
#include <utility>

#include "cornu/base/check.h"

namespace cornu::inline v0::backends::cpu {
namespace {

constexpr std::size_t kPiece = std::size_t{4} << 20;

thread_local constinit MemoryReserve* reserve_of_thread = nullptr;

std::mutex handler_mutex;  // guards the two variables below
int num_reserves = 0;
std::atomic<std::new_handler> programs_handler{nullptr};

void on_failed_new() {
  if (reserve_of_thread != nullptr && reserve_of_thread->release_piece()) return;
  const std::new_handler next = programs_handler.load();
  if (next == nullptr) throw std::bad_alloc();
  next();
}

void install_handler() {
  const std::lock_guard lock(handler_mutex);
  if (num_reserves++ == 0) programs_handler = std::set_new_handler(&on_failed_new);
}

void remove_handler() {
  const std::lock_guard lock(handler_mutex);
  if (--num_reserves == 0 && std::get_new_handler() == &on_failed_new) std::set_new_handler(programs_handler);
}

/// Calls `allocate`, and repeats it as long as the thread's reserve can release memory.
template <typename F>
void* with_reserve(F&& allocate) {
  for (;;) {
    void* const memory = allocate();
    if (memory != nullptr || reserve_of_thread == nullptr || !reserve_of_thread->release_piece())
      return memory;
  }
}

}  // namespace

MemoryReserve::MemoryReserve(const char* what, std::size_t size_bytes)
    : what_(what), size_bytes_((size_bytes + kPiece - 1) / kPiece * kPiece), left_bytes_(size_bytes_) {
  void* const mapped =
      mmap(nullptr, size_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED)
    fail(ErrorCode::kResourceExhausted, "[cpu] not enough memory for {}: it may take {} bytes", what,
         size_bytes_);
  memory_ = static_cast<std::byte*>(mapped);
  install_handler();
}

MemoryReserve::~MemoryReserve() {
  remove_handler();
  if (left_bytes_ > 0) munmap(memory_, left_bytes_);
}

MemoryReserve::Scope::Scope(MemoryReserve& reserve) : before_(std::exchange(reserve_of_thread, &reserve)) {}
MemoryReserve::Scope::~Scope() { reserve_of_thread = before_; }

void MemoryReserve::check() const {
  if (is_drawn_on_) fail(ErrorCode::kResourceExhausted, "[cpu] not enough memory for {}", what_);
}

bool MemoryReserve::release_piece() {
  std::size_t left = left_bytes_.load();
  while (left > 0 && !left_bytes_.compare_exchange_weak(left, left - kPiece)) {
  }
  if (left == 0) return false;
  is_drawn_on_ = true;
  munmap(memory_ + left - kPiece, kPiece);
  return true;
}

void MemoryReserve::release_all() {
  if (const std::size_t left = left_bytes_.exchange(0); left > 0) munmap(memory_, left);
}

MemoryReserve* MemoryReserve::of_thread() { return reserve_of_thread; }

}  // namespace cornu::inline v0::backends::cpu

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the linker's names.
// Calls of malloc and similar functions in code linked with LLVM are redirected here (see cmake/Llvm.cmake):
// LLVM aborts the process when they fail.
extern "C" {
void* __real_malloc(std::size_t size);
void* __real_calloc(std::size_t count, std::size_t size);
void* __real_realloc(void* memory, std::size_t size);
void* __wrap_malloc(std::size_t size);
void* __wrap_calloc(std::size_t count, std::size_t size);
void* __wrap_realloc(void* memory, std::size_t size);

void* __wrap_malloc(std::size_t size) {
  return cornu::backends::cpu::with_reserve([=] { return __real_malloc(size); });
}
void* __wrap_calloc(std::size_t count, std::size_t size) {
  return cornu::backends::cpu::with_reserve([=] { return __real_calloc(count, size); });
}
void* __wrap_realloc(void* memory, std::size_t size) {
  if (size == 0) return __real_realloc(memory, size);  // frees, and returns null
  return cornu::backends::cpu::with_reserve([=] { return __real_realloc(memory, size); });
}
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
