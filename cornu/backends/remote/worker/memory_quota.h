#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>

namespace cornu::inline v0::backends::remote {

/// The memory that the sessions of a worker share. Threads: safe.
class MemoryQuota {
 public:
  /// 0: no limit.
  explicit MemoryQuota(std::size_t limit_bytes) : limit_bytes_(limit_bytes) {}
  /// Errors: ResourceExhausted with what there is.
  void take(std::size_t num_bytes, std::string_view what);
  void give_back(std::size_t num_bytes) { used_bytes_->fetch_sub(num_bytes); }
  std::size_t used_bytes() const { return used_bytes_->load(); }
  std::size_t limit_bytes() const { return limit_bytes_; }
  /// Holds a value's bytes and counts them until the last copy of what it returns goes, which may outlive the
  /// quota. Null: they are more than there is.
  std::shared_ptr<const std::byte> hold(std::shared_ptr<const std::byte> bytes, std::size_t num_bytes);
  /// Memory that counts as long as a copy of the pointer lives, which may outlive the quota.
  /// Errors: as take().
  std::shared_ptr<std::byte> allocate(std::size_t num_bytes, std::string_view what);

 private:
  /// False, and nothing taken, beyond the limit. `before`: what was taken.
  bool try_take(std::size_t num_bytes, std::size_t& before);

  std::size_t limit_bytes_;
  std::shared_ptr<std::atomic<std::size_t>> used_bytes_ = std::make_shared<std::atomic<std::size_t>>(0);
};

/// Memory that was taken from a quota, and goes back with it.
class QuotaShare {
 public:
  QuotaShare() = default;
  /// Errors: as MemoryQuota::take.
  QuotaShare(MemoryQuota& quota, std::size_t num_bytes, std::string_view what)
      : quota_(&quota), num_bytes_(num_bytes) {
    quota.take(num_bytes, what);
  }
  QuotaShare(QuotaShare&& other) noexcept
      : quota_(std::exchange(other.quota_, nullptr)), num_bytes_(std::exchange(other.num_bytes_, 0)) {}
  QuotaShare& operator=(QuotaShare&& other) noexcept {
    std::swap(quota_, other.quota_);
    std::swap(num_bytes_, other.num_bytes_);
    return *this;
  }
  /// Takes more. Errors: as MemoryQuota::take, and nothing is taken.
  void add(MemoryQuota& quota, std::size_t num_bytes, std::string_view what) {
    quota.take(num_bytes, what);
    quota_ = &quota;
    num_bytes_ += num_bytes;
  }
  ~QuotaShare() {
    if (quota_ != nullptr) quota_->give_back(num_bytes_);
  }

 private:
  MemoryQuota* quota_ = nullptr;
  std::size_t num_bytes_ = 0;
};

}  // namespace cornu::inline v0::backends::remote
