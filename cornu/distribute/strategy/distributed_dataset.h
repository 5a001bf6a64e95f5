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
};

/// Batches for the replicas of a strategy.
///
/// A batch of all is cut into equal parts in the order of its rows; the last may be short, or have no rows. Batches
/// that are cut already are taken together, one for each replica; where the dataset ends between two replicas, what is
/// left has as many as come.
///
///     for (const PerReplica<Components>& batch : strategy.experimental_distribute_dataset(dataset))
///       train_step(batch);
/// Threads: an iterator at a time by one thread.
class DistributedDataset {
 public:
  /// Errors: InvalidArgument for a number of replicas that is not positive.
  explicit DistributedDataset(data::Dataset dataset, const DistributionOptions& options = {});

  class Iterator {
   public:
    using iterator_concept = std::input_iterator_tag;
    using difference_type = std::ptrdiff_t;
    using value_type = PerReplica<Components>;

    /// The next batches; nothing at the end. Errors: InvalidArgument for elements that are not numeric, or have no
    /// rows to cut.
    std::optional<PerReplica<Components>> next();

    const PerReplica<Components>& operator*() const { return *now_; }
    Iterator& operator++() {
      now_ = next();
      return *this;
    }
    void operator++(int) { ++*this; }
    bool operator==(std::default_sentinel_t) const { return !now_.has_value(); }

   private:
    friend class DistributedDataset;
    Iterator(data::Iterator elements, const DistributionOptions& options)
        : elements_(std::move(elements)), options_(options) {}
    PerReplica<Components> cut(const data::Element& batch) const;

    data::Iterator elements_;
    DistributionOptions options_;
    std::optional<PerReplica<Components>> now_;
  };
  /// A pass, before its first batch.
  Iterator iterator() const;
  Iterator begin() const { return ++iterator(); }
  std::default_sentinel_t end() const { return {}; }

 private:
  data::Dataset dataset_;
  DistributionOptions options_;
};

}  // namespace cornu::inline v0::distribute
