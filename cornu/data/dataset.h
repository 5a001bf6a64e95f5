#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/data/callables.h"
#include "cornu/data/element.h"
#include "cornu/data/iterator.h"
#include "cornu/data/options.h"

namespace cornu::inline v0::data {

class Dataset;

struct RangeOptions {  // options/data.toml
  /// First element.
  std::int64_t start = 0;
  /// Difference between neighbouring elements; must not be 0.
  std::int64_t step = 1;
};
struct CounterOptions {  // options/data.toml
  /// First element.
  std::int64_t start = 0;
  /// Difference between neighbouring elements.
  std::int64_t step = 1;
};
struct RandomOptions {  // options/data.toml
  /// Seed; unset: the process's next default seed (set_random_seed).
  std::optional<std::uint64_t> seed = {};
  /// True: draws new numbers in each pass; false: all passes have the same numbers.
  bool rerandomize_each_iteration = false;
};
struct ListFilesOptions {  // options/data.toml
  /// True: a new random order in each pass; false: the order of the names.
  bool shuffle = true;
  /// Seed of the order; unset: the process's next default seed (set_random_seed).
  std::optional<std::uint64_t> seed = {};
};
struct ShuffleOptions {  // options/data.toml
  /// Seed of the order; unset: the process's next default seed (set_random_seed).
  std::optional<std::uint64_t> seed = {};
  /// True: a new order in each pass; false: all passes have the same order.
  bool reshuffle_each_iteration = true;
};
struct BatchOptions {  // options/data.toml
  /// True: omits a last batch with fewer rows than the others.
  bool drop_remainder = false;
};
struct PaddedBatchOptions {  // options/data.toml
  /// Shape of each component; an extent of kUnknownExtent (-1) becomes that of the batch's longest element.
  /// Empty: all extents do.
  std::vector<Dims> padded_shapes = {};
  /// Number or text that fills each component; empty: zeros and empty texts.
  std::vector<Element> padding_values = {};
  /// True: omits a last batch with fewer rows than the others.
  bool drop_remainder = false;
};
struct BucketOptions {  // options/data.toml
  /// Bounds of the buckets, rising: bucket i has the lengths in [bucket_boundaries[i - 1],
  /// bucket_boundaries[i]).
  std::vector<std::int64_t> bucket_boundaries;
  /// Rows of a batch of each bucket, at least 1; one more number than bucket_boundaries has.
  std::vector<std::int64_t> bucket_batch_sizes;
  /// Shape of each component; an extent of kUnknownExtent (-1) becomes that of the batch's longest element.
  /// Empty: all extents do.
  std::vector<Dims> padded_shapes = {};
  /// Number or text that fills each component; empty: zeros and empty texts.
  std::vector<Element> padding_values = {};
  /// True: pads axes of unknown length to the bucket's upper bound minus 1; no element may be as long as the
  /// last bound.
  bool pad_to_bucket_boundary = false;
  /// True: does not pad; all elements of a batch must have one shape.
  bool no_padding = false;
  /// True: omits a last batch with fewer rows than the others.
  bool drop_remainder = false;
};
struct GroupByWindowOptions {  // options/data.toml
  /// Elements of a window, at least 1; unset: window_size_func decides. Give one of both.
  std::optional<std::int64_t> window_size = {};
  /// Function that returns the elements of a window for each key; empty: window_size decides.
  std::function<std::int64_t(std::int64_t key)> window_size_func = {};
};
struct MapOptions {  // options/data.toml
  /// Number of elements that are computed at the same time, or kAutotune; unset: one, on the caller's thread.
  std::optional<std::int64_t> num_parallel_calls = {};
  /// True: elements keep their order; false: each comes when it is ready. Unset: the option of the pipeline
  /// (Options::deterministic) decides.
  std::optional<bool> deterministic = {};
};
struct InterleaveOptions {  // options/data.toml
  /// Number of datasets that are read in turn, at least 1; kAutotune: the process's CPU budget.
  std::int64_t cycle_length = kAutotune;
  /// Consecutive elements from one dataset before the next one's turn; at least 1.
  std::int64_t block_length = 1;
  /// Any number of at least 1, or kAutotune: a thread reads ahead in each dataset of the cycle; unset: the
  /// caller's thread reads.
  std::optional<std::int64_t> num_parallel_calls = {};
};
struct WindowOptions {  // options/data.toml
  /// Elements from the start of one window to that of the next, at least 1; unset: `size`.
  std::optional<std::int64_t> shift = {};
  /// Elements from one element of a window to the next; at least 1.
  std::int64_t stride = 1;
  /// True: omits windows with fewer than `size` elements, which are at the end.
  bool drop_remainder = false;
};
struct SampleOptions {  // options/data.toml
  /// Weight of each dataset in the choice, finite and not negative; empty: equal weights.
  std::vector<double> weights = {};
  /// Seed of the choices; unset: the process's next default seed (set_random_seed).
  std::optional<std::uint64_t> seed = {};
  /// True: ends when a chosen dataset has ended; false: continues with the others.
  bool stop_on_empty_dataset = false;
  /// True: makes new choices in each pass; false: all passes make the same choices.
  bool rerandomize_each_iteration = false;
};

/// A sequence of elements, described as a pipeline of stages: tf.data's Dataset, with its names.
///
///     Dataset train = Dataset::from_tensor_slices({x, y}).shuffle(60000, {.seed = 1}).batch(128);
///     for (const Element& batch : train) { ... batch[0].tensor() ... }
///     model.fit(train, {.epochs = 5});
///
/// Elements are computed only during iteration. Functions take a tuple's components as arguments, each as
/// Tensor, number, std::string, Strings, Ragged or Element, as the parameter's type requires. They return a
/// tensor, a number, a text, a pair or tuple of these, or an Element. With num_parallel_calls they are called
/// from several threads at once. The result of `function` may be used, too, with tensors as arguments: it is
/// compiled once for each type of element, so use it after batch().
///
/// One seed gives one order, for any number of threads. `shuffle` over rows in memory, with a buffer of at
/// least as many rows, is a permutation that is computed by index; otherwise it draws from a buffer, as in
/// tf.data.
/// Errors:  arguments are checked when the dataset is made (InvalidArgument). An invalid element makes the
///          iterator throw when it reaches it; the iterator can continue after it.
/// Threads: safe; each iterator is for one thread.
class Dataset {
 public:
  explicit Dataset(std::shared_ptr<const Stage> stage) : stage_(std::move(stage)) {}

