#include "cornu/plugin/strided_copy.h"

#include <cstring>

#include "cornu/base/check.h"

namespace cornu::inline v0::plugin {
namespace {

/// Copies `count` elements of kSize bytes that are apart by the strides.
template <std::size_t kSize>
void copy_line(std::byte* to, std::int64_t to_stride, const std::byte* from, std::int64_t from_stride,
               std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) std::memcpy(to + i * to_stride, from + i * from_stride, kSize);
}

void copy_line(std::byte* to, std::int64_t to_stride, const std::byte* from, std::int64_t from_stride,
               std::int64_t count, std::size_t element_size) {
  switch (element_size) {
    case 1: return copy_line<1>(to, to_stride, from, from_stride, count);
    case 2: return copy_line<2>(to, to_stride, from, from_stride, count);
    case 4: return copy_line<4>(to, to_stride, from, from_stride, count);
    case 8: return copy_line<8>(to, to_stride, from, from_stride, count);
    case 16: return copy_line<16>(to, to_stride, from, from_stride, count);
    default: CORNU_CHECK(false, "elements of {} bytes", element_size);
  }
}

}  // namespace

bool is_row_major(std::span<const std::int64_t> dims, std::span<const std::int64_t> byte_strides,
                  std::size_t element_size) {
  if (byte_strides.empty()) return true;
  auto expected = static_cast<std::int64_t>(element_size);
  for (std::size_t i = dims.size(); i-- > 0;) {
    if (dims[i] == 0) return true;
    if (dims[i] != 1 && byte_strides[i] != expected) return false;
    expected *= dims[i];
  }
  return true;
}

void copy_strided(std::byte* to, std::span<const std::int64_t> to_strides, const std::byte* from,
                  std::span<const std::int64_t> from_strides, std::span<const std::int64_t> dims,
                  std::size_t element_size) {
  if (is_row_major(dims, to_strides, element_size) && is_row_major(dims, from_strides, element_size)) {
    std::size_t size = element_size;
    for (const std::int64_t extent : dims) size *= static_cast<std::size_t>(extent);
    if (size > 0) std::memcpy(to, from, size);
    return;
  }
  if (dims.size() == 1) return copy_line(to, to_strides[0], from, from_strides[0], dims[0], element_size);
  for (std::int64_t i = 0; i < dims[0]; ++i)
    copy_strided(to + i * to_strides[0], to_strides.subspan(1), from + i * from_strides[0],
                 from_strides.subspan(1), dims.subspan(1), element_size);
}

std::vector<std::int64_t> row_major_strides(std::span<const std::int64_t> dims, std::size_t element_size) {
  std::vector<std::int64_t> strides(dims.size());
  auto stride = static_cast<std::int64_t>(element_size);
  for (std::size_t i = dims.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= dims[i];
  }
  return strides;
}

std::vector<std::int64_t> strides_of(const PJRT_Buffer_MemoryLayout* layout,
                                     std::span<const std::int64_t> dims, std::size_t element_size) {
  if (layout == nullptr) return row_major_strides(dims, element_size);
  const auto check_rank = [&](std::size_t rank) {
    if (rank != dims.size())
      invalid_argument("[pjrt_plugin] a layout of {} dimensions does not fit a tensor of {}", rank,
                       dims.size());
  };
  if (layout->type == PJRT_Buffer_MemoryLayout_Type_Strides) {
    check_rank(layout->strides.num_byte_strides);
    return {layout->strides.byte_strides, layout->strides.byte_strides + dims.size()};
  }
  if (layout->tiled.num_tiles != 0)
    fail(ErrorCode::kUnimplemented, "[pjrt_plugin] buffers have no layouts with tiles");
  check_rank(layout->tiled.minor_to_major_size);
  std::vector<std::int64_t> strides(dims.size());
  auto stride = static_cast<std::int64_t>(element_size);
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const std::int64_t dimension = layout->tiled.minor_to_major[i];
    if (dimension < 0 || static_cast<std::size_t>(dimension) >= dims.size())
      invalid_argument("[pjrt_plugin] a layout names dimension {} of a tensor of {}", dimension, dims.size());
    strides[static_cast<std::size_t>(dimension)] = stride;
    stride *= dims[static_cast<std::size_t>(dimension)];
  }
  return strides;
}

}  // namespace cornu::inline v0::plugin
