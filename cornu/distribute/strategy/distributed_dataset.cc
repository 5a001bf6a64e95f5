#include "cornu/distribute/strategy/distributed_dataset.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/data/rows.h"

namespace cornu::inline v0::distribute {
namespace {

Components components_of(const data::Element& element) {
  Components tensors;
  data::for_each_leaf(element, [&](const data::Element& leaf) {
    if (!leaf.is_numeric())
      invalid_argument({.argument = "dataset"},
                       "[experimental_distribute_dataset] replicas take numbers; the dataset gives {}",
                       leaf.type_str());
    tensors.push_back(leaf.tensor());
  });
  return tensors;
}

}  // namespace

DistributedDataset::DistributedDataset(data::Dataset dataset, const DistributionOptions& options)
    : dataset_(std::move(dataset)), options_(options) {
  if (options.num_replicas < 1)
    invalid_argument({.argument = "num_replicas"},
                     "[DistributedDataset] num_replicas must be positive; got {}", options.num_replicas);
}

DistributedDataset::Iterator DistributedDataset::iterator() const { return {dataset_.iterator(), options_}; }

std::optional<PerReplica<Components>> DistributedDataset::Iterator::next() {
  if (!options_.is_cut) {
    const std::optional<data::Element> batch = elements_.next();
    return batch.has_value() ? std::optional(cut(*batch)) : std::nullopt;
  }
  PerReplica<Components> parts;
  while (std::cmp_less(parts.values.size(), options_.num_replicas)) {
    const std::optional<data::Element> part = elements_.next();
    if (!part.has_value()) break;
    parts.values.push_back(components_of(*part));
  }
  return parts.values.empty() ? std::nullopt : std::optional(std::move(parts));
}

PerReplica<Components> DistributedDataset::Iterator::cut(const data::Element& batch) const {
  PerReplica<Components> parts;
  if (options_.num_replicas == 1) {
    parts.values.push_back(components_of(batch));
    return parts;
  }
  components_of(batch);  // throws for what is not numeric
  const std::int64_t num_rows = data::num_rows(batch, "experimental_distribute_dataset");
  const std::int64_t each = (num_rows + options_.num_replicas - 1) / options_.num_replicas;
  for (std::int64_t replica = 0; replica < options_.num_replicas; ++replica) {
    const std::int64_t begin = std::min(replica * each, num_rows), end = std::min(begin + each, num_rows);
    parts.values.push_back(components_of(data::rows(batch, begin, end)));
  }
  return parts;
}

}  // namespace cornu::inline v0::distribute
