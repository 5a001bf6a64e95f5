#pragma once

#include <concepts>
#include <cstdint>
#include <new>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

namespace cornu::inline v0 {

/// A count, an extent or a number of bytes during a computation. An overflow beyond 63 bits is remembered
/// through all later operations.
///
///     const CheckedSize window = (CheckedSize(kernel) - 1) * dilation + 1;
///     dims.push_back(window.value("[conv] the window"));
class CheckedSize {
 public:
  template <std::integral T>
  constexpr CheckedSize(T size)
      : size_(static_cast<std::int64_t>(size)), is_beyond_(!std::in_range<std::int64_t>(size)) {}
  /// The number of elements of a tensor with these extents.
  static constexpr CheckedSize product(std::span<const std::int64_t> extents) {
    CheckedSize result = 1;
    for (const std::int64_t extent : extents) result = result * extent;
    return result;
  }

  constexpr bool is_beyond() const { return is_beyond_; }
  constexpr bool exceeds(std::int64_t limit) const { return is_beyond_ || size_ > limit; }
  /// The value. `what` is text, or a function that returns the text, which is called for errors only (also
  /// below).
  /// Errors: ResourceExhausted, stating that `what` is beyond 63 bits.
  template <typename What>
  std::int64_t value(const What& what) const {
    if (is_beyond_) {
      if constexpr (std::invocable<const What&>)
        fail_beyond(what());
      else
        fail_beyond(what);
    }
    return size_;
  }

  friend constexpr CheckedSize operator+(CheckedSize x, CheckedSize y) {
    x.is_beyond_ |= y.is_beyond_ || __builtin_add_overflow(x.size_, y.size_, &x.size_);
    return x;
  }
  friend constexpr CheckedSize operator-(CheckedSize x, CheckedSize y) {
    x.is_beyond_ |= y.is_beyond_ || __builtin_sub_overflow(x.size_, y.size_, &x.size_);
    return x;
  }
  friend constexpr CheckedSize operator*(CheckedSize x, CheckedSize y) {
    x.is_beyond_ |= y.is_beyond_ || __builtin_mul_overflow(x.size_, y.size_, &x.size_);
    return x;
  }

 private:
  [[noreturn]] static void fail_beyond(std::string_view what);

  std::int64_t size_;
  bool is_beyond_;
};

/// The most memory that this process can have: the machine's memory or, if that is less, its cgroup's limit,
/// plus the swap space.
std::int64_t memory_budget_bytes();

/// True if an allocation may be tried. An allocation beyond the budget fails only later, when its pages are
/// touched and the process is killed.
inline bool fits_memory(CheckedSize num_bytes) { return !num_bytes.exceeds(memory_budget_bytes()); }

/// Throws ResourceExhausted: `what` needs `num_bytes`, which are not available.
[[noreturn]] void fail_no_memory(CheckedSize num_bytes, std::string_view what);

template <typename What>
  requires std::invocable<const What&>
[[noreturn]] void fail_no_memory(CheckedSize num_bytes, const What& what) {
  fail_no_memory(num_bytes, std::string_view(what()));
}

/// Rejects in advance a size that can never fit in memory. Errors: ResourceExhausted with the bytes.
template <typename What>
void check_memory(CheckedSize num_bytes, const What& what) {
  if (!fits_memory(num_bytes)) fail_no_memory(num_bytes, what);
}

/// Runs `allocate` if `num_bytes` can fit in memory. Errors: ResourceExhausted with the bytes, also if the
/// allocation fails.
template <typename What, typename F>
decltype(auto) with_host_memory(CheckedSize num_bytes, const What& what, F&& allocate) {
  check_memory(num_bytes, what);
  try {
    return allocate();
  } catch (const std::bad_alloc&) {
    fail_no_memory(num_bytes, what);
  } catch (const std::length_error&) {
    fail_no_memory(num_bytes, what);
  }
}

/// A vector of `count` elements. Errors: ResourceExhausted with the bytes.
template <typename T, typename What>
std::vector<T> host_vector(CheckedSize count, const What& what, const T& value = {}) {
  return with_host_memory(count * sizeof(T), what, [&] {
    return std::vector<T>(static_cast<std::size_t>(count.value("a count")), value);
  });
}

}  // namespace cornu::inline v0
