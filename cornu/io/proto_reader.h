#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

#include "cornu/io/byte_reader.h"

namespace cornu::inline v0::io {

/// Reads the fields of an untrusted message in protobuf's wire format sequentially.
///
/// Errors: DataLoss with the source and the offset in it.
/// Lifetime: the bytes and the name must outlive it.
class ProtoReader {
 public:
  enum class Wire : std::uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };
  struct Field {
    std::uint32_t number;
    Wire wire;
  };

  /// `begin`: the origin of offsets in errors.
  ProtoReader(std::string_view bytes, std::string_view name, const char* begin)
      : at_(bytes.data()), end_(bytes.data() + bytes.size()), begin_(begin), name_(name) {}

  bool has_more() const { return at_ != end_; }
  Field take_field() {
    const std::uint64_t tag = take_varint();
    const std::uint64_t number = tag >> 3;
    if (number == 0 || number > 0x1FFFFFFF) damaged("a field without a number");
    const auto wire = static_cast<Wire>(tag & 7);
    if (wire != Wire::kVarint && wire != Wire::kFixed64 && wire != Wire::kBytes && wire != Wire::kFixed32)
      damaged("a field of unknown kind");
    return {static_cast<std::uint32_t>(number), wire};
  }
  std::uint64_t take_varint() {
    if (at_ != end_ && (static_cast<unsigned char>(*at_) & 0x80) == 0)
      return static_cast<unsigned char>(*at_++);
    return take_long_varint();
  }
  std::string_view take_bytes() {
    const std::uint64_t size = take_varint();
    if (size > static_cast<std::uint64_t>(end_ - at_)) damaged("a field that is longer than its message");
    const std::string_view bytes(at_, static_cast<std::size_t>(size));
    at_ += size;
    return bytes;
  }
  /// Reads a float in little-endian byte order.
  float take_float() {
    if (end_ - at_ < 4) damaged("a number that is cut off");
    float value;
    std::memcpy(&value, at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  void skip(Wire wire) {
    switch (wire) {
      case Wire::kVarint: take_varint(); return;
      case Wire::kBytes: take_bytes(); return;
      case Wire::kFixed64: skip_bytes(8); return;
      case Wire::kFixed32: skip_bytes(4); return;
    }
  }
  [[noreturn]] void damaged(std::string_view what) const;

 private:
  std::uint64_t take_long_varint();
  void skip_bytes(std::ptrdiff_t count) {
    if (end_ - at_ < count) damaged("a number that is cut off");
    at_ += count;
  }

  const char* at_;
  const char* end_;
  const char* begin_;
  std::string_view name_;
};

}  // namespace cornu::inline v0::io
