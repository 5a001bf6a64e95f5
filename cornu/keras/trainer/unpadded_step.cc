#include "cornu/keras/trainer/unpadded_step.h"

#include <algorithm>
#include <utility>

#include "cornu/base/check.h"

namespace cornu::inline v0::keras {

UnpaddedStep::UnpaddedStep(ProgramKey step_key, std::int64_t num_rows, std::string reason, Make make)
    : StepRunner(std::move(step_key)), reason_(std::move(reason)), make_(std::move(make)) {
  programs_.push_back({.step = make_(std::min(key().batch_size, num_rows), {}, false)});
}

std::string UnpaddedStep::explain() const { return exact_because_note(compiled()->explain(), reason_); }

void UnpaddedStep::bind() {
  for (Program& program : programs_) program.is_bound = false;
}

// The other programs hold the values when they are first used.
void UnpaddedStep::hold_values() {
  programs_.front().step->hold_values();
  ++programs_.front().num_held;
}

void UnpaddedStep::hold_as(const StepRunner& other) {
  programs_.front().step->hold_as(other);
  ++programs_.front().num_held;
}

void UnpaddedStep::release_values() {
  const std::size_t num_left = programs_.front().num_held - 1;
  for (Program& program : programs_) {
    for (; program.num_held > num_left; --program.num_held) program.step->release_values();
  }
}

// The first program stays in its place; the one last used moves to the end.
UnpaddedStep::Program* UnpaddedStep::find(std::int64_t rows) {
  const auto is_it = [&](const Program& program) { return program.step->key().batch_size == rows; };
  const auto found = std::find_if(programs_.begin(), programs_.end(), is_it);
  if (found == programs_.end()) return nullptr;
  if (found == programs_.begin()) return &*found;
  std::rotate(found, found + 1, programs_.end());
  return &programs_.back();
}

UnpaddedStep::Program& UnpaddedStep::find_or_make(std::int64_t rows, bool in_background) {
  if (Program* known = find(rows)) return *known;
  if (programs_.size() > kKeptSizes) {
    if (programs_[1].step.get() == last_) last_ = nullptr;
    programs_.erase(programs_.begin() + 1);
  }
  programs_.push_back({.step = make_(rows, logs(), in_background)});
  return programs_.back();
}

CompiledStep& UnpaddedStep::program(std::int64_t rows) {
  Program& found = find_or_make(rows, false);
  found.step->wait();
  const Program& first = programs_.front();
  for (; found.num_held < first.num_held; ++found.num_held) found.step->hold_as(*first.step, found.num_held);
  if (!std::exchange(found.is_bound, true)) found.step->bind();
  return *found.step;
}

void UnpaddedStep::expect(const BatchSizes& sizes) {
  for (const std::int64_t rows : {sizes.full, sizes.partial})
    if (rows > 0) find_or_make(rows, true);
}

bool UnpaddedStep::is_compiled(std::int64_t rows) const {
  return rows == 0 || std::any_of(programs_.begin(), programs_.end(), [rows](const Program& program) {
           return program.step->key().batch_size == rows && program.step->is_compiled();
         });
}

bool UnpaddedStep::is_ready(const Batches& batches) {
  const BatchSizes sizes = BatchSizes::of(batches);
  return is_compiled(sizes.full) && is_compiled(sizes.partial);
}

void UnpaddedStep::make_ready(const Batches& batches) {
  const BatchSizes sizes = BatchSizes::of(batches);
  for (const std::int64_t rows : {sizes.full, sizes.partial})
    if (rows > 0) find_or_make(rows, false).step->wait();
}

std::int64_t UnpaddedStep::run(const Batches& batches, runtime::Progress& progress) {
  const BatchSizes sizes = BatchSizes::of(batches);
  const std::int64_t num_full = sizes.partial > 0 ? batches.num_steps - 1 : batches.num_steps;
  std::int64_t done = 0;
  fault_.reset();
  if (num_full > 0) {
    CompiledStep& full = program(sizes.full);
    last_ = &full;
    done = full.run(batches.part(0, num_full), progress);
    fault_ = full.fault();
  }
  if (done < num_full || sizes.partial == 0 || fault_.has_value()) return done;
  CompiledStep& tail = program(sizes.partial);
  last_ = &tail;
  runtime::Progress of_tail;  // the program counts its own steps from 0, so the progress bar would go back
  of_tail.stop.store(progress.stop.load(std::memory_order_relaxed), std::memory_order_relaxed);
  done += tail.run(batches.part(num_full, 1), of_tail);
  progress.steps_done.store(done, std::memory_order_relaxed);
  fault_ = tail.fault();
  if (fault_.has_value()) fault_->step += num_full;
  return done;
}

}  // namespace cornu::inline v0::keras
