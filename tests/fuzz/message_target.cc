#include "cornu/backends/remote/wire/last_field.h"

#include <algorithm>
#include "tests/fuzz/target.h"

namespace cornu::inline v0::fuzz {

/// Whatever a message is and wherever it is cut, its head and data are bytes of it,
/// and put together the message.
void message(Bytes bytes) {
  using namespace backends::remote;
  if (bytes.empty()) return;
  const std::size_t cut = std::min<std::size_t>(static_cast<std::size_t>(bytes[0]), bytes.size() - 1);
  bytes = bytes.subspan(1);
  const auto split = split_last_field({bytes.first(cut), bytes.subspan(cut)}, 4);
  if (!split.has_value()) return;
  std::string again = split->head;
  if (!split->data.empty()) append_field_head(again, 4, size_of(split->data));
  require(again.size() + size_of(split->data) <= bytes.size(), "a split message grew");
  require(again.compare(0, split->head.size(), reinterpret_cast<const char*>(bytes.data()),
                        split->head.size()) == 0,
          "a split message's head is other bytes");
}

}  // namespace cornu::inline v0::fuzz
