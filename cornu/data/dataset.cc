#include "cornu/data/dataset.h"

#include <glob.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/thread_pool.h"
#include "cornu/data/profile.h"
#include "cornu/data/stages/elements_stage.h"
#include "cornu/data/stages/saved.h"
#include "cornu/data/stages/stages.h"
#include "cornu/io/file_systems.h"
#include "cornu/tensor/random.h"

namespace cornu::inline v0::data {
namespace detail {

void fail_arguments(const char* caller, std::size_t num_arguments, const Element& element) {
  invalid_argument(
      "[{}] the function takes {} arguments, so elements must be tuples of as many parts; the element is {}",
      caller, num_arguments, element.type_str());
}

}  // namespace detail

namespace {

void check_at_least(const char* caller, const char* name, std::int64_t value, std::int64_t least) {
  if (value < least)
    invalid_argument({.argument = name}, "[{}] {} must be at least {}; got {} = {}", caller, name, least,
                     name, value);
}

/// Checks a number of parallel calls, or kAutotune.
void check_parallel(const char* caller, const char* name, const std::optional<std::int64_t>& value) {
  if (value.has_value() && *value != kAutotune) check_at_least(caller, name, *value, 1);
}

std::uint64_t seed_of(const std::optional<std::uint64_t>& seed) {
  return seed.has_value() ? *seed : next_seed();
}

std::vector<StagePointer> stages_of(const char* caller, const std::vector<Dataset>& datasets) {
  if (datasets.empty()) invalid_argument("[{}] there must be at least one dataset", caller);
  std::vector<StagePointer> stages;
  stages.reserve(datasets.size());
  for (const Dataset& dataset : datasets) stages.push_back(dataset.stage());
  return stages;
}

}  // namespace

Dataset Dataset::from_tensor_slices(const Element& tensors) { return Dataset(slices_stage(tensors)); }
Dataset Dataset::from_tensors(Element element) { return Dataset(elements_stage({std::move(element)})); }

Dataset Dataset::from_generator(std::function<std::function<std::optional<Element>()>()> make) {
  check_callable("from_generator", "the function", make);
  return Dataset(generator_stage(std::move(make)));
}

Dataset Dataset::range(std::int64_t stop, const RangeOptions& options) {
  if (options.step == 0) invalid_argument("[range] step must not be 0");
  return Dataset(range_stage(options.start, stop, options.step));
}

Dataset Dataset::counter(const CounterOptions& options) {
  return Dataset(counter_stage(options.start, options.step));
}

Dataset Dataset::random(const RandomOptions& options) {
  return Dataset(random_stage(seed_of(options.seed), options.rerandomize_each_iteration));
}

Dataset Dataset::list_files(const std::vector<std::string>& patterns, const ListFilesOptions& options) {
  std::vector<std::string> names;
  for (const std::string& pattern : patterns) {
    if (const auto remote = io::list_with_scheme(pattern)) {
      names.insert(names.end(), remote->begin(), remote->end());
      continue;
    }
    glob_t found = {};
    if (::glob(pattern.c_str(), 0, nullptr, &found) == 0)
      names.insert(names.end(), found.gl_pathv, found.gl_pathv + found.gl_pathc);
    ::globfree(&found);
  }
  if (names.empty()) fail(ErrorCode::kNotFound, "[list_files] no file matches {}", fmt::join(patterns, ", "));
  std::sort(names.begin(), names.end());
  const auto count = static_cast<std::int64_t>(names.size());
  Dataset files = from_tensor_slices(names);
  return options.shuffle ? files.shuffle(count, {.seed = options.seed}) : files;
}

Dataset Dataset::zip(const std::vector<Dataset>& datasets) {
  return Dataset(zip_stage(stages_of("zip", datasets), {}));
}

Dataset Dataset::zip(const std::vector<std::pair<std::string, Dataset>>& datasets) {
  std::vector<std::string> names;
  std::vector<Dataset> values;
  for (const auto& [name, dataset] : datasets) {
    names.push_back(name);
    values.push_back(dataset);
  }
  return Dataset(zip_stage(stages_of("zip", values), std::move(names)));
}

Dataset Dataset::concatenate(const Dataset& next) const {
  return Dataset(concatenate_stage(stage_, next.stage_));
}

Dataset Dataset::sample_from_datasets(const std::vector<Dataset>& datasets, const SampleOptions& options) {
  std::vector<StagePointer> stages = stages_of("sample_from_datasets", datasets);
  std::vector<double> weights = options.weights;
  if (weights.empty()) weights.assign(datasets.size(), 1.0);
  if (weights.size() != datasets.size())
    invalid_argument(
        "[sample_from_datasets] weights must have a number for each dataset; got {} for {} datasets",
        weights.size(), datasets.size());
  double sum = 0;
  for (const double weight : weights) {
    if (!(weight >= 0) || !std::isfinite(weight))
      invalid_argument("[sample_from_datasets] weights must be finite and not negative; got {}", weight);
    sum += weight;
  }
  if (!(sum > 0) || !std::isfinite(sum)) invalid_argument("[sample_from_datasets] all weights are 0");
  // A dataset that is never chosen never ends either.
  std::erase_if(stages, [&, i = std::size_t{0}](const StagePointer&) mutable { return weights[i++] == 0; });
  std::erase(weights, 0.0);
  return Dataset(choose_stage(
      weighted_choices_stage(std::move(weights), seed_of(options.seed), options.rerandomize_each_iteration),
      std::move(stages), options.stop_on_empty_dataset));
}

Dataset Dataset::choose_from_datasets(const std::vector<Dataset>& datasets, const Dataset& choices,
                                      bool stop_on_empty_dataset) {
  return Dataset(
      choose_stage(choices.stage_, stages_of("choose_from_datasets", datasets), stop_on_empty_dataset));
}

Dataset Dataset::take(std::int64_t count) const {
  check_at_least("take", "count", count, -1);
  return Dataset(take_stage(stage_, count));
}

Dataset Dataset::skip(std::int64_t count) const {
  check_at_least("skip", "count", count, -1);
  return Dataset(skip_stage(stage_, count));
}

Dataset Dataset::shard(std::int64_t num_shards, std::int64_t index) const {
  check_at_least("shard", "num_shards", num_shards, 1);
  if (index < 0 || index >= num_shards)
    invalid_argument("[shard] index must be in [0, num_shards); got {} of {} shards", index, num_shards);
  return Dataset(shard_stage(stage_, num_shards, index));
}

Dataset Dataset::repeat(std::int64_t count) const {
  check_at_least("repeat", "count", count, -1);
  return Dataset(repeat_stage(stage_, count));
}

Dataset Dataset::shuffle(std::int64_t buffer_size, const ShuffleOptions& options) const {
  check_at_least("shuffle", "buffer_size", buffer_size, 1);
  return Dataset(shuffle_stage(stage_, buffer_size, seed_of(options.seed), options.reshuffle_each_iteration));
}

Dataset Dataset::unique() const { return Dataset(unique_stage(stage_)); }
Dataset Dataset::filtered(Predicate predicate) const {
  return Dataset(filter_stage(stage_, std::move(predicate)));
}
Dataset Dataset::taken_while(Predicate predicate) const {
  return Dataset(take_while_stage(stage_, std::move(predicate)));
}

Dataset Dataset::batch(std::int64_t batch_size, const BatchOptions& options) const {
  check_at_least("batch", "batch_size", batch_size, 1);
  return Dataset(batch_stage(stage_, {.batch_size = batch_size, .drop_remainder = options.drop_remainder}));
}

namespace {

Padding padding_of(const std::vector<Dims>& shapes, const std::vector<Element>& values, const char* caller) {
  for (const Dims& shape : shapes)
    for (const std::int64_t extent : shape)
      check_at_least(caller, "an extent of padded_shapes", extent, kUnknownExtent);
  return {.shapes = shapes, .values = values};
}

}  // namespace

Dataset Dataset::padded_batch(std::int64_t batch_size, const PaddedBatchOptions& options) const {
  check_at_least("padded_batch", "batch_size", batch_size, 1);
  return Dataset(batch_stage(
      stage_, {.batch_size = batch_size,
               .drop_remainder = options.drop_remainder,
               .kind = BatchKind::kPadded,
               .padding = padding_of(options.padded_shapes, options.padding_values, "padded_batch")}));
}

Dataset Dataset::ragged_batch(std::int64_t batch_size, const BatchOptions& options) const {
  check_at_least("ragged_batch", "batch_size", batch_size, 1);
  return Dataset(batch_stage(
      stage_,
      {.batch_size = batch_size, .drop_remainder = options.drop_remainder, .kind = BatchKind::kRagged}));
}

Dataset Dataset::unbatch() const { return Dataset(unbatch_stage(stage_)); }

Dataset Dataset::rebatch(std::vector<std::int64_t> batch_sizes, const BatchOptions& options) const {
  if (batch_sizes.empty()) invalid_argument("[rebatch] batch_sizes must have at least one number");
  for (const std::int64_t size : batch_sizes) check_at_least("rebatch", "batch_size", size, 1);
  return Dataset(rebatch_stage(stage_, std::move(batch_sizes), options.drop_remainder));
}

Dataset Dataset::grouped(Key key, ReduceWindow reduce, const GroupByWindowOptions& options) const {
  if (options.window_size.has_value() == static_cast<bool>(options.window_size_func))
    invalid_argument("[group_by_window] give one of window_size and window_size_func");
  auto size_of = options.window_size_func;
  if (options.window_size.has_value()) {
    check_at_least("group_by_window", "window_size", *options.window_size, 1);
    size_of = [size = *options.window_size](std::int64_t) { return size; };
  }
  return Dataset(group_by_window_stage(stage_, std::move(key), std::move(reduce), std::move(size_of)));
}

namespace {

void check_buckets(const BucketOptions& options) {
  constexpr const char* kCaller = "bucket_by_sequence_length";
  const auto& boundaries = options.bucket_boundaries;
  if (options.bucket_batch_sizes.size() != boundaries.size() + 1)
    invalid_argument("[{}] {} bucket_boundaries need {} bucket_batch_sizes; got {}", kCaller,
                     boundaries.size(), boundaries.size() + 1, options.bucket_batch_sizes.size());
  for (std::size_t i = 1; i < boundaries.size(); ++i)
    if (boundaries[i] <= boundaries[i - 1])
      invalid_argument("[{}] bucket_boundaries must be in ascending order; got {}", kCaller,
                       fmt::join(boundaries, ", "));
  for (const std::int64_t size : options.bucket_batch_sizes) check_at_least(kCaller, "a batch size", size, 1);
  padding_of(options.padded_shapes, options.padding_values, kCaller);
}

/// The shapes for padding a bucket's batches: axes of unknown length become the boundary minus one.
std::vector<Dims> bucket_shapes(const BucketOptions& options, const Element& example, std::size_t bucket) {
  if (bucket == options.bucket_boundaries.size())
    invalid_argument(
        "[bucket_by_sequence_length] with pad_to_bucket_boundary no element may be as long as the last "
        "boundary, {}",
        options.bucket_boundaries.empty() ? 0 : options.bucket_boundaries.back());
  std::vector<Dims> shapes = options.padded_shapes;
  if (shapes.empty())
    for_each_leaf(example, [&](const Element& leaf) {
      const std::size_t rank = leaf.is_text()      ? 0
                               : leaf.is_strings() ? leaf.strings().shape().size()
                                                   : static_cast<std::size_t>(leaf.tensor().rank());
      shapes.emplace_back(rank, kUnknownExtent);
    });
  for (Dims& shape : shapes)
    std::replace(shape.begin(), shape.end(), kUnknownExtent, options.bucket_boundaries[bucket] - 1);
  return shapes;
}

}  // namespace

Dataset Dataset::bucketed(Key length, const BucketOptions& options) const {
  check_buckets(options);
  const auto bucket_of = [length = std::move(length),
                          boundaries = options.bucket_boundaries](const Element& element) {
    const std::int64_t of = length(element);
    return std::int64_t{std::upper_bound(boundaries.begin(), boundaries.end(), of) - boundaries.begin()};
  };
  const auto reduce = [options](std::int64_t key, const StagePointer& window) {
    const auto bucket = static_cast<std::size_t>(key);
    BatchParameters parameters{.batch_size = options.bucket_batch_sizes[bucket],
                               .drop_remainder = options.drop_remainder,
                               .kind = options.no_padding ? BatchKind::kEqual : BatchKind::kPadded,
                               .padding = {options.padded_shapes, options.padding_values}};
    if (options.pad_to_bucket_boundary)
      parameters.padding.shapes = bucket_shapes(options, elements_of(*window).front(), bucket);
    return batch_stage(window, std::move(parameters));
  };
  const auto size_of = [sizes = options.bucket_batch_sizes](std::int64_t key) {
    return sizes[static_cast<std::size_t>(key)];
  };
  return Dataset(group_by_window_stage(stage_, bucket_of, reduce, size_of));
}

Dataset Dataset::window(std::int64_t size, const WindowOptions& options) const {
  check_at_least("window", "size", size, 1);
  const std::int64_t shift = options.shift.value_or(size);
  check_at_least("window", "shift", shift, 1);
  check_at_least("window", "stride", options.stride, 1);
  return Dataset(window_stage(stage_, size, shift, options.stride, options.drop_remainder));
}

Dataset Dataset::mapped(Function function, const MapOptions& options) const {
  check_parallel("map", "num_parallel_calls", options.num_parallel_calls);
  if (!options.num_parallel_calls.has_value()) return Dataset(map_stage(stage_, std::move(function)));
  return Dataset(
      parallel_map_stage(stage_, std::move(function), *options.num_parallel_calls, options.deterministic));
}

Dataset Dataset::flat_mapped(StageOf function) const {
  return Dataset(flat_map_stage(stage_, std::move(function)));
}

Dataset Dataset::interleaved(StageOf function, const InterleaveOptions& options) const {
  check_parallel("interleave", "num_parallel_calls", options.num_parallel_calls);
  check_parallel("interleave", "cycle_length", options.cycle_length);
  check_at_least("interleave", "block_length", options.block_length, 1);
  const std::int64_t cycle = options.cycle_length == kAutotune ? default_num_threads() : options.cycle_length;
  return Dataset(interleave_stage(stage_, std::move(function),
                                  {.cycle_length = cycle,
                                   .block_length = options.block_length,
                                   .is_parallel = options.num_parallel_calls.has_value()}));
}

Dataset Dataset::scanned(Element initial_state, Function function) const {
  return Dataset(scan_stage(stage_, std::move(initial_state), std::move(function)));
}

Element Dataset::reduced(Element initial_state, const Function& function) const {
  Element state = std::move(initial_state), element;
  const ElementCursor cursor = stage_->iterate({});
  while (cursor->next_one(element)) state = function(Element({state, element}));
  return state;
}

Dataset Dataset::enumerate(std::int64_t start) const { return Dataset(enumerate_stage(stage_, start)); }
Dataset Dataset::cache() const { return Dataset(cache_stage(stage_)); }

Dataset Dataset::prefetch(std::int64_t buffer_size) const {
  if (buffer_size != kAutotune) check_at_least("prefetch", "buffer_size", buffer_size, 0);
  return Dataset(prefetch_stage(stage_, buffer_size));
}

Dataset Dataset::with_options(const Options& options) const {
  if (options.num_threads.has_value()) check_at_least("with_options", "num_threads", *options.num_threads, 1);
  if (options.memory_budget_bytes.has_value())
    check_at_least("with_options", "memory_budget_bytes", *options.memory_budget_bytes, 1);
  return Dataset(options_stage(stage_, options));
}

Dataset Dataset::ignore_errors(bool log_warning) const {
  return Dataset(ignore_errors_stage(stage_, log_warning));
}

std::int64_t Dataset::cardinality() const { return stage_->cardinality(); }

Dataset Dataset::assert_cardinality(std::int64_t expected) const {
  check_at_least("assert_cardinality", "the cardinality", expected, kInfiniteCardinality);
  return Dataset(assert_cardinality_stage(stage_, expected));
}

std::string Dataset::element_spec() const {
  Element first;
  if (!stage_->iterate({.is_probe = true})->next_one(first))
    fail(ErrorCode::kFailedPrecondition, "[element_spec] the dataset is empty: its elements have no type");
  return first.type_str();
}

Element Dataset::get_single_element() const {
  const ElementCursor cursor = stage_->iterate({});
  Element element, next;
  if (!cursor->next_one(element)) invalid_argument("[get_single_element] the dataset is empty");
  if (cursor->next_one(next)) invalid_argument("[get_single_element] the dataset has more than one element");
  return element;
}

std::vector<Element> Dataset::to_vector() const { return elements_of(*stage_); }

void Dataset::save(const StringArgument& path, std::int64_t num_shards) const {
  save_elements(*stage_, path, num_shards);
}

Dataset Dataset::load(const StringArgument& path) { return Dataset(saved_stage(path)); }
Dataset Dataset::cache(const StringArgument& path) const { return Dataset(file_cache_stage(stage_, path)); }

std::string Dataset::explain(double seconds) const {
  using Clock = std::chrono::steady_clock;
  start_tick_clock();
  auto profile = std::make_shared<Profile>();
  const auto begin = Clock::now();
  double elapsed = 0;
  {
    const ElementCursor cursor = open(*stage_, {.profile = profile});
    Element element;
    while (elapsed < seconds && cursor->next_one(element))
      elapsed = std::chrono::duration<double>(Clock::now() - begin).count();
  }
  return profile->report(*stage_, std::max(elapsed, 1e-9));
}

}  // namespace cornu::inline v0::data
