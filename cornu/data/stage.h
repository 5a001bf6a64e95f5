#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "cornu/data/cursor.h"
#include "cornu/data/memory_budget.h"
#include "cornu/data/options.h"

namespace cornu::inline v0::data {

class Profile;

/// What all stages of one iteration share.
struct Iteration {
  Options options = {};
  /// The budget of all buffers together, also of those in datasets inside.
  std::shared_ptr<MemoryBudget> budget = std::make_shared<MemoryBudget>();
  /// Only to look at a first element: no pass is counted, no thread is started.
  bool is_probe = false;
  /// Where it is not null, cursors are timed for it.
  std::shared_ptr<Profile> profile = {};
};

/// Elements first, first + stride, ... of some rows, `count` of them.
struct RowRange {
  std::int64_t first = 0;
  std::int64_t stride = 1;
  std::int64_t count = 0;
};

/// One step of a pipeline: a source, or what is made of other stages. Immutable but for the number of passes
/// that shuffles count.
///
/// Stages that choose and order elements without looking at them work on row indices where the elements are
/// rows of tensors in memory, or batches of such rows: a batch then gathers its rows straight from where they
/// lie, and a model's step gathers them itself.
/// Threads: safe.
class Stage {
 public:
  virtual ~Stage() = default;
  /// tf.data's name of it: "shuffle".
  virtual const char* name() const = 0;
  /// The elements, kInfiniteCardinality or kUnknownCardinality.
  virtual std::int64_t cardinality() const = 0;
  virtual ElementCursor iterate(const Iteration& iteration) const = 0;
  /// The stages that it reads from, for reports.
  virtual std::vector<std::shared_ptr<const Stage>> inputs() const { return {}; }

  /// Tensors or strings of which each element is a row; null where elements are made one by one.
  virtual std::shared_ptr<const Element> rows() const { return nullptr; }
  /// The indices of the elements among rows(); only with those.
  virtual OrderCursor order(const Iteration&) const { return nullptr; }
  /// They as a range, where they are one.
  virtual std::optional<RowRange> row_range() const { return std::nullopt; }

  /// Tensors or strings of which each element is a batch of rows, batch_size() at most; null otherwise.
  virtual std::shared_ptr<const Element> batched_rows() const { return nullptr; }
  virtual std::int64_t batch_size() const { return 0; }
  virtual BatchCursor batches(const Iteration&) const { return nullptr; }
};

using StagePointer = std::shared_ptr<const Stage>;

/// Wraps a cursor so that the profile knows its time; see profile.h.
template <typename Item>
std::unique_ptr<Cursor<Item>> timed(std::unique_ptr<Cursor<Item>> cursor, const Stage& stage,
                                    const Iteration& iteration);

/// A cursor over a stage's elements, row indices or batches.
template <typename Item>
std::unique_ptr<Cursor<Item>> open(const Stage& stage, const Iteration& iteration) {
  std::unique_ptr<Cursor<Item>> cursor;
  if constexpr (std::is_same_v<Item, Element>)
    cursor = stage.iterate(iteration);
  else if constexpr (std::is_same_v<Item, RowBatch>)
    cursor = stage.batches(iteration);
  else
    cursor = stage.order(iteration);
  return iteration.profile == nullptr ? std::move(cursor) : timed(std::move(cursor), stage, iteration);
}
inline ElementCursor open(const Stage& stage, const Iteration& iteration) {
  return open<Element>(stage, iteration);
}

/// A stage that reads from one other.
class UnaryStage : public Stage {
 public:
  explicit UnaryStage(StagePointer input) : input_(std::move(input)) {}
  std::vector<StagePointer> inputs() const override { return {input_}; }

 protected:
  StagePointer input_;
};

}  // namespace cornu::inline v0::data
