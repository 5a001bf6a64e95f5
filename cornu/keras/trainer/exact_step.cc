#include "cornu/keras/trainer/exact_step.h"

#include <algorithm>
#include <utility>

#include "cornu/base/check.h"

namespace cornu::inline v0::keras {

ExactStep::ExactStep(ProgramKey step_key, std::int64_t num_rows, std::string reason, Make make)
    : StepRunner(std::move(step_key)), reason_(std::move(reason)), make_(std::move(make)) {
  programs_.push_back({.step = make_(std::min(key().batch_size, num_rows), {})});
}

std::string ExactStep::explain() const {
  return fmt::format("{}\npartial batches: a program for each size, compiled when one comes, because {}\n", compiled()->explain(), reason_);
}

void ExactStep::do_bind(const ArrayData& data) {
  data_ = &data;
  for (Program& program : programs_) program.is_bound = false;
}

CompiledStep& ExactStep::program(std::int64_t rows) {
  const auto is_it = [&](const Program& program) { return program.step->key().batch_size == rows; };
  auto found = std::find_if(programs_.begin(), programs_.end(), is_it);
  if (found == programs_.end()) {
    if (programs_.size() > kKeptSizes) programs_.erase(programs_.begin() + 1);
    programs_.push_back({.step = make_(rows, logs())});
    found = programs_.end() - 1;
  } else if (found != programs_.begin()) {
    std::rotate(found, found + 1, programs_.end());
    found = programs_.end() - 1;
  }
  if (!std::exchange(found->is_bound, true)) found->step->bind(*data_);
  return *found->step;
}

std::int64_t ExactStep::run(const BatchOrder& order, std::int64_t first, std::int64_t count, runtime::Progress& progress) {
  const std::int64_t batch_size = key().batch_size;
  const std::int64_t num_full = std::clamp<std::int64_t>(order.num_rows() / batch_size - first, 0, count);
  std::int64_t done = 0;
  fault_.reset();
  if (num_full > 0) {
    CompiledStep& full = program(batch_size);
    done = full.run(order, first, num_full, progress);
    fault_ = full.fault();
  }
  if (done < num_full || num_full == count || fault_.has_value()) return done;
  CompiledStep& tail = program(static_cast<std::int64_t>(order.rows_of(first + num_full).size()));
  done += tail.run(order, first + num_full, 1, progress);
  progress.steps_done.store(done, std::memory_order_relaxed);
  fault_ = tail.fault();
  if (fault_.has_value()) fault_->step += num_full;
  return done;
}

}  // namespace cornu::inline v0::keras
