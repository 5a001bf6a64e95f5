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

struct RangeOptions {
  std::int64_t start = 0;
  std::int64_t step = 1;
};
struct CounterOptions {
  std::int64_t start = 0;
  std::int64_t step = 1;
};
struct RandomOptions {
  std::optional<std::uint64_t> seed = {};  // without it the process's next default seed, here and below
  bool rerandomize_each_iteration = false;
};
struct ListFilesOptions {
  bool shuffle = true;
  std::optional<std::uint64_t> seed = {};
};
struct ShuffleOptions {
  std::optional<std::uint64_t> seed = {};
  bool reshuffle_each_iteration = true;
};
struct BatchOptions {
  bool drop_remainder = false;
};
struct PaddedBatchOptions {
  /// The shape of each component; kUnknownExtent (-1) for as long as the longest. Empty: all axes are.
  std::vector<Dims> padded_shapes = {};
  /// A number or text for each component. Empty: zeros and empty texts.
  std::vector<Element> padding_values = {};
  bool drop_remainder = false;
};
struct BucketOptions {
  /// Bucket i holds lengths in [boundaries[i - 1], boundaries[i]).
  std::vector<std::int64_t> bucket_boundaries;
  std::vector<std::int64_t> bucket_batch_sizes;  // one more than the boundaries
  std::vector<Dims> padded_shapes = {};
  std::vector<Element> padding_values = {};
  /// Axes of unknown length are padded to the bucket's boundary minus 1.
  bool pad_to_bucket_boundary = false;
  bool no_padding = false;
  bool drop_remainder = false;
};
struct GroupByWindowOptions {
  std::optional<std::int64_t> window_size = {};
  /// Gives the window's size for each key, in the place of `window_size`.
  std::function<std::int64_t(std::int64_t key)> window_size_func = {};
};
struct MapOptions {
  /// How many elements are worked on at a time: a number, or kAutotune. Without it the caller works on one.
  std::optional<std::int64_t> num_parallel_calls = {};
  /// Whether elements keep their order; else they come as they are ready. Without it the dataset's options
  /// say so.
  std::optional<bool> deterministic = {};
};
struct InterleaveOptions {
  /// How many datasets are gone through at a time; kAutotune stands for the process's CPU budget.
  std::int64_t cycle_length = kAutotune;
  std::int64_t block_length = 1;
  /// Where it is set, a thread reads ahead in each of them.
  std::optional<std::int64_t> num_parallel_calls = {};
};
struct WindowOptions {
  std::optional<std::int64_t> shift = {};  // from window to window; without it `size`
  std::int64_t stride = 1;
  bool drop_remainder = false;
};
struct SampleOptions {
  std::vector<double> weights = {};  // empty: equal ones
  std::optional<std::uint64_t> seed = {};
  bool stop_on_empty_dataset = false;
  bool rerandomize_each_iteration = false;
};

/// A sequence of elements and how it is made, step by step: tf.data's Dataset, with its names.
///
///     Dataset train = Dataset::from_tensor_slices({x, y}).shuffle(60000, {.seed = 1}).batch(128);
///     for (const Element& batch : train) { ... batch[0].tensor() ... }
///     model.fit(train, {.epochs = 5});
///
/// Nothing is computed before somebody iterates. Functions take what an element holds: a tuple's components
/// as arguments, each as Tensor, number, std::string, Strings, Ragged or Element as the parameter says; they
/// may give a tensor, a number, a text, a pair or tuple of such, or an Element. With num_parallel_calls they
/// are called from several threads at once. What `function` gives is one, too, with tensors as arguments:
/// it is compiled once for each type of element, so it belongs behind batch().
///
/// One seed gives one order, whatever the number of threads. `shuffle` over rows in memory, with a buffer as
/// large as they are many, is a permutation that is computed place by place; over anything else it draws from
/// a buffer, as in tf.data.
/// Errors:  arguments are checked when the dataset is made (InvalidArgument); what is wrong with an element
///          is thrown by the iterator that comes to it, which can go on behind it.
/// Threads: safe; iterators are for one thread each.
class Dataset {
 public:
  explicit Dataset(std::shared_ptr<const Stage> stage) : stage_(std::move(stage)) {}

