#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

/// Appends fields in protobuf's wire format to a text.
namespace cornu::inline v0::io {

inline void append_varint(std::string& to, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) to += static_cast<char>(value | 0x80);
  to += static_cast<char>(value);
}

/// Appends a text or a message.
inline void append_bytes_field(std::string& to, std::uint32_t number, std::string_view bytes) {
  append_varint(to, number << 3 | 2U);
  append_varint(to, bytes.size());
  to.append(bytes);
}

inline void append_varint_field(std::string& to, std::uint32_t number, std::uint64_t value) {
  append_varint(to, number << 3);
  append_varint(to, value);
}

template <typename T>
void append_little_endian(std::string& to, T value) {
  for (std::size_t i = 0; i < sizeof(T); ++i) to += static_cast<char>((value >> (8 * i)) & 0xFF);
}

inline void append_double_field(std::string& to, std::uint32_t number, double value) {
  append_varint(to, number << 3 | 1U);
  append_little_endian(to, std::bit_cast<std::uint64_t>(value));
}

}  // namespace cornu::inline v0::io
