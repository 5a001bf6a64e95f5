#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "cornu/ir/text/source.h"

namespace cornu::inline v0::ir::bytecode {

/// Reads the numbers of MLIR bytecode from a part of a source.
///
/// Errors: InvalidArgument with the offset of the byte where the part ends too early.
class ByteReader {
 public:
  ByteReader(const text::Source& source, std::size_t begin, std::size_t end)
      : source_(&source), position_(begin), end_(end) {}

  std::size_t position() const { return position_; }
  std::size_t end() const { return end_; }
  bool is_at_end() const { return position_ == end_; }
  std::size_t num_left() const { return end_ - position_; }
  const text::Source& source() const { return *source_; }

  std::uint8_t byte();
  /// An unsigned number of one to nine bytes: the zeros at the low end of the first byte count the others.
  std::uint64_t varint();
  /// A signed number, zigzag-encoded in a varint.
  std::int64_t signed_varint();
  /// A number and the flag in its lowest bit.
  std::pair<std::uint64_t, bool> varint_with_flag();
  /// The number of items that follow, of at least one byte each. Errors: also if there are more than bytes.
  std::size_t count(std::string_view what);
  /// An index into a table. Errors: also if the table is not longer.
  std::size_t index(std::size_t table_size, std::string_view what);
  /// The next bytes as a part of its own.
  ByteReader part(std::uint64_t size);
  std::string_view bytes(std::uint64_t size);
  /// Text before a zero byte.
  std::string_view zero_terminated();

  [[noreturn]] void fail(const std::string& message) const { source_->fail_at(position_, message); }

 private:
  const text::Source* source_;
  std::size_t position_;
  std::size_t end_;
};

}  // namespace cornu::inline v0::ir::bytecode