  // Sources.
  /// Makes an element for each row of the arrays, which are not copied.
  static Dataset from_tensor_slices(const Element& tensors);
  /// Makes a single element.
  static Dataset from_tensors(Element element);
  /// Makes elements by a function until it returns none. `make` begins a pass and returns the function.
  static Dataset from_generator(std::function<std::function<std::optional<Element>()>()> make);
  /// start, start + step, ... up to `stop`, exclusive, as int64.
  static Dataset range(std::int64_t stop, const RangeOptions& options = {});
  static Dataset counter(const CounterOptions& options = {});
  /// An infinite sequence of random numbers below 2^32, as int64.
  static Dataset random(const RandomOptions& options = {});
  /// The names of files that match shell patterns ("data/*.csv"). Errors: NotFound if there are none.
  static Dataset list_files(const std::vector<std::string>& patterns, const ListFilesOptions& options = {});
  static Dataset list_files(const char* pattern, const ListFilesOptions& options = {}) {
    return list_files(std::vector<std::string>{pattern}, options);
  }
  /// The elements written by `save`. Errors: NotFound; DataLoss for a folder with other content.
  static Dataset load(const StringArgument& path);

  // Several datasets.
  static Dataset zip(const std::vector<Dataset>& datasets);
  static Dataset zip(const std::vector<std::pair<std::string, Dataset>>& datasets);
  Dataset concatenate(const Dataset& next) const;
  static Dataset sample_from_datasets(const std::vector<Dataset>& datasets,
                                      const SampleOptions& options = {});
  static Dataset choose_from_datasets(const std::vector<Dataset>& datasets, const Dataset& choices,
                                      bool stop_on_empty_dataset = true);

  // Selection and order.
  Dataset take(std::int64_t count) const;  // -1: all
  Dataset skip(std::int64_t count) const;  // -1: all
  Dataset shard(std::int64_t num_shards, std::int64_t index) const;
  Dataset repeat(std::int64_t count = -1) const;  // -1: without end
  Dataset shuffle(std::int64_t buffer_size, const ShuffleOptions& options = {}) const;
  Dataset unique() const;
  template <typename F>
  Dataset filter(F predicate) const {
    return filtered(detail::typed_function<bool>("filter", std::move(predicate)));
  }
  template <typename F>
  Dataset take_while(F predicate) const {
    return taken_while(detail::typed_function<bool>("take_while", std::move(predicate)));
  }

