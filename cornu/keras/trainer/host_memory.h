#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>

#include "cornu/base/error.h"

namespace cornu::inline v0::keras {

/// Runs `allocate`, turning a failed host allocation into Error(kResourceExhausted) that names `what` and the bytes asked for.
template <typename F>
decltype(auto) with_host_memory(std::size_t num_bytes, const char* what, F&& allocate) {
  const auto exhausted = [&] {
    return Error(ErrorCode::kResourceExhausted,
                 "not enough host memory for " + std::string(what) + ": " + std::to_string(num_bytes) + " bytes");
  };
  try {
    return allocate();
  } catch (const std::bad_alloc&) {
    throw exhausted();
  } catch (const std::length_error&) {
    throw exhausted();
  }
}

}  // namespace cornu::inline v0::keras
