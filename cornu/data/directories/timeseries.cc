#include <algorithm>
#include <numeric>
#include <random>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"
#include "cornu/base/numpy_order.h"
#include "cornu/data/directories/directories.h"
#include "cornu/data/rows.h"
#include "cornu/tensor/random.h"

namespace cornu::inline v0::data {
namespace {

constexpr const char* kTimeseries = "timeseries_dataset_from_array";

void check_step(const char* name, std::int64_t step, std::int64_t num_rows) {
  if (step <= 0)
    invalid_argument("[{}] {} must be higher than 0; got {} = {}", kTimeseries, name, name, step);
  if (step >= num_rows)
    invalid_argument("[{}] {} must be lower than the length of the data; got {} = {} for data of length {}",
                     kTimeseries, name, name, step, num_rows);
}

void check_series(const TimeseriesOptions& options, std::int64_t num_rows) {
  const std::int64_t start = options.start_index.value_or(0), end = options.end_index.value_or(num_rows);
  if (start < 0 || (start > 0 && start >= num_rows))
    invalid_argument("[{}] start_index must be in the data; got start_index = {} for data of length {}",
                     kTimeseries, start, num_rows);
  if (options.end_index.has_value() && (end <= start || end >= num_rows))
    invalid_argument(
        "[{}] end_index must be higher than start_index and lower than the length of the data; got end_index "
        "= {}, start_index = {}, for data of length {}",
        kTimeseries, end, start, num_rows);
  check_step("sampling_rate", options.sampling_rate, num_rows);
  check_step("sequence_stride", options.sequence_stride, num_rows);
  if (options.sequence_length < 1)
    invalid_argument("[{}] sequence_length must be at least 1; got sequence_length = {}", kTimeseries,
                     options.sequence_length);
}

}  // namespace

Dataset timeseries_dataset_from_array(const Tensor& data, const std::optional<Tensor>& targets,
                                      const TimeseriesOptions& options) {
  const std::int64_t num_rows = data::num_rows(Element(data), kTimeseries);
  check_series(options, num_rows);
  const std::int64_t start = options.start_index.value_or(0), end = options.end_index.value_or(num_rows);
  const CheckedSize reach = CheckedSize(options.sequence_length - 1) * options.sampling_rate;
  std::int64_t count = reach.exceeds(num_rows) ? 0 : end - start - reach.value("the reach");
  if (targets.has_value()) {
    const std::int64_t num_targets = data::num_rows(Element(*targets), kTimeseries);
    count = std::min({count, num_targets, std::min(end, num_targets) - start});
  }
  std::vector<std::int64_t> begins;
  for (std::int64_t begin = 0; begin < count; begin += options.sequence_stride)
    begins.push_back(start + begin);
  const std::uint64_t seed = options.seed.value_or(options.shuffle ? next_seed() : 0);
  if (options.shuffle) {
    std::mt19937 bits(static_cast<std::uint32_t>(seed));
    std::vector<std::int64_t> shuffled;
    for (const std::size_t i : numpy_order(begins.size(), bits)) shuffled.push_back(begins[i]);
    begins = std::move(shuffled);
  }
  const Dataset places = Dataset::from_tensor_slices(begins);
  const auto sequence_at = [data, options](std::int64_t begin) {
    std::vector<std::int64_t> rows;
    rows.reserve(static_cast<std::size_t>(options.sequence_length));
    for (std::int64_t i = 0; i < options.sequence_length; ++i)
      rows.push_back(begin + i * options.sampling_rate);
    BufferPool pool;
    return gather(Element(data), rows, pool);
  };
  const Dataset ordered =
      options.shuffle ? places.shuffle(options.batch_size.value_or(128) * 8, {.seed = seed}) : places;
  const Dataset sequences = targets.has_value()
                                ? ordered.map([sequence_at, target = *targets](std::int64_t begin) {
                                    return Element({sequence_at(begin), row(Element(target), begin)});
                                  })
                                : ordered.map(sequence_at);
  return options.batch_size.has_value() ? sequences.batch(*options.batch_size) : sequences;
}

}  // namespace cornu::inline v0::data
