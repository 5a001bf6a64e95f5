#include "cornu/plugin/memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"

namespace cornu::inline v0::plugin {
namespace {

constexpr std::size_t kAlignment = 64, kLargePage = std::size_t{2} << 20;
constexpr std::size_t kMaxPoolBytes = std::size_t{256} << 20;

std::size_t rounded(std::size_t size_bytes) {
  const std::size_t unit = size_bytes >= kLargePage ? kLargePage : kAlignment;
  return std::max<std::size_t>((size_bytes + unit - 1) / unit, 1) * unit;
}

std::byte* take_from_system(std::size_t size_bytes) {
  const std::size_t alignment = size_bytes >= kLargePage ? kLargePage : kAlignment;
  void* const data = std::aligned_alloc(alignment, size_bytes);
  if (data != nullptr && alignment == kLargePage) madvise(data, size_bytes, MADV_HUGEPAGE);
  return static_cast<std::byte*>(data);
}

}  // namespace

MemoryPool::~MemoryPool() {
  for (auto& [size, blocks] : free_)
    for (std::byte* const block : blocks) std::free(block);
}

std::byte* MemoryPool::allocate(std::size_t size_bytes) {
  const auto what = [] { return std::string("[pjrt_plugin] a buffer"); };
  const std::size_t size = rounded(size_bytes);
  const std::lock_guard lock(mutex_);
  std::byte* data = nullptr;
  std::vector<std::byte*>& free = free_[size];
  if (!free.empty()) {
    data = free.back();
    free.pop_back();
    statistics_.pool_bytes -= size;
  } else {
    if (size >= kLargePage) check_memory(size, what);
    data = take_from_system(size);
    if (data == nullptr) fail_no_memory(size, what);
  }
  statistics_.bytes_in_use += size;
  statistics_.peak_bytes = std::max(statistics_.peak_bytes, statistics_.bytes_in_use);
  statistics_.largest_bytes = std::max(statistics_.largest_bytes, size);
  ++statistics_.num_allocations;
  return data;
}

void MemoryPool::release(std::byte* data, std::size_t size_bytes) noexcept {
  const std::size_t size = rounded(size_bytes);
  const std::lock_guard lock(mutex_);
  statistics_.bytes_in_use -= size;
  if (statistics_.pool_bytes + size > kMaxPoolBytes) return std::free(data);
  try {
    free_[size].push_back(data);
    statistics_.pool_bytes += size;
  } catch (...) {
    std::free(data);
  }
}

MemoryStatistics MemoryPool::statistics() const {
  const std::lock_guard lock(mutex_);
  return statistics_;
}

Block::Block(std::shared_ptr<MemoryPool> pool, std::size_t size_bytes)
    : data_(nullptr), size_bytes_(size_bytes), pool_(std::move(pool)) {}

Block::Block(std::byte* data, std::size_t size_bytes, bool is_immutable, std::function<void()> release)
    : data_(data), size_bytes_(size_bytes), is_immutable_(is_immutable), release_(std::move(release)) {}

Block::~Block() {
  std::byte* const data = data_.load(std::memory_order_acquire);
  if (pool_ != nullptr && data != nullptr) pool_->release(data, size_bytes_);
  if (release_) release_();
}

std::byte* Block::allocate() const {
  std::byte *const data = pool_->allocate(size_bytes_), *earlier = nullptr;
  if (data_.compare_exchange_strong(earlier, data, std::memory_order_acq_rel)) return data;
  pool_->release(data, size_bytes_);
  return earlier;
}

}  // namespace cornu::inline v0::plugin
