#include "cornu/keras/trainer/fit_backup.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <thread>

#include "cornu/base/check.h"
#include "cornu/base/log_formatted.h"
#include "cornu/base/steady_clock.h"
#include "cornu/runtime/distant_client.h"

namespace cornu::inline v0::keras {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

FitBackup::FitBackup(const BackupOptions& options, const Placement& placement)
    : options_(options), client_(*placement.client()) {
  if (options.every_steps.has_value() == options.every_seconds.has_value())
    invalid_argument("[fit] backup needs an interval: every_steps or every_seconds, one of the two");
  if (options.every_steps.value_or(1) < 1)
    invalid_argument("[fit] backup.every_steps must be at least 1; got {}", *options.every_steps);
  if (!(options.every_seconds.value_or(1) > 0))
    invalid_argument("[fit] backup.every_seconds must be positive; got {}", *options.every_seconds);
  if (options.max_attempts < 1 || !(options.first_wait_seconds >= 0) || !(options.longest_wait_seconds >= 0))
    invalid_argument("[fit] backup needs at least one attempt, and waits of no less than 0 seconds");
  if (client_.distant() == nullptr)
    fail(ErrorCode::kFailedPrecondition,
         "[fit] backup is for devices of remote workers, which can be lost and found again; {} cannot",
         client_.name());
  generation_ = client_.distant()->generation();
  if (!options.worker_file.empty()) on_worker_.emplace(options.worker_file, placement);
}

void FitBackup::wait_for_lost(const BackupOptions& options, const Placement& placement,
                              const IsStopped& is_stopped) {
  runtime::Client& client = *placement.client();
  // Read first: another thread may reconnect meanwhile.
  const std::uint64_t generation = client.distant() == nullptr ? 0 : client.distant()->generation();
  if (!client.has_lost_devices()) return;
  FitBackup backup(options, placement);
  backup.generation_ = generation;
  const Error lost(ErrorCode::kUnavailable,
                   fmt::format("{} was lost before the run began", client.platform()), {.op = "fit"});
  log_warning("{}; fit tries to connect it again", lost.what());
  backup.reconnect(lost, is_stopped);
}

bool FitBackup::is_due(std::int64_t steps) {
  steps_ += steps;
  return options_.every_steps.has_value() ? steps_ >= *options_.every_steps
                                          : seconds_since(taken_) >= *options_.every_seconds;
}

std::uint64_t FitBackup::generation() const { return client_.distant()->generation(); }

void FitBackup::take(std::uint64_t generation, const StateList& list, const std::vector<Variable>& others,
                     const callbacks::History& history) {
  StateValues values = on_worker_.has_value() ? on_worker_->take(list, others) : save_state(list);
  std::vector<std::pair<Variable, ir::Literal>> read;
  if (!on_worker_.has_value())
    for (const Variable& variable : others) read.emplace_back(variable, variable.read());
  values_ = std::move(values);
  others_ = std::move(read);
  epochs_ = history.epoch;
  history_ = history.history;
  arrays_ = history.arrays;
  generation_ = generation;
  steps_ = 0;
  failures_ = 0;
  taken_ = Clock::now();
}

// An interrupt by Ctrl-C is not a loss, whatever else has happened.
bool FitBackup::is_loss(const Error& error) const {
  return error.code() == ErrorCode::kUnavailable ||
         (error.code() != ErrorCode::kCancelled && client_.distant()->generation() != generation_);
}

bool FitBackup::is_connected_again() const {
  return client_.distant()->generation() != generation_ && !client_.has_lost_devices();
}

const StateValues& FitBackup::recover(const Error& error, callbacks::History& history,
                                      const IsStopped& is_stopped) {
  if (!is_loss(error) || values_.empty()) throw error;
  log_warning("[fit] {}; fit goes on from its backup as soon as the worker is there again", error.what());
  if (reconnect(error, is_stopped))
    generation_ = client_.distant()->generation();
  else if (on_worker_.has_value())
    throw error.with({.notes = "fit was stopped while it waited for the worker, which has the backup"});
  history.epoch = epochs_;
  history.history = history_;
  history.arrays = arrays_;
  return values_;
}

void FitBackup::load_variables() const {
  if (on_worker_.has_value()) on_worker_->load();
  for (const auto& [variable, literal] : others_) variable.load(literal);
}

bool FitBackup::reconnect(const Error& error, const IsStopped& is_stopped) {
  std::string reason;
  while (true) {
    // Another thread may have reconnected or be about to; the call below then waits for it if needed.
    const bool is_there = is_connected_again();
    if (failures_ >= options_.max_attempts)
      throw error.with({.notes = fmt::format("it was not there again after {} attempts{}{}", failures_,
                                             reason.empty() ? "" : ", the last: ", reason)});
    const double wait =
        std::min(options_.longest_wait_seconds,
                 options_.first_wait_seconds * static_cast<double>(1ULL << std::min(failures_, 30)));
    ++failures_;
    const Clock::time_point start = Clock::now();
    while (!is_there && seconds_since(start) < wait) {
      if (is_stopped()) return false;
      std::this_thread::sleep_for(std::chrono::duration<double>(std::min(0.05, wait)));
    }
    if (is_stopped()) return false;
    try {
      client_.distant()->reconnect(generation_);
      return true;
    } catch (const Error& again) {
      // A full worker may keep the lost session for some more seconds.
      if (again.code() != ErrorCode::kUnavailable && again.code() != ErrorCode::kResourceExhausted) throw;
      reason = again.what();
    }
  }
}

}  // namespace cornu::inline v0::keras
