#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cornu/plugin/error.h"

namespace cornu::inline v0::plugin {

/// True if the strides are those of a row-major tensor. Empty strides are row-major.
bool is_row_major(std::span<const std::int64_t> dims, std::span<const std::int64_t> byte_strides,
                  std::size_t element_size);

/// Copies a tensor between memory with these strides, in bytes.
void copy_strided(std::byte* to, std::span<const std::int64_t> to_strides, const std::byte* from,
                  std::span<const std::int64_t> from_strides, std::span<const std::int64_t> dims,
                  std::size_t element_size);

std::vector<std::int64_t> row_major_strides(std::span<const std::int64_t> dims, std::size_t element_size);
/// The strides of a layout; null: row-major. Errors: Unimplemented for tiles; InvalidArgument for a layout of
/// another rank.
std::vector<std::int64_t> strides_of(const PJRT_Buffer_MemoryLayout* layout,
                                     std::span<const std::int64_t> dims, std::size_t element_size);

}  // namespace cornu::inline v0::plugin
