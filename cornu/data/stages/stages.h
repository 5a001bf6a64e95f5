#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cornu/data/rows.h"
#include "cornu/data/stage.h"

namespace cornu::inline v0::data {

// One function for each stage; Dataset's methods check their arguments.

using ElementFunction = std::function<Element(const Element& element)>;
using ElementPredicate = std::function<bool(const Element& element)>;
using ElementKey = std::function<std::int64_t(const Element& element)>;
using StageFunction = std::function<StagePointer(const Element& element)>;
/// Returns the next element of a pass; nullopt at its end.
using NextElement = std::function<std::optional<Element>()>;
/// Begins a pass.
using MakeGenerator = std::function<NextElement()>;

// Sources.
StagePointer slices_stage(Element stacked);
StagePointer range_stage(std::int64_t start, std::int64_t stop, std::int64_t step);
StagePointer counter_stage(std::int64_t start, std::int64_t step);
StagePointer random_stage(std::uint64_t seed, bool rerandomizes);
StagePointer generator_stage(MakeGenerator make);

// Selection and order.
StagePointer take_stage(StagePointer input, std::int64_t count);
StagePointer skip_stage(StagePointer input, std::int64_t count);
StagePointer shard_stage(StagePointer input, std::int64_t num_shards, std::int64_t index);
StagePointer repeat_stage(StagePointer input, std::int64_t count);
StagePointer shuffle_stage(StagePointer input, std::int64_t buffer_size, std::uint64_t seed,
                           bool reshuffle_each_iteration);

// Batches.
enum class BatchKind { kEqual, kPadded, kRagged };
struct BatchParameters {
  std::int64_t batch_size;
  bool drop_remainder = false;
  BatchKind kind = BatchKind::kEqual;
  Padding padding = {};
};
StagePointer batch_stage(StagePointer input, BatchParameters parameters);
/// One batch of some elements.
Element make_batch(std::span<const Element> elements, const BatchParameters& parameters, BufferPool& pool);
StagePointer unbatch_stage(StagePointer input);
StagePointer rebatch_stage(StagePointer input, std::vector<std::int64_t> sizes, bool drop_remainder);

// One element to one, or none.
StagePointer map_stage(StagePointer input, ElementFunction function);
StagePointer filter_stage(StagePointer input, ElementPredicate predicate);
StagePointer take_while_stage(StagePointer input, ElementPredicate predicate);
StagePointer enumerate_stage(StagePointer input, std::int64_t start);
StagePointer unique_stage(StagePointer input);
/// `function` takes (state, element) and returns (new state, element).
StagePointer scan_stage(StagePointer input, Element initial_state, ElementFunction function);
StagePointer ignore_errors_stage(StagePointer input, bool log_warning);
StagePointer assert_cardinality_stage(StagePointer input, std::int64_t cardinality);
StagePointer options_stage(StagePointer input, const Options& options);

// One element to many.
struct InterleaveParameters {
  std::int64_t cycle_length = 1;
  std::int64_t block_length = 1;
  bool is_parallel = false;
};
StagePointer flat_map_stage(StagePointer input, StageFunction function);
StagePointer interleave_stage(StagePointer input, StageFunction function, InterleaveParameters parameters);

// Many to one.
StagePointer zip_stage(std::vector<StagePointer> inputs, std::vector<std::string> names);
StagePointer concatenate_stage(StagePointer first, StagePointer second);
/// Takes each next element from the dataset with the number given by `choices` (i64).
StagePointer choose_stage(StagePointer choices, std::vector<StagePointer> inputs, bool stop_on_empty_dataset);
/// An infinite sequence of choices, drawn by weight.
StagePointer weighted_choices_stage(std::vector<double> weights, std::uint64_t seed, bool rerandomizes);

// Groups.
StagePointer window_stage(StagePointer input, std::int64_t size, std::int64_t shift, std::int64_t stride,
                          bool drop_remainder);
/// `reduce` takes (key, window).
using ReduceWindow = std::function<StagePointer(std::int64_t key, const StagePointer& window)>;
StagePointer group_by_window_stage(StagePointer input, ElementKey key, ReduceWindow reduce,
                                   std::function<std::int64_t(std::int64_t key)> window_size);

// Threads and memory.
StagePointer prefetch_stage(StagePointer input, std::int64_t buffer_size);
StagePointer parallel_map_stage(StagePointer input, ElementFunction function, std::int64_t num_parallel_calls,
                                std::optional<bool> deterministic);
StagePointer cache_stage(StagePointer input);

}  // namespace cornu::inline v0::data
