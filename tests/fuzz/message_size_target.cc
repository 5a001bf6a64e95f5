#include "cornu/backends/remote/worker/message_size.h"

#include <algorithm>
#include "tests/fuzz/target.h"

namespace cornu::inline v0::fuzz {

/// Whatever a message is and wherever it is cut, what it becomes is the same, and in proportion to its bytes.
void message_size(Bytes bytes) {
  using namespace backends::remote;
  constexpr FieldKinds kKinds{.bytes = {1, 8}, .numbers = {2, 6, 7, 9, 10, 11, 14}};
  if (bytes.empty()) return;
  const std::size_t cut = std::min<std::size_t>(static_cast<std::size_t>(bytes[0]), bytes.size() - 1);
  bytes = bytes.subspan(1);
  const std::optional<std::size_t> whole = expanded_bytes({bytes}, kKinds);
  require(whole == expanded_bytes({bytes.first(cut), bytes.subspan(cut)}, kKinds),
          "a message that lies apart becomes something else");
  require(whole.value_or(0) <= kMostExpansion * bytes.size(), "a message becomes more than it can");
  // Data that are the last field count as they are, all other fields as they do without the data.
  const auto split = split_last_field({bytes}, 8);
  if (split.has_value()) {
    const std::optional<std::size_t> head = expanded_bytes({std::as_bytes(std::span(split->head))}, kKinds);
    require(
        head.has_value() == whole.has_value() && head.value_or(0) + size_of(split->data) == whole.value_or(0),
        "a message's head and data become more or less than the message");
  }
}

}  // namespace cornu::inline v0::fuzz
