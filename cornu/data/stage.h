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

/// State shared by all stages of one iteration.
struct Iteration {
  Options options = {};
  /// The budget of all buffers together, also of those in nested datasets.
  std::shared_ptr<MemoryBudget> budget = std::make_shared<MemoryBudget>();
  /// True to read only the first element, for its type: no pass is counted, no thread is started.
  bool is_probe = false;
  /// Collects the times of cursors; null: no profile.
  std::shared_ptr<Profile> profile = {};
};

/// Elements first, first + stride, ... of some rows, `count` of them.
struct RowRange {
  std::int64_t first = 0;
  std::int64_t stride = 1;
  std::int64_t count = 0;
};

/// One step of a pipeline: a source, or a transformation of other stages. Immutable, except for the number of
/// passes that shuffles count.
///
/// Stages that select and order elements without reading them work on row indices if the elements are rows of
/// tensors in memory, or batches of such rows. A batch then gathers its rows directly from these tensors, or
/// a model's step gathers them itself.
/// Threads: safe.
class Stage {
 public:
  virtual ~Stage() = default;
  /// tf.data's name of the stage: "shuffle".
  virtual const char* name() const = 0;
  /// The number of elements, kInfiniteCardinality or kUnknownCardinality.
  virtual std::int64_t cardinality() const = 0;
  virtual ElementCursor iterate(const Iteration& iteration) const = 0;
  /// The input stages, for reports.
  virtual std::vector<std::shared_ptr<const Stage>> inputs() const { return {}; }

  /// The tensors or strings whose rows are the elements; null if elements are made one by one.
  virtual std::shared_ptr<const Element> rows() const { return nullptr; }
  /// The indices of the elements in rows(); call only if rows() is not null.
  virtual OrderCursor order(const Iteration&) const { return nullptr; }
  /// order() as a range, if it is one.
  virtual std::optional<RowRange> row_range() const { return std::nullopt; }

  /// The tensors or strings of which each element is a batch of rows, at most batch_size(); null otherwise.
  virtual std::shared_ptr<const Element> batched_rows() const { return nullptr; }
  virtual std::int64_t batch_size() const { return 0; }
  virtual BatchCursor batches(const Iteration&) const { return nullptr; }
};

using StagePointer = std::shared_ptr<const Stage>;

/// Wraps a cursor to record its time in the profile; see profile.h.
template <typename Item>
std::unique_ptr<Cursor<Item>> timed(std::unique_ptr<Cursor<Item>> cursor, const Stage& stage,
                                    const Iteration& iteration);

/// Opens a cursor over a stage's elements, row indices or batches.
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

/// A stage with one input.
class UnaryStage : public Stage {
 public:
  explicit UnaryStage(StagePointer input) : input_(std::move(input)) {}
  std::vector<StagePointer> inputs() const override { return {input_}; }

 protected:
  StagePointer input_;
};

}  // namespace cornu::inline v0::data
