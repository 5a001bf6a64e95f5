#pragma once

#include <cstddef>
#include <cstring>

#include "cornu/base/undefined.h"

namespace cornu::inline v0::runtime {

/// What writing and reading a buffer is where the host can address it. Errors: FailedPrecondition for a null
/// pointer, which only what has no bytes may come with.
inline void copy_host_memory(void* to, const void* from, std::size_t size_bytes) {
  if (size_bytes == 0) return;
  std::memcpy(&require_defined(static_cast<std::byte*>(to), "host memory"),
              &require_defined(static_cast<const std::byte*>(from), "host memory"), size_bytes);
}

}  // namespace cornu::inline v0::runtime
