#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

/// Messages whose last field is bytes, encoded and decoded without protobuf: the bytes stay in place, which
/// for megabytes saves a copy on each side. See Transfers in worker.proto.
namespace cornu::inline v0::backends::remote {

/// Consecutive bytes in separate pieces of memory.
using Parts = std::vector<std::span<const std::byte>>;

std::size_t size_of(const Parts& parts);

/// `to` must have space for them.
void copy_bytes(const Parts& parts, std::byte* to);

/// Reads bytes sequentially.
class PartsReader {
 public:
  explicit PartsReader(Parts parts) : parts_(std::move(parts)), left_(size_of(parts_)) {}

  std::size_t left() const { return left_; }
  /// Takes one byte; there must be one left.
  std::byte take_byte();
  /// Takes `count` bytes, at most those left.
  Parts take(std::size_t count);
  /// Skips `count` bytes, at most those left.
  void skip(std::size_t count);

 private:
  Parts parts_;
  std::size_t left_, part_ = 0, at_ = 0;
};

/// The tag and length of a field.
struct FieldHead {
  std::uint64_t number = 0;
  bool has_length = false;    // bytes, a text, a message or a list: `num_bytes` bytes follow, all present
  std::size_t num_bytes = 0;  // for a field without a length 0: its value is taken, too
};

/// Empty if it is not a field of protobuf, or is longer than the bytes left.
std::optional<FieldHead> take_field_head(PartsReader& reader);

/// Ends a message's head: `num_bytes` bytes of field `number` must follow it.
void append_field_head(std::string& head, int number, std::size_t num_bytes);

struct SplitMessage {
  std::string head;  // all fields before the last one
  Parts data;        // the last field's bytes; empty if the message has no such field
};

/// Splits a message before the first field `number`. Empty if it is not a message of protobuf, or another
/// field follows that one.
std::optional<SplitMessage> split_last_field(const Parts& message, int number);

}  // namespace cornu::inline v0::backends::remote
