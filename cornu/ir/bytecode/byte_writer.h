#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace cornu::inline v0::ir::bytecode {

/// Writes the numbers of MLIR bytecode; the counterpart of ByteReader.
class ByteWriter {
 public:
  const std::string& bytes() const { return bytes_; }

  ByteWriter& byte(std::uint8_t value) {
    bytes_ += static_cast<char>(value);
    return *this;
  }
  ByteWriter& append(std::string_view more) {
    bytes_ += more;
    return *this;
  }
  /// An unsigned number in one to nine bytes.
  ByteWriter& varint(std::uint64_t value) {
    constexpr int kMostBytes = 8, kBitsPerByte = 7;
    const int num_bits = static_cast<int>(std::bit_width(value | 1));
    const int num_bytes = (num_bits + kBitsPerByte - 1) / kBitsPerByte;
    if (num_bytes > kMostBytes) {
      byte(0);
      return little_endian(value, 8);
    }
    return little_endian((value << 1 | 1) << (num_bytes - 1), num_bytes);
  }
  ByteWriter& signed_varint(std::int64_t value) {
    const auto bits = static_cast<std::uint64_t>(value);
    return varint(bits << 1 ^ (value < 0 ? ~std::uint64_t{0} : 0));
  }
  ByteWriter& varint_with_flag(std::uint64_t value, bool flag) { return varint(value << 1 | (flag ? 1 : 0)); }

 private:
  ByteWriter& little_endian(std::uint64_t value, int num_bytes) {
    for (int i = 0; i < num_bytes; ++i) byte(static_cast<std::uint8_t>(value >> (8 * i)));
    return *this;
  }

  std::string bytes_;
};

}  // namespace cornu::inline v0::ir::bytecode
