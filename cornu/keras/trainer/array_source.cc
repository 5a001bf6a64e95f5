#include "cornu/keras/trainer/array_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/divide_up.h"
#include "cornu/keras/trainer/state_counts.h"
#include "cornu/keras/trainer/worker_arrays.h"

namespace cornu::inline v0::keras {

ArraySource::ArraySource(ArrayData data, std::int64_t batch_size, ArrayOrder how)
    : given_(std::move(data)),
      data_(given_),
      bases_(bases_here(data_)),
      how_(std::move(how)),
      order_(batch_size) {}

// The shuffle's position is the number of steps trained so far. A resumed fit then shuffles as one
// uninterrupted fit would, and the same call on new data does not repeat an order.
void ArraySource::begin_epoch(const EpochStart& start) {
  const bool is_each_epoch_a_pass = how_.repeat_steps.has_value() || how_.row_order || how_.from_start;
  if (!is_each_epoch_a_pass && next_step_ < order_.num_steps()) return;  // the pass continues
  if (how_.row_order) {
    pass_rows_ = how_.row_order(start.epoch);
    if (pass_rows_.empty()) invalid_argument("[fit] row_order gave no rows for epoch {}", start.epoch);
  }
  pass_seed_ = start.seed;
  pass_position_ = start.steps_trained;
  next_step_ = 0;
  begin_pass();
}

void ArraySource::begin_pass() {
  const std::int64_t num_rows = data_.num_rows();
  if (how_.repeat_steps.has_value()) {
    order_.set_repeated(num_rows, *how_.repeat_steps, how_.shuffle, pass_seed_, pass_position_);
  } else if (how_.row_order) {
    order_.set_rows(pass_rows_, num_rows);
  } else if (how_.shuffle) {
    order_.set_shuffled(num_rows, pass_seed_, pass_position_);
  } else if (order_.num_steps() == 0) {
    order_.set_sequential(num_rows);
  }
}

void ArraySource::begin_run(ArrangeRows arrange) {
  data_ = arrange(given_);
  bases_ = bases_here(data_);
  resident_ = {};
}

// Loading checks the rows of row_order before the step, which is bounded by their number.
StateList ArraySource::state() {
  if (how_.from_start) return {};
  const std::int64_t num_rows = data_.num_rows();
  const auto num_given = std::make_shared<std::int64_t>(0);
  StateEntry rows = state_of("rows", pass_rows_);
  rows.check = [num_rows, num_given](const Tensor& value) -> std::string {
    *num_given = value.num_elements();
    for (const std::int64_t row : value.data<std::int64_t>())
      if (row < 0 || row >= num_rows) return fmt::format("row {} is not one of the {} rows", row, num_rows);
    return {};
  };
  StateEntry next_step = state_of("next_step", next_step_);
  next_step.check = [this, num_rows, num_given](const Tensor& value) {
    const std::int64_t of_pass = divide_up(how_.row_order ? *num_given : num_rows, batch_size());
    return wrong_count(value, how_.repeat_steps.value_or(of_pass), "the steps done of the pass");
  };
  next_step.load = [this](const Tensor& value) {
    next_step_ = value.data<std::int64_t>()[0];
    // No step of the pass is done: the epoch begins the pass.
    if (next_step_ == 0)
      order_ = BatchOrder(batch_size());
    else
      begin_pass();
  };
  return {fixed_state("num_rows", num_rows, "the number of rows"),
          fixed_state("batch_size", batch_size(), "batch_size"),
          state_of("seed", pass_seed_),
          state_of("position", pass_position_),
          std::move(rows),
          std::move(next_step)};
}

BatchSizes ArraySource::sizes_ahead(std::int64_t num_steps) const {
  const std::int64_t count = std::clamp<std::int64_t>(num_steps, 0, order_.num_steps() - next_step_);
  return BatchSizes::of({.batch_size = batch_size(), .num_rows = num_rows_of(count), .num_steps = count});
}

std::string ArraySource::row_name(std::int64_t index) const { return fmt::format("row {}", index); }

}  // namespace cornu::inline v0::keras
