#include "cornu/backends/remote/worker/message_size.h"

#include <algorithm>

#include "cornu/base/check.h"

namespace cornu::inline v0::backends::remote {
namespace {

/// Memory for a number of a list: eight bytes in protobuf's list, which grows by doubling, and in a vector.
constexpr std::size_t kNumberBytes = 24;

/// Each number of a packed list ends with a byte below 128.
std::size_t count_numbers(const Parts& packed) {
  std::size_t count = 0;
  for (const auto& part : packed)
    count += static_cast<std::size_t>(
        std::count_if(part.begin(), part.end(), [](std::byte byte) { return byte < std::byte{0x80}; }));
  return count;
}

template <typename Numbers>
bool is_one_of(const Numbers& numbers, std::uint64_t number) {
  return number != 0 && std::find(numbers.begin(), numbers.end(), number) != numbers.end();
}

}  // namespace

std::optional<std::size_t> expanded_bytes(const Parts& message, const FieldKinds& kinds) {
  PartsReader reader(message);
  std::size_t total = 0;
  while (reader.left() > 0) {
    const std::optional<FieldHead> field = take_field_head(reader);
    if (!field.has_value()) return std::nullopt;
    if (!field->has_length) {
      total += kNumberBytes;
    } else if (is_one_of(kinds.bytes, field->number)) {
      total += field->num_bytes;
      reader.skip(field->num_bytes);
    } else if (is_one_of(kinds.numbers, field->number)) {
      total += kNumberBytes * count_numbers(reader.take(field->num_bytes));
    } else {
      total += kMostExpansion * (field->num_bytes + 2);
      reader.skip(field->num_bytes);
    }
  }
  return total;
}

QuotaShare count_message(MemoryQuota& quota, const Parts& message, const FieldKinds& kinds) {
  if (is_small_message(size_of(message))) return {};
  const std::optional<std::size_t> num_bytes = expanded_bytes(message, kinds);
  if (!num_bytes.has_value()) invalid_argument("[worker] a message is not a protobuf message");
  if (*num_bytes <= kUncountedMessageBytes) return {};
  return {quota, *num_bytes, "a decoded message"};
}

}  // namespace cornu::inline v0::backends::remote