  // Sources.
  /// An element for each row of the arrays, which are not copied.
  static Dataset from_tensor_slices(const Element& tensors);
  /// One element.
  static Dataset from_tensors(Element element);
  /// The elements that a function gives until it gives nothing. `make` begins a pass.
  static Dataset from_generator(std::function<std::function<std::optional<Element>()>()> make);
  /// start, start + step, ... before `stop`, as int64.
  static Dataset range(std::int64_t stop, const RangeOptions& options = {});
  static Dataset counter(const CounterOptions& options = {});
  /// Endless numbers below 2^32, as int64.
  static Dataset random(const RandomOptions& options = {});
  /// The names of files that fit patterns of the shell ("data/*.csv"). Errors: NotFound when there is none.
  static Dataset list_files(const std::vector<std::string>& patterns, const ListFilesOptions& options = {});
  static Dataset list_files(const char* pattern, const ListFilesOptions& options = {}) {
    return list_files(std::vector<std::string>{pattern}, options);
  }
  /// The elements that `save` wrote. Errors: NotFound; DataLoss for a folder of something else.
  static Dataset load(const StringArgument& path);

  // Several datasets.
  static Dataset zip(const std::vector<Dataset>& datasets);
  static Dataset zip(const std::vector<std::pair<std::string, Dataset>>& datasets);
  Dataset concatenate(const Dataset& next) const;
  static Dataset sample_from_datasets(const std::vector<Dataset>& datasets,
                                      const SampleOptions& options = {});
  static Dataset choose_from_datasets(const std::vector<Dataset>& datasets, const Dataset& choices,
                                      bool stop_on_empty_dataset = true);

  // Choosing and ordering.
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
  /// Batches whose sizes take turns.
  Dataset rebatch(std::vector<std::int64_t> batch_sizes, const BatchOptions& options = {}) const;
  /// Batches of elements of about the same length, which `length` tells.
  template <typename F>
  Dataset bucket_by_sequence_length(F length, const BucketOptions& options) const {
    return bucketed(detail::typed_function<std::int64_t>("bucket_by_sequence_length", std::move(length)),
                    options);
  }
  /// `reduce(key, window)` makes a dataset of some elements with one key.
  template <typename Key, typename Reduce>
  Dataset group_by_window(Key key, Reduce reduce, const GroupByWindowOptions& options) const {
    return grouped(
        detail::typed_function<std::int64_t>("group_by_window", std::move(key)),
        [reduce = std::move(reduce)](std::int64_t of, const std::shared_ptr<const Stage>& window) mutable {
          return reduce(of, Dataset(window)).stage();
        },
        options);
  }
  /// Each element is a dataset of `size` elements in a row (of each component).
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
  /// `function(state, element)` gives the next state and an element.
  template <typename F>
  Dataset scan(Element initial_state, F function) const {
    return scanned(std::move(initial_state), detail::element_function("scan", std::move(function)));
  }
  /// `function(state, element)` gives the next state; the last one is the result.
  template <typename F>
  Element reduce(Element initial_state, F function) const {
    return reduced(std::move(initial_state), detail::element_function("reduce", std::move(function)));
  }
  Dataset enumerate(std::int64_t start = 0) const;
  /// `transformation(dataset)`.
  template <typename F>
  Dataset apply(F&& transformation) const {
    return transformation(*this);
  }

  // Memory and threads.
  /// Keeps the elements of the first whole pass in memory; rows in memory stay where they are.
  Dataset cache() const;
  /// Keeps them in the file `path`, for later programs too.
  Dataset cache(const StringArgument& path) const;
  Dataset prefetch(std::int64_t buffer_size) const;
  Dataset with_options(const Options& options) const;
  /// Leaves out elements that fail; how many is said at the end of a pass.
  Dataset ignore_errors(bool log_warning = false) const;

  // What it is.
  /// The number of elements, kInfiniteCardinality or kUnknownCardinality.
  std::int64_t cardinality() const;
  Dataset assert_cardinality(std::int64_t expected) const;
  /// Types and shapes of the first element: "(float32 (4,), int64 ())". Errors: FailedPrecondition where
  /// there is none.
  std::string element_spec() const;
  /// The only element. Errors: InvalidArgument unless there is exactly one.
  Element get_single_element() const;
  /// All elements. Errors: InvalidArgument for a dataset without end.
  std::vector<Element> to_vector() const;
  /// Writes all elements into the folder `path`, in turn into `num_shards` files.
  void save(const StringArgument& path, std::int64_t num_shards = 1) const;
  /// Goes through up to `seconds` of it and says what each stage did, and which one took most of the time.
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
