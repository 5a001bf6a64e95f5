#pragma once

#include <cstdint>
#include <string_view>

#include "cornu/base/checked_size.h"

namespace cornu::inline v0 {

/// While it lives, what claim_memory() is asked for on this thread may come to `num_bytes` in all: a small
/// file cannot describe what takes all memory before anything of it is computed.
class MemoryAllowance {
 public:
  explicit MemoryAllowance(std::int64_t num_bytes);
  ~MemoryAllowance();
  MemoryAllowance(const MemoryAllowance&) = delete;
  MemoryAllowance& operator=(const MemoryAllowance&) = delete;

  /// Takes from this thread's; false when not so much is left. Without one: true.
  static bool take(CheckedSize num_bytes);
  /// Throws ResourceExhausted: `what` takes more than is left.
  [[noreturn]] static void fail_beyond(CheckedSize num_bytes, std::string_view what);

 private:
  std::int64_t num_bytes_;
  std::int64_t left_bytes_;
  MemoryAllowance* before_;
};

/// Before memory is taken whose size options or shapes say: constants, the parts of a graph that grow with a
/// number. `what` is a function of nothing that makes the text, which is made for errors only. Errors:
/// ResourceExhausted beyond this thread's allowance, or beyond what this process can have.
template <typename What>
void claim_memory(CheckedSize num_bytes, const What& what) {
  check_memory(num_bytes, what);
  if (!MemoryAllowance::take(num_bytes)) MemoryAllowance::fail_beyond(num_bytes, what());
}

}  // namespace cornu::inline v0