  // Batches.
  Dataset batch(std::int64_t batch_size, const BatchOptions& options = {}) const;
  Dataset padded_batch(std::int64_t batch_size, const PaddedBatchOptions& options = {}) const;
  Dataset ragged_batch(std::int64_t batch_size, const BatchOptions& options = {}) const;
  Dataset unbatch() const;
  Dataset rebatch(std::int64_t batch_size, const BatchOptions& options = {}) const {
    return rebatch(std::vector<std::int64_t>{batch_size}, options);
  }
  /// Batches whose sizes cycle through `batch_sizes`.
  Dataset rebatch(std::vector<std::int64_t> batch_sizes, const BatchOptions& options = {}) const;
  /// Batches elements of similar length, as computed by `length`.
  template <typename F>
  Dataset bucket_by_sequence_length(F length, const BucketOptions& options) const {
    return bucketed(detail::typed_function<std::int64_t>("bucket_by_sequence_length", std::move(length)),
                    options);
  }
  /// Groups elements by `key`; `reduce(key, window)` makes a dataset of a window of elements with the same
  /// key.
  template <typename Key, typename Reduce>
  Dataset group_by_window(Key key, Reduce reduce, const GroupByWindowOptions& options) const {
    return grouped(
        detail::typed_function<std::int64_t>("group_by_window", std::move(key)),
        [reduce = std::move(reduce)](std::int64_t of, const std::shared_ptr<const Stage>& window) mutable {
          return reduce(of, Dataset(window)).stage();
        },
        options);
  }
  /// Each element is a dataset of `size` consecutive elements (a dataset of each component).
  Dataset window(std::int64_t size, const WindowOptions& options = {}) const;

  // Functions of elements.
  template <typename F>
  Dataset map(F function, const MapOptions& options = {}) const {
    return mapped(detail::element_function("map", std::move(function)), options);
  }
  template <typename F>
  Dataset flat_map(F function) const {
    return flat_mapped(detail::stage_function("flat_map", std::move(function)));
  }
  template <typename F>
  Dataset interleave(F function, const InterleaveOptions& options = {}) const {
    return interleaved(detail::stage_function("interleave", std::move(function)), options);
  }
  /// `function(state, element)` returns the next state and an element.
  template <typename F>
  Dataset scan(Element initial_state, F function) const {
    return scanned(std::move(initial_state), detail::element_function("scan", std::move(function)));
  }
  /// Folds all elements: `function(state, element)` returns the next state, the last of which is the result.
  template <typename F>
  Element reduce(Element initial_state, F function) const {
    return reduced(std::move(initial_state), detail::element_function("reduce", std::move(function)));
  }
  Dataset enumerate(std::int64_t start = 0) const;
  /// Returns `transformation(dataset)`.
  template <typename F>
  Dataset apply(F&& transformation) const {
    return transformation(*this);
  }

  // Memory and threads.
  /// Keeps the elements of the first complete pass in memory; rows in memory are not copied.
  Dataset cache() const;
  /// Keeps the elements of the first complete pass in the file `path`, also for later programs.
  Dataset cache(const StringArgument& path) const;
  Dataset prefetch(std::int64_t buffer_size) const;
  Dataset with_options(const Options& options) const;
  /// Omits elements that fail. With `log_warning`, logs the first error and, after a pass, their number.
  Dataset ignore_errors(bool log_warning = false) const;

  // Properties.
  /// The number of elements, kInfiniteCardinality or kUnknownCardinality.
  std::int64_t cardinality() const;
  Dataset assert_cardinality(std::int64_t expected) const;
  /// Types and shapes of the first element: "(float32 (4,), int64 ())". Errors: FailedPrecondition if there
  /// is none.
  std::string element_spec() const;
  /// The only element. Errors: InvalidArgument unless there is exactly one.
  Element get_single_element() const;
  /// All elements. Errors: InvalidArgument for an infinite dataset.
  std::vector<Element> to_vector() const;
  /// Writes all elements into the folder `path`, distributed in turn over `num_shards` files.
  void save(const StringArgument& path, std::int64_t num_shards = 1) const;
  /// Iterates for up to `seconds` and reports the work of each stage, and the slowest stage.
  std::string explain(double seconds = 1.0) const;

  Iterator iterator() const { return Iterator(stage_); }
  Iterator begin() const { return iterator().first(); }
  std::default_sentinel_t end() const { return {}; }

  const std::shared_ptr<const Stage>& stage() const { return stage_; }

 private:
  using Function = std::function<Element(const Element&)>;
  using Predicate = std::function<bool(const Element&)>;
  using Key = std::function<std::int64_t(const Element&)>;
  using StageOf = std::function<std::shared_ptr<const Stage>(const Element&)>;
  using ReduceWindow =
      std::function<std::shared_ptr<const Stage>(std::int64_t, const std::shared_ptr<const Stage>&)>;

  Dataset mapped(Function function, const MapOptions& options) const;
  Dataset filtered(Predicate predicate) const;
  Dataset taken_while(Predicate predicate) const;
  Dataset flat_mapped(StageOf function) const;
  Dataset interleaved(StageOf function, const InterleaveOptions& options) const;
  Dataset scanned(Element initial_state, Function function) const;
  Element reduced(Element initial_state, const Function& function) const;
  Dataset bucketed(Key length, const BucketOptions& options) const;
  Dataset grouped(Key key, ReduceWindow reduce, const GroupByWindowOptions& options) const;

  std::shared_ptr<const Stage> stage_;
};

}  // namespace cornu::inline v0::data
