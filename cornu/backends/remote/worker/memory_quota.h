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
  /// Errors: ResourceExhausted with the remaining bytes.
  void take(std::size_t num_bytes, std::string_view what);
  void give_back(std::size_t num_bytes) { used_bytes_->fetch_sub(num_bytes); }
  std::size_t used_bytes() const { return used_bytes_->load(); }
  std::size_t limit_bytes() const { return limit_bytes_; }
  /// Keeps a value's bytes alive and counts them until the last copy of the result is destroyed, which may
  /// outlive the quota. Null if they exceed the quota.
  std::shared_ptr<const std::byte> hold(std::shared_ptr<const std::byte> bytes, std::size_t num_bytes);
  /// Allocates memory that counts as long as a copy of the pointer lives, which may outlive the quota.
  /// Errors: those of take().
  std::shared_ptr<std::byte> allocate(std::size_t num_bytes, std::string_view what);

 private:
  friend class QuotaShare;
  /// False, with nothing taken, beyond the limit. `before`: the bytes taken before.
  bool try_take(std::size_t num_bytes, std::size_t& before);

  std::size_t limit_bytes_;
  std::shared_ptr<std::atomic<std::size_t>> used_bytes_ = std::make_shared<std::atomic<std::size_t>>(0);
};

/// Memory taken from a quota, which is returned on destruction; it may outlive the quota.
class QuotaShare {
 public:
  QuotaShare() = default;
  /// Errors: those of MemoryQuota::take.
  QuotaShare(MemoryQuota& quota, std::size_t num_bytes, std::string_view what)
      : used_bytes_(quota.used_bytes_), num_bytes_(num_bytes) {
    quota.take(num_bytes, what);
  }
  QuotaShare(QuotaShare&& other) noexcept
      : used_bytes_(std::move(other.used_bytes_)), num_bytes_(std::exchange(other.num_bytes_, 0)) {}
  QuotaShare& operator=(QuotaShare&& other) noexcept {
    std::swap(used_bytes_, other.used_bytes_);
    std::swap(num_bytes_, other.num_bytes_);
    return *this;
  }
  /// Takes more. Errors: those of MemoryQuota::take, with nothing taken.
  void add(MemoryQuota& quota, std::size_t num_bytes, std::string_view what) {
    quota.take(num_bytes, what);
    used_bytes_ = quota.used_bytes_;
    num_bytes_ += num_bytes;
  }
  ~QuotaShare() {
    if (used_bytes_ != nullptr) used_bytes_->fetch_sub(num_bytes_);
  }
  std::size_t num_bytes() const { return num_bytes_; }

 private:
  std::shared_ptr<std::atomic<std::size_t>> used_bytes_;  // the quota's; null: nothing taken
  std::size_t num_bytes_ = 0;
};

}  // namespace cornu::inline v0::backends::remote
