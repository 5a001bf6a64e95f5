#include "cornu/distribute/strategy/distributed_dataset.h"

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/data/read_ahead.h"
#include "cornu/data/rows.h"
#include "cornu/runtime/partition.h"
#include "cornu/runtime/process_input.h"
#include "cornu/tensor/trace/trace.h"

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

/// Rows [begin, end) of a batch for each replica of this process.
PerReplica<Components> cut(const data::Element& batch, const DistributionOptions& options) {
  const std::int64_t num_replicas = options.num_replicas, here = num_replicas / options.num_processes;
  PerReplica<Components> parts;
  if (num_replicas == 1) {
    parts.values.push_back(components_of(batch));
    return parts;
  }
  components_of(batch);  // throws for elements that are not numeric
  const runtime::Partition rows{.num_rows = data::num_rows(batch, "experimental_distribute_dataset"),
                                .num_parts = num_replicas};
  for (std::int64_t replica = options.process * here; replica < (options.process + 1) * here; ++replica)
    parts.values.push_back(components_of(data::rows(batch, rows.begin(replica), rows.end(replica))));
  return parts;
}

std::vector<TensorType> types_of(const Components& components) {
  std::vector<TensorType> types;
  for (const Tensor& tensor : components) types.push_back(tensor.type());
  return types;
}

std::uint64_t fingerprint_of(const PerReplica<Components>& batches) {
  std::uint64_t result = 1;
  for (const Components& part : batches.values)
    for (const Tensor& tensor : part) {
      const std::string_view bytes(reinterpret_cast<const char*>(tensor.bytes()), tensor.type().size_bytes());
      result = (result ^ std::hash<std::string_view>()(bytes)) * 0x9e3779b97f4a7c15u;
    }
  return result | 1;
}

}  // namespace

DistributedDataset::DistributedDataset(data::Dataset dataset, const DistributionOptions& options)
    : dataset_(std::move(dataset)), options_(options) {
  if (options.num_replicas < 1)
    invalid_argument({.argument = "num_replicas"},
                     "[DistributedDataset] num_replicas must be positive; got {}", options.num_replicas);
}

DistributedDataset::Iterator DistributedDataset::iterator() const { return {dataset_.iterator(), options_}; }

DistributedDataset::operator data::Dataset() const {
  if (!options_.is_cut || options_.num_replicas == 1) return dataset_;
  if (options_.num_processes > 1)
    fail(ErrorCode::kUnimplemented, {.argument = "dataset"},
         "[DistributedDataset] fit, evaluate and predict of several processes take batches of all replicas, "
         "the same in each process: give them the dataset itself, or the result of "
         "experimental_distribute_dataset");
  auto joined = data::Dataset::from_generator([parts = dataset_, num_replicas = options_.num_replicas] {
    return [iterator = parts.iterator(), num_replicas]() mutable -> std::optional<data::Element> {
      std::vector<data::Element> batches;
      while (std::cmp_less(batches.size(), num_replicas)) {
        std::optional<data::Element> batch = iterator.next();
        if (!batch.has_value()) break;
        batches.push_back(*std::move(batch));
      }
      data::BufferPool pool;
      return batches.empty() ? std::nullopt : std::optional(data::concatenate(batches, pool));
    };
  });
  const std::int64_t count = dataset_.cardinality();
  if (count == data::kUnknownCardinality) return joined;
  return joined.assert_cardinality(count == data::kInfiniteCardinality
                                       ? count
                                       : (count + options_.num_replicas - 1) / options_.num_replicas);
}

using Batches = PerReplica<Components>;

struct DistributedDataset::Iterator::State final : data::ReadAhead<Batches> {
  State(const data::Iterator& of_elements, const DistributionOptions& of_dataset)
      : elements(of_elements), options(of_dataset) {}

  data::Iterator elements;
  DistributionOptions options;
  std::optional<Batches> now;
  bool is_noted = false;  // true if its first values were recorded for comparison between processes

  std::optional<Batches> pull() override {
    if (!options.is_cut) {
      const std::optional<data::Element> batch = elements.next();
      return batch.has_value() ? std::optional(cut(*batch, options)) : std::nullopt;
    }
    Batches parts;
    while (std::cmp_less(parts.values.size(), options.num_replicas / options.num_processes)) {
      const std::optional<data::Element> part = elements.next();
      if (!part.has_value()) break;
      parts.values.push_back(components_of(*part));
    }
    if (parts.values.empty()) return std::nullopt;
    if (options.num_processes > 1 && !std::exchange(is_noted, true))
      runtime::note_process_input(fingerprint_of(parts));
    return parts;
  }
  Spec spec_of(const Batches& batches) const override {
    Spec spec;
    std::vector<std::string> texts;
    for (const Components& part : batches.values) {
      std::vector<std::string> types;
      for (const Tensor& tensor : part) {
        types.push_back(type_str(tensor.type()));
        spec.types.push_back(tensor.type());
      }
      texts.push_back(fmt::format("({})", fmt::join(types, ", ")));
    }
    spec.text = fmt::format("PerReplica {}", fmt::join(texts, ", "));
    return spec;
  }
  std::vector<Tensor> tensors_of(const Batches& batches) const override {
    std::vector<Tensor> tensors;
    for (const Components& part : batches.values) tensors.insert(tensors.end(), part.begin(), part.end());
    return tensors;
  }
  bool is_alike(const Batches& a, const Batches& b) const override {
    return std::equal(a.values.begin(), a.values.end(), b.values.begin(), b.values.end(),
                      [](const Components& x, const Components& y) { return types_of(x) == types_of(y); });
  }
};

DistributedDataset::Iterator::Iterator(data::Iterator elements, const DistributionOptions& options)
    : state_(std::make_shared<State>(elements, options)) {}

std::optional<Batches> DistributedDataset::Iterator::next() {
  Trace* const trace = Trace::current();
  if (trace == nullptr) return state_->take();
  const std::vector<Tensor> tensors = trace->next(*state_);
  Batches batches = state_->model();
  std::size_t i = 0;
  for (Components& part : batches.values)
    for (Tensor& tensor : part) tensor = tensors[i++];
  return batches;
}

Batches next(DistributedDataset::Iterator iterator) {
  std::optional<Batches> batches = iterator.next();
  if (!batches.has_value()) data::fail_at_end();
  return *std::move(batches);
}

std::int64_t DistributedDataset::Iterator::read_ahead(std::int64_t count) {
  return state_->read_ahead(count);
}
const Batches& DistributedDataset::Iterator::operator*() const { return *state_->now; }
DistributedDataset::Iterator& DistributedDataset::Iterator::operator++() {
  data::check_not_traced();
  state_->now = state_->take();
  return *this;
}
bool DistributedDataset::Iterator::operator==(std::default_sentinel_t) const {
  return !state_->now.has_value();
}
cornu::detail::ElementSource& DistributedDataset::Iterator::element_source() const { return *state_; }

}  // namespace cornu::inline v0::distribute
