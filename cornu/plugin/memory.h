#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace cornu::inline v0::plugin {

/// Memory in use by a client's buffers.
struct MemoryStatistics {
  std::size_t bytes_in_use = 0, peak_bytes = 0, largest_bytes = 0, pool_bytes = 0;
  std::int64_t num_allocations = 0;
};

/// Allocates memory of buffers, aligned to 64 bytes. Freed blocks are kept for requests of the same size, up to
/// a limit: a training loop asks for the same sizes again, and fresh pages are slow.
/// Threads: safe.
class MemoryPool {
 public:
  ~MemoryPool();
  /// Errors: ResourceExhausted, with the number of bytes.
  std::byte* allocate(std::size_t size_bytes);
  void release(std::byte* data, std::size_t size_bytes) noexcept;
  MemoryStatistics statistics() const;

 private:
  mutable std::mutex mutex_;
  std::unordered_map<std::size_t, std::vector<std::byte*>> free_;
  MemoryStatistics statistics_;
};

/// A piece of memory that buffers refer to.
class Block {
 public:
  /// Memory of the pool, which the first call of data() takes: programs that wait to run hold none, and one after the
  /// other uses the same memory.
  Block(std::shared_ptr<MemoryPool> pool, std::size_t size_bytes);
  /// Memory of the caller, which `release` gives back.
  Block(std::byte* data, std::size_t size_bytes, bool is_immutable, std::function<void()> release);
  ~Block();
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  /// Errors: those of MemoryPool::allocate.
  /// Threads: safe.
  std::byte* data() const {
    std::byte* const data = data_.load(std::memory_order_acquire);
    return data != nullptr || pool_ == nullptr ? data : allocate();
  }
  std::size_t size_bytes() const { return size_bytes_; }
  /// True if programs may write to it when its only buffer is donated.
  bool can_be_donated() const { return !is_immutable_ && num_owners.load(std::memory_order_acquire) == 1; }

  /// Number of buffers and external references that refer to it; submitted work does not count.
  std::atomic<int> num_owners{0};

 private:
  std::byte* allocate() const;

  mutable std::atomic<std::byte*> data_;
  std::size_t size_bytes_;
  bool is_immutable_ = false;
  std::shared_ptr<MemoryPool> pool_;
  std::function<void()> release_;
};

/// A reference that counts as an owner of the block. Null: none.
class BlockOwner {
 public:
  BlockOwner() = default;
  explicit BlockOwner(std::shared_ptr<Block> block) : block_(std::move(block)) {
    if (block_ != nullptr) block_->num_owners.fetch_add(1, std::memory_order_relaxed);
  }
  BlockOwner(BlockOwner&&) noexcept = default;
  BlockOwner& operator=(BlockOwner&& other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  ~BlockOwner() { reset(); }

  void reset() {
    if (block_ == nullptr) return;
    block_->num_owners.fetch_sub(1, std::memory_order_release);
    block_.reset();
  }
  const std::shared_ptr<Block>& block() const { return block_; }

 private:
  std::shared_ptr<Block> block_;
};

}  // namespace cornu::inline v0::plugin
