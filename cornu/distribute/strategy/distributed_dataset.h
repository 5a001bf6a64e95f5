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

/// The tensors of an element in order: {images, labels}.
using Components = std::vector<Tensor>;

struct DistributionOptions {  // options/distribute.toml
  /// Replicas of all processes together; must be positive.
  std::int64_t num_replicas = 1;
  /// True: an element is the batch of one replica; false: it is a batch for all replicas, which is split.
  bool is_cut = false;
  /// Number of processes, which have equally many replicas. All processes read the same batches for all
  /// replicas, and each uses its own part; batches of single replicas are the process's own.
  std::int64_t num_processes = 1;
  /// Number of this process, in [0, num_processes).
  std::int64_t process = 0;
};

/// Batches for the replicas of a strategy.
///
/// A global batch is split into equal parts in the order of its rows; the last part may be shorter, or have
/// no rows. Batches that are split already are taken in groups, one for each replica; if the dataset ends
/// inside a group, the last group is smaller.
///
///     for (const PerReplica<Components>& batch : strategy.experimental_distribute_dataset(dataset))
///       train_step(batch);
///
/// An iterator may be an argument of a `function`, in which next(iterator) becomes an argument of the
/// program, also in loops; see data::Iterator.
/// Threads: each iterator is used by one thread at a time.
class DistributedDataset {
 public:
  /// Errors: InvalidArgument if the number of replicas is not positive.
  explicit DistributedDataset(data::Dataset dataset, const DistributionOptions& options = {});

  /// A position in one pass. Copies share the position.
  class Iterator {
   public:
    using iterator_concept = std::input_iterator_tag;
    using difference_type = std::ptrdiff_t;
    using value_type = PerReplica<Components>;

    // Moves copy: an iterator always has a state.
    Iterator(const Iterator&) = default;
    Iterator& operator=(const Iterator&) = default;

    /// The next batches; nullopt at the end. A traced function gets no nullopt (its call throws OutOfRange).
    /// Errors: InvalidArgument for elements that are not numeric, or have no rows to split.
    std::optional<PerReplica<Components>> next();
    /// Reads ahead, like data::Iterator::read_ahead.
    std::int64_t read_ahead(std::int64_t count);

    const PerReplica<Components>& operator*() const;
    Iterator& operator++();
    void operator++(int) { ++*this; }
    bool operator==(std::default_sentinel_t) const;

    /// For function(). Lifetime: that of the iterator's copies.
    cornu::detail::ElementSource& element_source() const;

   private:
    friend class DistributedDataset;
    Iterator(data::Iterator elements, const DistributionOptions& options);

    struct State;
    std::shared_ptr<State> state_;
  };
  /// Global batches, for fit, evaluate and predict, which split them themselves.
  operator data::Dataset() const;

  /// Begins a pass; the iterator is before the first batch.
  Iterator iterator() const;
  Iterator begin() const { return ++iterator(); }
  std::default_sentinel_t end() const { return {}; }

 private:
  data::Dataset dataset_;
  DistributionOptions options_;
};

/// The next batches; in a traced function, those of the iterator argument.
/// Errors: OutOfRange at the end; those of Iterator::next.
PerReplica<Components> next(DistributedDataset::Iterator iterator);

}  // namespace cornu::inline v0::distribute
