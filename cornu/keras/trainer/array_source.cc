#include "cornu/keras/trainer/array_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cornu/base/check.h"

namespace cornu::inline v0::keras {

ArraySource::ArraySource(ArrayData data, std::int64_t batch_size, ArrayOrder how)
    : data_(std::move(data)), bases_(data_.bases()), how_(std::move(how)), order_(batch_size) {}

// The shuffle's position is the number of steps trained so far: a fit that goes on where another stopped shuffles as if it had been one,
// and the same call on new data does not repeat itself.
void ArraySource::begin_epoch(const EpochStart& start) {
  const std::int64_t num_rows = data_.num_rows();
  if (how_.repeat_steps.has_value()) {
    order_.set_repeated(num_rows, *how_.repeat_steps, how_.shuffle, start.seed, start.steps_trained);
  } else if (how_.row_order) {
    std::vector<std::int64_t> rows = how_.row_order(start.epoch);
    if (rows.empty()) invalid_argument("[fit] row_order gave no rows for epoch {}", start.epoch);
    order_.set_rows(std::move(rows), num_rows);
  } else if (next_step_ < order_.num_steps() && !how_.from_start) {
    return;  // the pass goes on
  } else if (how_.shuffle) {
    order_.set_shuffled(num_rows, start.seed, start.steps_trained);
  } else if (order_.num_steps() == 0) {
    order_.set_sequential(num_rows);
  }
  next_step_ = 0;
}

BatchSizes ArraySource::sizes_ahead(std::int64_t num_steps) const {
  const std::int64_t count = std::clamp<std::int64_t>(num_steps, 0, order_.num_steps() - next_step_);
  return BatchSizes::of({.batch_size = batch_size(), .num_rows = num_rows_of(count), .num_steps = count});
}

std::string ArraySource::row_name(std::int64_t index) const { return fmt::format("row {}", index); }

}  // namespace cornu::inline v0::keras
