#pragma once

#include <cstddef>

namespace cornu::inline v0::backends::cpu {

/// Memory of decompositions between their steps, on a cache line boundary. A thread keeps up to 8 MiB of what it gives
/// back, because fresh pages of a matrix of 256 x 256 cost a quarter of its decomposition's time.
///
/// Threads: safe. Errors: std::bad_alloc.
void* take_work_memory(std::size_t size_bytes);
/// `size_bytes`: the number that was taken.
void give_back_work_memory(void* memory, std::size_t size_bytes) noexcept;

}  // namespace cornu::inline v0::backends::cpu
