#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <vector>

#include "cornu/data/dataset.h"
#include "cornu/distribute/strategy/per_replica.h"

namespace cornu::inline v0::distribute {

/// The tensors of an element, one behind the other: {images, labels}.
using Components = std::vector<Tensor>;

struct DistributionOptions {
  std::int64_t num_replicas = 1;
  /// Elements are batches for one replica each, not for all.
  bool is_cut = false;
  /// That have as many replicas each. Batches of all replicas are the same in every process, which gives out
  /// the parts of its own; what is cut already is the process's own.
  std::int64_t num_processes = 1;
  std::int64_t process = 0;
};

/// Batches for the replicas of a strategy.
///
/// A batch of all is cut into equal parts in the order of its rows; the last may be short, or have no rows.
/// Batches that are cut already are taken together, one for each replica; where the dataset ends between two
/// replicas, what is left has as many as come.
///
///     for (const PerReplica<Components>& batch : strategy.experimental_distribute_dataset(dataset))
///       train_step(batch);
///
/// An iterator may be an argument of a `function`, where next(iterator) becomes an argument of the program,
/// in loops too; see data::Iterator.
/// Threads: an iterator at a time by one thread.
class DistributedDataset {
 public:
  /// Errors: InvalidArgument for a number of replicas that is not positive.
  explicit DistributedDataset(data::Dataset dataset, const DistributionOptions& options = {});

  /// A place in one pass. Copies are handles to the same place.
  class Iterator {
   public:
    using iterator_concept = std::input_iterator_tag;
    using difference_type = std::ptrdiff_t;
    using value_type = PerReplica<Components>;

    // Moves copy: an iterator always has a place.
    Iterator(const Iterator&) = default;
    Iterator& operator=(const Iterator&) = default;

    /// The next batches; nothing at the end, which a traced function does not see (its call throws
    /// OutOfRange).
    /// Errors: InvalidArgument for elements that are not numeric, or have no rows to cut.
    std::optional<PerReplica<Components>> next();
    /// As data::Iterator::read_ahead.
    std::int64_t read_ahead(std::int64_t count);

    const PerReplica<Components>& operator*() const;
    Iterator& operator++();
    void operator++(int) { ++*this; }
    bool operator==(std::default_sentinel_t) const;

    /// For function(). Lifetime: the iterator's copies.
    cornu::detail::ElementSource& element_source() const;

   private:
    friend class DistributedDataset;
    Iterator(data::Iterator elements, const DistributionOptions& options);

    struct State;
    std::shared_ptr<State> state_;
  };
  /// Batches of all replicas, for fit, evaluate and predict, which cut them themselves.
  operator data::Dataset() const;

  /// A pass, before its first batch.
  Iterator iterator() const;
  Iterator begin() const { return ++iterator(); }
  std::default_sentinel_t end() const { return {}; }

 private:
  data::Dataset dataset_;
  DistributionOptions options_;
};

/// The next batches; in a traced function, of the iterator that it was called with.
/// Errors: OutOfRange at the end; as Iterator::next.
PerReplica<Components> next(DistributedDataset::Iterator iterator);

}  // namespace cornu::inline v0::distribute
