#include "cornu/ir/bytecode/byte_reader.h"

#include <bit>

#include "cornu/base/check.h"

namespace cornu::inline v0::ir::bytecode {

std::string_view ByteReader::bytes(std::uint64_t size) {
  if (size > num_left())
    fail(fmt::format("expected {} more bytes; this part of the bytecode has {}", size, num_left()));
  const std::string_view taken = source_->source(position_, static_cast<std::size_t>(size));
  position_ += taken.size();
  return taken;
}

ByteReader ByteReader::part(std::uint64_t size) {
  const std::size_t begin = position_;
  bytes(size);
  return {*source_, begin, position_};
}

std::uint8_t ByteReader::byte() { return static_cast<std::uint8_t>(bytes(1)[0]); }

std::uint64_t ByteReader::varint() {
  const std::uint8_t first = byte();
  const int num_more = first == 0 ? 8 : std::countr_zero(first);
  std::uint64_t rest = 0;
  const std::string_view more = bytes(static_cast<std::uint64_t>(num_more));
  for (int i = 0; i < num_more; ++i)
    rest |= std::uint64_t{static_cast<std::uint8_t>(more[static_cast<std::size_t>(i)])} << (8 * i);
  if (first == 0) return rest;
  // The bits of the first byte above its tag are the lowest ones.
  const int num_low = 7 - num_more;
  const std::uint64_t low = num_low == 0 ? 0 : static_cast<std::uint64_t>(first) >> (num_more + 1);
  return rest << num_low | low;
}

std::int64_t ByteReader::signed_varint() {
  const std::uint64_t value = varint();
  return static_cast<std::int64_t>((value >> 1) ^ (~(value & 1) + 1));
}

std::pair<std::uint64_t, bool> ByteReader::varint_with_flag() {
  const std::uint64_t value = varint();
  return {value >> 1, (value & 1) != 0};
}

std::size_t ByteReader::count(std::string_view what) {
  const std::size_t at = position_;
  const std::uint64_t count = varint();
  if (count > num_left())
    source_->fail_at(at, fmt::format("{} {} cannot be in the {} bytes that are left of this part", count,
                                     what, num_left()));
  return static_cast<std::size_t>(count);
}

std::size_t ByteReader::index(std::size_t table_size, std::string_view what) {
  const std::size_t at = position_;
  const std::uint64_t index = varint();
  if (index >= table_size)
    source_->fail_at(at, fmt::format("there is no {} {}; there are {}", what, index, table_size));
  return static_cast<std::size_t>(index);
}

std::string_view ByteReader::zero_terminated() {
  const std::string_view rest = source_->source(position_, num_left());
  const std::size_t size = rest.find('\0');
  if (size == std::string_view::npos) fail("a text has no zero byte at its end");
  position_ += size + 1;
  return rest.substr(0, size);
}

}  // namespace cornu::inline v0::ir::bytecode
