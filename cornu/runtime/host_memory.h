#pragma once

#include <cstddef>
#include <cstring>

#include "cornu/base/undefined.h"

namespace cornu::inline v0::runtime {

/// Copies between a buffer and the host if the host can address both. Errors: FailedPrecondition for a null
/// pointer, unless size_bytes is 0.
inline void copy_host_memory(void* to, const void* from, std::size_t size_bytes) {
  if (size_bytes == 0) return;
  std::memcpy(&require_defined(static_cast<std::byte*>(to), "host memory"),
              &require_defined(static_cast<const std::byte*>(from), "host memory"), size_bytes);
}

}  // namespace cornu::inline v0::runtime
