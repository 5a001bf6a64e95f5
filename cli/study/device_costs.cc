#include "cli/study/device_costs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "cli/study/figures.h"
#include "cornu/base/check.h"

namespace cornu::inline v0::study {
namespace {

constexpr std::array<std::int64_t, 6> kStepsToTry = {1, 10, 20, 50, 200, 500};
constexpr double kSmallShare = 0.05;

/// The factor by which a plan exceeds a limit; at most 1 for a plan within the limits.
double excess_of(const Plan& plan, const Limits& limits) {
  double excess = 0;
  if (limits.budget.has_value())
    excess = std::max(excess, plan.price.value_or(0) / std::max(*limits.budget, 1e-12));
  if (limits.deadline_seconds.has_value())
    excess = std::max(excess, plan.seconds / std::max(*limits.deadline_seconds, 1e-12));
  return excess;
}

/// Two lines: x is above y by `fixed` at zero and comes nearer by `slope` for each unit.
BreakEven crossing(double fixed, double slope) {
  if (fixed <= 0 && slope >= 0) return {std::nullopt, true};
  if (fixed >= 0 && slope <= 0) return {std::nullopt, false};
  return {fixed / slope, slope > 0};
}

}  // namespace

DeviceCosts costs_of(const std::string& device, const StepTimes& times) {
  DeviceCosts costs{.device = device};
  costs.call_seconds = std::max(0.0, (times.single - times.many) * times.many_steps / (times.many_steps - 1));
  const double inside = std::max(0.0, times.many - costs.call_seconds / times.many_steps);
  const double inside_large = std::max(inside, times.many_large - costs.call_seconds / times.many_steps);
  costs.row_seconds = std::min((inside_large - inside) / (times.large_batch_size - times.batch_size),
                               inside / times.batch_size);
  costs.step_seconds = std::max(0.0, inside - costs.row_seconds * times.batch_size);
  return costs;
}

BreakEven break_even_batch(const DeviceCosts& x, const DeviceCosts& y, double steps_per_execution) {
  return crossing(x.step(steps_per_execution, 0) - y.step(steps_per_execution, 0),
                  y.row_seconds - x.row_seconds);
}

double step_of_size(const DeviceCosts& costs, double size, double steps_per_execution, double batch_size) {
  const double whole = costs.step(steps_per_execution, batch_size);
  const double base = costs.call_seconds / steps_per_execution + costs.base_seconds;
  return base + size * std::max(0.0, whole - base);
}

BreakEven break_even_size(const DeviceCosts& x, const DeviceCosts& y, double steps_per_execution,
                          double batch_size) {
  const auto difference = [&](double size) {
    return step_of_size(x, size, steps_per_execution, batch_size) -
           step_of_size(y, size, steps_per_execution, batch_size);
  };
  return crossing(difference(0), difference(0) - difference(1));
}

std::int64_t recommended_steps(const DeviceCosts& costs, double batch_size) {
  for (const std::int64_t steps : kStepsToTry) {
    const double whole = costs.step(static_cast<double>(steps), batch_size);
    if (costs.call_seconds / static_cast<double>(steps) <= kSmallShare * whole) return steps;
  }
  return kStepsToTry.back();
}

std::string why_slower(const DeviceCosts& slow, const DeviceCosts& fast, double batch_size) {
  const auto compared = [](const char* text, double of_slow, double of_fast) {
    return fmt::format(fmt::runtime(text), seconds_text(of_slow), seconds_text(of_fast));
  };
  const std::pair<double, std::string> differences[] = {
      {slow.call_seconds - fast.call_seconds,
       compared("each call of it costs {} ({}), however little there is to compute", slow.call_seconds,
                fast.call_seconds)},
      {slow.step_seconds - fast.step_seconds,
       compared("each step takes {} there whatever its batch ({})", slow.step_seconds, fast.step_seconds)},
      {(slow.row_seconds - fast.row_seconds) * batch_size,
       compared("it computes the rows of a batch in {} ({})", slow.row_seconds * batch_size,
                fast.row_seconds * batch_size)}};
  const auto& largest = *std::max_element(std::begin(differences), std::end(differences),
                                          [](const auto& x, const auto& y) { return x.first < y.first; });
  return fmt::format("{} is slower than {} at K = 1, {} a step against {}, because {}.", slow.device,
                     fast.device, seconds_text(slow.step(1, batch_size)),
                     seconds_text(fast.step(1, batch_size)), largest.second);
}

Choice choose(std::span<const Plan> plans, const Limits& limits) {
  if (plans.empty()) invalid_argument("[advise] there is no plan to choose from");
  for (const Plan& plan : plans)
    if (limits.budget.has_value() && !plan.price.has_value())
      invalid_argument("[advise] a budget takes the price of each device: --price {}=AN_HOUR is missing",
                       plan.costs->device);
  const auto is_within = [&](const Plan& plan) { return excess_of(plan, limits) <= 1; };
  const Plan* best = nullptr;
  for (const Plan& plan : plans)
    if (is_within(plan) && (best == nullptr || plan.seconds < best->seconds)) best = &plan;
  if (best != nullptr) return {*best, true};
  return {*std::min_element(
              plans.begin(), plans.end(),
              [&](const Plan& x, const Plan& y) { return excess_of(x, limits) < excess_of(y, limits); }),
          false};
}

}  // namespace cornu::inline v0::study
