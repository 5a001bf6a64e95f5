#pragma once

#include <cstdint>
#include <string_view>

#include "cornu/base/checked_size.h"

namespace cornu::inline v0 {

/// Limits the sum of this thread's claim_memory() calls to `num_bytes` while it lives, so that a small file
/// cannot request all memory before anything is computed.
class MemoryAllowance {
 public:
  explicit MemoryAllowance(std::int64_t num_bytes);
  ~MemoryAllowance();
  MemoryAllowance(const MemoryAllowance&) = delete;
  MemoryAllowance& operator=(const MemoryAllowance&) = delete;

  /// Takes from this thread's allowance; false if too little is left. Without an allowance: true.
  static bool take(CheckedSize num_bytes);
  /// Throws ResourceExhausted: `what` needs more than is left.
  [[noreturn]] static void fail_beyond(CheckedSize num_bytes, std::string_view what);

 private:
  std::int64_t num_bytes_;
  std::int64_t left_bytes_;
  MemoryAllowance* before_;
};

/// Claims memory whose size depends on options or shapes, before it is allocated: constants, and parts of a
/// graph that grow with a number. `what` is a function that returns the text; it is called for errors only.
/// Errors: ResourceExhausted beyond this thread's allowance, or beyond this process's memory.
template <typename What>
void claim_memory(CheckedSize num_bytes, const What& what) {
  check_memory(num_bytes, what);
  if (!MemoryAllowance::take(num_bytes)) MemoryAllowance::fail_beyond(num_bytes, what());
}

}  // namespace cornu::inline v0
