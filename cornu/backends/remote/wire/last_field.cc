#include "cornu/backends/remote/wire/last_field.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "cornu/io/proto_writer.h"

namespace cornu::inline v0::backends::remote {
namespace {

/// Wire types: the low three bits of a field's tag, which determine its length.
enum Kind : std::uint8_t {
  kVarint = 0,
  kEightBytes = 1,
  kBytes = 2,
  kGroupBegins = 3,
  kGroupEnds = 4,
  kFourBytes = 5
};
constexpr int kKindBits = 3;

bool read_varint(PartsReader& reader, std::uint64_t& value) {
  value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    if (reader.left() == 0) return false;
    const std::byte byte = reader.take_byte();
    value |= static_cast<std::uint64_t>(byte & std::byte{0x7f}) << shift;
    if (byte < std::byte{0x80}) return true;
  }
  return false;
}

bool skip(PartsReader& reader, std::uint64_t count) {
  if (count > reader.left()) return false;
  reader.skip(static_cast<std::size_t>(count));
  return true;
}

bool skip_field(PartsReader& reader, std::uint64_t kind) {
  std::uint64_t size = 0;
  switch (kind) {
    case kVarint: return read_varint(reader, size);
    case kEightBytes: return skip(reader, 8);
    case kFourBytes: return skip(reader, 4);
    case kBytes: return read_varint(reader, size) && skip(reader, size);
    default: return false;  // groups, which proto3 does not have
  }
}

}  // namespace

std::size_t size_of(const Parts& parts) {
  std::size_t size = 0;
  for (const auto& part : parts) size += part.size();
  return size;
}

void copy_bytes(const Parts& parts, std::byte* to) {
  for (const auto& part : parts) to = std::copy(part.begin(), part.end(), to);
}

std::byte PartsReader::take_byte() {
  for (; at_ == parts_[part_].size(); ++part_) at_ = 0;
  --left_;
  return parts_[part_][at_++];
}

Parts PartsReader::take(std::size_t count) {
  Parts taken;
  left_ -= count;
  while (count > 0) {
    const std::span<const std::byte> here =
        parts_[part_].subspan(at_, std::min(count, parts_[part_].size() - at_));
    if (!here.empty()) taken.push_back(here);
    count -= here.size();
    at_ += here.size();
    if (at_ < parts_[part_].size()) continue;
    ++part_;
    at_ = 0;
  }
  return taken;
}

void PartsReader::skip(std::size_t count) {
  left_ -= count;
  while (count > 0) {
    const std::size_t here = std::min(count, parts_[part_].size() - at_);
    count -= here;
    at_ += here;
    if (at_ < parts_[part_].size()) continue;
    ++part_;
    at_ = 0;
  }
}

std::optional<FieldHead> take_field_head(PartsReader& reader) {
  std::uint64_t tag = 0, size = 0;
  if (!read_varint(reader, tag)) return std::nullopt;
  FieldHead head{.number = tag >> kKindBits};
  const std::uint64_t kind = tag & ((1U << kKindBits) - 1);
  // A group's fields are treated as the message's: no sender uses groups, and protobuf keeps unknown ones.
  if (kind == kGroupBegins || kind == kGroupEnds) return head;
  if (kind != kBytes) return skip_field(reader, kind) ? std::optional(head) : std::nullopt;
  if (!read_varint(reader, size) || size > reader.left()) return std::nullopt;
  head.has_length = true;
  head.num_bytes = static_cast<std::size_t>(size);
  return head;
}

void append_field_head(std::string& head, int number, std::size_t num_bytes) {
  io::append_varint(head, (static_cast<std::uint64_t>(number) << kKindBits) | kBytes);
  io::append_varint(head, num_bytes);
}

std::optional<SplitMessage> split_last_field(const Parts& message, int number) {
  PartsReader reader(message);
  const auto head_of = [&](std::size_t num_bytes) {
    std::string head(num_bytes, '\0');
    copy_bytes(PartsReader(message).take(num_bytes), reinterpret_cast<std::byte*>(head.data()));
    return head;
  };
  const std::size_t total = reader.left();
  while (reader.left() > 0) {
    const std::size_t begin = total - reader.left();
    std::uint64_t tag = 0, size = 0;
    if (!read_varint(reader, tag)) return std::nullopt;
    if (tag == ((static_cast<std::uint64_t>(number) << kKindBits) | kBytes)) {
      if (!read_varint(reader, size) || size != reader.left()) return std::nullopt;
      return SplitMessage{head_of(begin), reader.take(reader.left())};
    }
    if (!skip_field(reader, tag & ((1U << kKindBits) - 1))) return std::nullopt;
  }
  return SplitMessage{head_of(total), {}};
}

}  // namespace cornu::inline v0::backends::remote
