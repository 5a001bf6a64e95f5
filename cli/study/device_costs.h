#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cornu::inline v0::study {

/// Costs of a device's training in seconds: of a call, of a step, of a row of a batch.
struct DeviceCosts {
  std::string device;
  double call_seconds = 0;      // dispatch: each execution, beside its steps
  double step_seconds = 0;      // each step, whatever its batch
  double row_seconds = 0;       // each row of a batch
  double compile_seconds = 0;   // once
  double transfer_seconds = 0;  // of a step at many steps an execution: reads and writes beside executions
  double base_seconds = 0;  // of a step at one batch: what a model takes there that computes next to nothing
  std::optional<double> price_per_hour = {};

  double step(double steps_per_execution, double batch_size) const {
    return call_seconds / steps_per_execution + step_seconds + row_seconds * batch_size;
  }
};

/// Times of a step: with one step an execution, with many, and with many at a larger batch.
struct StepTimes {
  double single = 0, many = 0, many_large = 0;
  double many_steps = 50;
  double batch_size = 0, large_batch_size = 0;
};
/// The three costs that explain the three times; none is negative.
DeviceCosts costs_of(const std::string& device, const StepTimes& times);

/// The point from which `x` is faster than `y`; no point if one of them is always faster.
struct BreakEven {
  std::optional<double> at;
  bool x_wins_above = false;  // with a place: x is the faster one above it; without: anywhere
};
/// The batch.
BreakEven break_even_batch(const DeviceCosts& x, const DeviceCosts& y, double steps_per_execution);

/// Seconds of a step of a model of the same kind with `size` times the work, at the batch that base_seconds
/// was measured with: what is above base_seconds grows with the work, calls and base_seconds stay.
double step_of_size(const DeviceCosts& costs, double size, double steps_per_execution, double batch_size);
/// The size, as a multiple of the model's, at that batch.
BreakEven break_even_size(const DeviceCosts& x, const DeviceCosts& y, double steps_per_execution,
                          double batch_size);

/// The smallest number of steps an execution at which calls take a twentieth of the time at most;
/// 500 where none does.
std::int64_t recommended_steps(const DeviceCosts& costs, double batch_size);

/// One sentence: why `slow` takes longer than `fast` for a step of this batch at K = 1,
/// by the largest difference.
std::string why_slower(const DeviceCosts& slow, const DeviceCosts& fast, double batch_size);

/// A way to train.
struct Plan {
  const DeviceCosts* costs = nullptr;
  std::int64_t steps_per_execution = 1;
  double batch_size = 0;
  double seconds = 0;
  std::optional<double> price = {};  // nothing: not given
};
struct Limits {
  std::optional<double> budget;
  std::optional<double> deadline_seconds;
};
/// The fastest plan within the limits; without one the nearest: that whose worse excess is the least.
struct Choice {
  Plan plan;
  bool is_within = true;
};
/// Errors: InvalidArgument for no plans, and for a budget where some plan has no price.
Choice choose(std::span<const Plan> plans, const Limits& limits);

}  // namespace cornu::inline v0::study
