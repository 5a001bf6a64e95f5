#include "cornu/io/idx.h"

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"
#include "cornu/io/byte_reader.h"

namespace cornu::inline v0::io {
namespace {

ElementType idx_type(const ByteReader& reader, unsigned code) {
  switch (code) {
    case 0x08: return ElementType::kU8;
    case 0x09: return ElementType::kI8;
    case 0x0B: return ElementType::kI16;
    case 0x0C: return ElementType::kI32;
    case 0x0D: return ElementType::kF32;
    case 0x0E: return ElementType::kF64;
    default: reader.corrupt_here(fmt::format("not an IDX file: there is no element type {:#04x}", code));
  }
}

}  // namespace

Array parse_idx(std::span<const std::byte> bytes, StringViewArgument name, const ReadLimits& limits) {
  ByteReader reader(bytes, name);
  const auto magic = reader.take_big_endian<std::uint32_t>("the header of an IDX file");
  if (magic >> 16 != 0)
    corrupt(name, 0, fmt::format("not an IDX file: it begins with {:#010x}, not with two zero bytes", magic));
  Array array;
  array.type = idx_type(reader, magic >> 8 & 0xFF);
  CheckedSize size = element_size_bytes(array.type);
  for (std::uint32_t i = 0; i < (magic & 0xFF); ++i) {
    array.dims.push_back(reader.take_big_endian<std::uint32_t>("an extent"));
    size = size * array.dims.back();
    if (size.is_beyond())
      reader.corrupt_here(
          fmt::format("the size of the extents {} does not fit 63 bits", fmt::join(array.dims, " x ")));
  }
  const std::int64_t size_bytes = size.value("its array");
  check_size(name, "its array", static_cast<std::uint64_t>(size_bytes), limits);
  const auto elements = reader.take(static_cast<std::uint64_t>(size_bytes),
                                    fmt::format("an array of {}", fmt::join(array.dims, " x ")));
  reader.expect_end();
  array.data =
      copy_elements(elements, element_size_bytes(array.type), std::endian::native == std::endian::little);
  return array;
}

Array read_idx(const StringArgument& path, const ReadLimits& limits) {
  return parse_idx(read_file_or_gzip(path, limits), path, limits);
}

}  // namespace cornu::inline v0::io
