#include "cornu/keras/trainer/exact_step.h"

#include <algorithm>
#include <utility>

#include "cornu/base/check.h"

namespace cornu::inline v0::keras {

ExactStep::ExactStep(ProgramKey step_key, std::int64_t num_rows, std::string reason, Make make)
    : StepRunner(std::move(step_key)), reason_(std::move(reason)), make_(std::move(make)) {
  programs_.push_back({.step = make_(std::min(key().batch_size, num_rows), {}, false)});
}

std::string ExactStep::explain() const { return exact_because_note(compiled()->explain(), reason_); }

void ExactStep::do_bind(const ArrayData& data) {
  data_ = &data;
  for (Program& program : programs_) program.is_bound = false;
}

ExactStep::Sizes ExactStep::sizes_of(const BatchOrder& order, std::int64_t first, std::int64_t count) const {
  const std::int64_t batch_size = key().batch_size, num_full = std::clamp<std::int64_t>(order.num_rows() / batch_size - first, 0, count);
  return {.full = num_full > 0 ? batch_size : 0, .partial = num_full < count ? order.num_rows_of(first + num_full) : 0};
}

// The first stays; the last used goes to the end.
ExactStep::Program* ExactStep::find(std::int64_t rows) {
  const auto is_it = [&](const Program& program) { return program.step->key().batch_size == rows; };
  const auto found = std::find_if(programs_.begin(), programs_.end(), is_it);
  if (found == programs_.end()) return nullptr;
  if (found == programs_.begin()) return &*found;
  std::rotate(found, found + 1, programs_.end());
  return &programs_.back();
}

ExactStep::Program& ExactStep::find_or_make(std::int64_t rows, bool in_background) {
  if (Program* known = find(rows)) return *known;
  if (programs_.size() > kKeptSizes) programs_.erase(programs_.begin() + 1);
  programs_.push_back({.step = make_(rows, logs(), in_background)});
  return programs_.back();
}

ProgramStep& ExactStep::program(std::int64_t rows) {
  Program& found = find_or_make(rows, false);
  found.step->wait();
  if (!std::exchange(found.is_bound, true)) found.step->bind(*data_);
  return *found.step;
}

void ExactStep::expect(const BatchOrder& order, std::int64_t first, std::int64_t count) {
  const Sizes sizes = sizes_of(order, first, count);
  for (const std::int64_t rows : {sizes.full, sizes.partial})
    if (rows > 0) find_or_make(rows, true);
}

bool ExactStep::is_ready(std::int64_t rows) const {
  return rows == 0 || std::any_of(programs_.begin(), programs_.end(), [rows](const Program& program) {
           return program.step->key().batch_size == rows && program.step->is_compiled();
         });
}

bool ExactStep::is_ready(const BatchOrder& order, std::int64_t first, std::int64_t count) {
  const Sizes sizes = sizes_of(order, first, count);
  return is_ready(sizes.full) && is_ready(sizes.partial);
}

void ExactStep::make_ready(const BatchOrder& order, std::int64_t first, std::int64_t count) {
  const Sizes sizes = sizes_of(order, first, count);
  for (const std::int64_t rows : {sizes.full, sizes.partial})
    if (rows > 0) find_or_make(rows, false).step->wait();
}

std::int64_t ExactStep::run(BatchOrder& order, std::int64_t first, std::int64_t count, runtime::Progress& progress) {
  const Sizes sizes = sizes_of(order, first, count);
  const std::int64_t num_full = sizes.partial > 0 ? count - 1 : count;
  std::int64_t done = 0;
  fault_.reset();
  if (num_full > 0) {
    ProgramStep& full = program(sizes.full);
    done = full.run(order, first, num_full, progress);
    fault_ = full.fault();
  }
  if (done < num_full || sizes.partial == 0 || fault_.has_value()) return done;
  ProgramStep& tail = program(sizes.partial);
  runtime::Progress of_tail;  // a program counts its own steps from 0: the bar's would go back
  of_tail.stop.store(progress.stop.load(std::memory_order_relaxed), std::memory_order_relaxed);
  done += tail.run(order, first + num_full, 1, of_tail);
  progress.steps_done.store(done, std::memory_order_relaxed);
  fault_ = tail.fault();
  if (fault_.has_value()) fault_->step += num_full;
  return done;
}

}  // namespace cornu::inline v0::keras
