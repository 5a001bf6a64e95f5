#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace cornu::inline v0::io {

/// Throws Error(kDataLoss): "[io] <name>: <what>; at byte <offset>". `what` describes the fault and the
/// remedy.
[[noreturn]] void corrupt(std::string_view name, std::uint64_t offset, std::string_view what);

/// Makes a text from a file or a caller printable for an error message: control characters as \xNN, a long
/// text shortened in the middle.
std::string shown(std::string_view text);

/// Reads untrusted bytes sequentially: every read is checked against the end, and its error names the source
/// and the position.
///
/// Lifetime: the bytes and the name must outlive it.
class ByteReader {
 public:
  /// `name`: the source in errors, e.g. its path.
  ByteReader(std::span<const std::byte> bytes, std::string_view name) : bytes_(bytes), name_(name) {}

  std::size_t offset() const { return offset_; }
  std::size_t remaining() const { return bytes_.size() - offset_; }
  std::string_view name() const { return name_; }

  /// The next `count` bytes. Errors: DataLoss if fewer are left.
  std::span<const std::byte> take(std::uint64_t count, std::string_view what) {
    if (count > remaining()) truncated(count, what);
    const auto taken = bytes_.subspan(offset_, static_cast<std::size_t>(count));
    offset_ += taken.size();
    return taken;
  }
  std::string_view take_text(std::uint64_t count, std::string_view what) {
    const auto taken = take(count, what);
    return {reinterpret_cast<const char*>(taken.data()), taken.size()};
  }
  /// The text before the next line feed, which is skipped too. Errors: DataLoss if there is none.
  std::string_view take_line(std::string_view what);

  template <typename T>
  T take_little_endian(std::string_view what) {
    return number<T, std::endian::little>(what);
  }
  template <typename T>
  T take_big_endian(std::string_view what) {
    return number<T, std::endian::big>(what);
  }

  [[noreturn]] void corrupt_here(std::string_view what) const { corrupt(name_, offset_, what); }
  /// Errors: DataLoss if bytes are left.
  void expect_end() const;

 private:
  [[noreturn]] void truncated(std::uint64_t count, std::string_view what) const;
  template <typename T, std::endian kOrder>
  T number(std::string_view what) {
    const auto taken = take(sizeof(T), what);
    std::byte buffer[sizeof(T)];
    for (std::size_t i = 0; i < sizeof(T); ++i)
      buffer[i] = taken[kOrder == std::endian::native ? i : sizeof(T) - 1 - i];
    T value;
    std::memcpy(&value, buffer, sizeof(T));
    return value;
  }

  std::span<const std::byte> bytes_;
  std::string_view name_;
  std::size_t offset_ = 0;
};

}  // namespace cornu::inline v0::io
