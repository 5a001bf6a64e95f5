#include "cornu/keras/trainer/executions_ahead.h"

#include <algorithm>
#include <utility>

#include "cornu/base/error.h"
#include "cornu/runtime/distant_client.h"

namespace cornu::inline v0::keras {
namespace {

/// The bytes of the rows of all steps.
std::size_t bytes_of(const ProgramKey& key, std::int64_t num_steps) {
  std::size_t of_row = 0;
  for (const auto* types : {&key.x, &key.y, &key.sample_weight})
    for (const std::optional<TensorType>& type : *types)
      if (type.has_value()) of_row += type->size_bytes();
  return of_row * static_cast<std::size_t>(key.batch_size) * static_cast<std::size_t>(num_steps);
}

}  // namespace

std::int64_t ExecutionsAhead::run(const Batches& batches, std::int64_t first_step, bool is_timed) {
  runtime::Client& client = *step_.key().placement.client();
  if (client.is_addressable()) return step_.run(batches, progress_);
  const bool waits = is_timed || (is_distant() ? !step_.is_submitted_ahead(batches) : is_slow_);
  return waits ? wait_for(batches, first_step) : submit(batches, first_step);
}

std::int64_t ExecutionsAhead::wait_for(const Batches& batches, std::int64_t first_step) {
  finish();
  const double begin = now();
  try {
    const std::int64_t done = step_.run(batches, progress_);
    note_seconds(now() - begin);
    return done;
  } catch (...) {
    Running& failed = running_.emplace_back();
    failed.first_step = first_step;
    failed.progress.steps_done = progress_.steps_done.load();
    failed.error = std::current_exception();
    throw;
  }
}

std::int64_t ExecutionsAhead::submit(const Batches& batches, std::int64_t first_step) {
  const std::size_t num_bytes = bytes_of(step_.key(), batches.num_steps);
  make_room(num_bytes);
  Running& next = running_.emplace_back();
  next.first_step = first_step;
  next.num_bytes = num_bytes;
  next.begin = now();
  next.progress.shared_stop = &progress_.stop;
  num_bytes_ += num_bytes;
  try {
    const runtime::Submission submission = step_.submit(batches, next.progress);
    next.done = submission.done;
    if (next.done.is_ready()) note_seconds(now() - next.begin);
    return submission.num_steps;
  } catch (...) {
    next.error = std::current_exception();
    throw;
  }
}

double ExecutionsAhead::now() const { return step_.key().placement.client()->now(); }

bool ExecutionsAhead::is_distant() const { return step_.key().placement.client()->distant() != nullptr; }

void ExecutionsAhead::make_room(std::size_t num_bytes) {
  const bool is_limited_there = is_distant();
  const auto is_full = [&] {
    if (num_bytes_ + num_bytes > kMostBytes || running_.front().done.is_ready()) return true;
    if (is_limited_there) return running_.size() >= kMostDistant;
    return running_.size() >= kMostExecutions ||
           (running_.size() > 1 && now() - running_.front().begin > kMostSeconds);
  };
  while (!running_.empty() && is_full()) finish_first();
}

void ExecutionsAhead::finish_first() {
  Running& first = running_.front();
  if (first.error != nullptr) std::rethrow_exception(first.error);
  const bool was_ready = first.done.is_ready();
  first.done.wait();
  const double end = now();
  if (!was_ready) note_seconds(end - std::max(first.begin, last_end_));
  last_end_ = end;
  num_bytes_ -= first.num_bytes;
  running_.pop_front();
}

void ExecutionsAhead::finish() {
  while (!running_.empty()) finish_first();
}

std::optional<ExecutionsAhead::Failure> ExecutionsAhead::take_failure() {
  std::optional<Failure> failure;
  while (!running_.empty()) {
    try {
      finish_first();
    } catch (...) {
      const Running& failed = running_.front();
      if (!failure.has_value())
        failure = {.first_step = failed.first_step,
                   .steps_done = failed.progress.steps_done.load(),
                   .error = std::current_exception()};
      num_bytes_ -= failed.num_bytes;
      running_.pop_front();
    }
  }
  return failure;
}

}  // namespace cornu::inline v0::keras
