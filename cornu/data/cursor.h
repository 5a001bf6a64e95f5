#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "cornu/data/position.h"

namespace cornu::inline v0::data {

/// A position in one pass over a stage's items: elements one by one, or, if the stage only selects and orders
/// rows in memory, row indices one by one or batch by batch.
///
/// Threads: one at a time.
template <typename Item>
class Cursor {
 public:
  virtual ~Cursor() = default;
  /// Fills `items` from the front. Returns fewer than requested only at the end of the pass, then and ever
  /// after. Takes no more items from its input than needed. An error loses the items of this call; the next
  /// call continues after the failed item.
  virtual std::size_t next(std::span<Item> items) = 0;
  /// Skips items; returns the number skipped.
  virtual std::int64_t skip(std::int64_t count) {
    std::array<Item, 64> passed;
    std::int64_t done = 0;
    while (done < count) {
      const auto wanted = static_cast<std::size_t>(std::min<std::int64_t>(count - done, passed.size()));
      const std::size_t got = next(std::span(passed).first(wanted));
      done += static_cast<std::int64_t>(got);
      if (got < wanted) break;
    }
    return done;
  }
  /// Saves the position, so that another cursor of the same stage can continue there.
  virtual void save(PositionWriter& writer) = 0;
  virtual void load(PositionReader& reader) = 0;

  /// Takes the next item; false at the end.
  bool next_one(Item& item) { return next({&item, 1}) == 1; }
};

using ElementCursor = std::unique_ptr<Cursor<Element>>;
using OrderCursor = std::unique_ptr<Cursor<std::int64_t>>;
using BatchCursor = std::unique_ptr<Cursor<RowBatch>>;

}  // namespace cornu::inline v0::data
