#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

/// Messages whose last field is bytes, put together and taken apart without protobuf: the bytes stay where
/// they lie, which for megabytes saves a copy on each side. See Transfers in worker.proto.
namespace cornu::inline v0::backends::remote {

/// Bytes that follow each other, and lie apart.
using Parts = std::vector<std::span<const std::byte>>;

std::size_t size_of(const Parts& parts);

/// `to` has room for them.
void copy_bytes(const Parts& parts, std::byte* to);

/// Takes bytes off the front.
class PartsReader {
 public:
  explicit PartsReader(Parts parts) : parts_(std::move(parts)), left_(size_of(parts_)) {}

  std::size_t left() const { return left_; }
  /// One byte, of those that are left.
  std::byte take_byte();
  /// `count`: at most what is left.
  Parts take(std::size_t count);
  /// The same without the bytes.
  void skip(std::size_t count);

 private:
  Parts parts_;
  std::size_t left_, part_ = 0, at_ = 0;
};

/// The beginning of a field.
struct FieldHead {
  std::uint64_t number = 0;
  bool has_length = false;    // bytes, a text, a message or a list: `num_bytes` bytes follow, which are there
  std::size_t num_bytes = 0;  // of a field without a length nothing follows: its value is taken, too
};

/// Nothing: it is no field of protobuf, or longer than what is left.
std::optional<FieldHead> take_field_head(PartsReader& reader);

/// Ends a message's head: after it, `num_bytes` bytes of field `number` are to follow.
void append_field_head(std::string& head, int number, std::size_t num_bytes);

struct SplitMessage {
  std::string head;  // all fields before the last one
  Parts data;        // the last one's bytes; none where the message has no such field
};

/// Splits a message before the first field `number`. Nothing: it is no message of protobuf, or something
/// follows that field.
std::optional<SplitMessage> split_last_field(const Parts& message, int number);

}  // namespace cornu::inline v0::backends::remote
