#include "cli/cost_forecast.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "cli/study/figures.h"
#include "cli/study/interruptions.h"
#include "cli/study/scaling.h"
#include "cli/study/statistics.h"
#include "cornu/base/check.h"

namespace cornu::inline v0::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kSimulatedRuns = 2000;
constexpr double kMostSimulatedMachines = 5e6;  // of all runs together: a second of this machine's time
constexpr std::uint64_t kSeed = 2017;
constexpr std::size_t kMostNamed = 6;  // of machines in a sentence
constexpr std::size_t kMostBars = 8;   // groups of a plot

std::vector<study::Table> forecast_tables(const study::PriceList& prices) {
  const std::string& money = prices.currency;
  return {{.title = "Forecast: what a training takes on the machines of the price list",
           .columns = {{"program", ""},
                       {"instruction_set", ""},
                       {"machine", ""},
                       {"training", "s", true},
                       {"low", "s", true},
                       {"high", "s", true},
                       {"law_and_error", ""},
                       {"training_as_spot", "s", true},
                       {"spot_simulated", "s", true}},
           .rows = {}},
          {.title = "Forecast: what it costs, and time and cost as multiples of the reference's",
           .columns = {{"program", ""},
                       {"instruction_set", ""},
                       {"machine", ""},
                       {"on_demand", money, true},
                       {"spot", money, true},
                       {"time_to_reference", "", true},
                       {"cost_to_reference", "", true},
                       {"spot_cost_to_reference", "", true},
                       {"on_the_front", ""}},
           .rows = {}}};
}

Json or_null(bool is_there, double value) {
  return is_there && std::isfinite(value) ? Json(value) : Json(nullptr);
}

/// Seconds at a number of processors by the law that was chosen, with an interval: that of the repeats,
/// wider by the law's error on numbers of threads that it was not fitted to.
Prediction predict_by_law(const MeasuredProgram& program, double vcpus, double factor) {
  const auto timings_of = [&](std::span<const double> seconds) {
    std::vector<study::Timing> timings;
    for (std::size_t i = 0; i < seconds.size(); ++i)
      timings.push_back({static_cast<double>(program.threads[i]), seconds[i]});
    return timings;
  };
  std::vector<double> medians;
  for (const study::Repeats& repeats : program.seconds) medians.push_back(study::summarize(repeats).median);
  const std::optional<study::ChosenLaw> law = study::choose_scaling(timings_of(medians));
  if (!law.has_value()) return {.basis = "takes two numbers of threads"};
  Prediction prediction{.seconds = law->fit.seconds(vcpus) / factor,
                        .basis = study::scaling_law_name(law->fit.law)};
  if (!law->held_out_error.has_value()) {
    prediction.basis += ", error not known";
    return prediction;
  }
  const double error = *law->held_out_error;
  prediction.basis += fmt::format(", within {:.1f} % of threads left out", 100 * error);
  prediction.interval = study::bootstrap_interval(program.seconds, [&](std::span<const double> drawn) {
    const auto fit = study::fit_scaling(law->fit.law, timings_of(drawn));
    return fit.has_value() ? fit->seconds(vcpus) / factor : NAN;
  });
  if (prediction.interval.has_value())
    prediction.interval = study::Interval{prediction.interval->low * std::max(0.0, 1 - error),
                                          prediction.interval->high * (1 + error)};
  return prediction;
}

/// The forecast's cost, time and interval in words.
std::string value_text(const study::PriceList& prices, const Forecast& of) {
  const bool is_spot = of.best_cost() < of.cost;
  const auto money = [&](double amount) { return study::money_text(amount, prices.currency); };
  const std::optional<study::Interval> interval = of.cost_interval();
  const std::string range = !interval.has_value()             ? " (the error is not known)"
                            : std::isinf(interval->high)      ? " or more"
                            : interval->high <= interval->low ? ""
                                                              : study::interval_text(interval, money);
  return fmt::format("{}{} on {}{} in {} (predicted)", money(of.best_cost()), range, of.machine->name,
                     is_spot ? " as a spot machine" : "",
                     study::seconds_text(is_spot ? of.spot_seconds : of.seconds));
}

/// The reference, or the next best machine if the cheapest one is the reference; null without one.
const Forecast* rival_of(const Forecast& cheapest, const study::PriceList& prices,
                         const std::vector<Forecast>& forecasts) {
  const Forecast* rival = nullptr;
  for (const Forecast& each : forecasts) {
    if (&each == &cheapest || !(each.seconds > 0)) continue;
    if (each.machine->name == prices.reference) return &each;
    if (cheapest.machine->name == prices.reference &&
        (rival == nullptr || each.best_cost() < rival->best_cost()))
      rival = &each;
  }
  return rival;
}

/// Why the cheapest machine is not the winner; empty if it is.
std::string why_no_winner(const study::PriceList& prices, const Forecast& cheapest,
                          const std::vector<Forecast>& forecasts) {
  const std::optional<study::Interval> least = cheapest.cost_interval();
  if (!least.has_value()) return "no conclusion: measure three numbers of threads or more, three times each";
  if (std::isinf(least->high)) return "no conclusion: peak rates give the least time, not an expected one";
  std::vector<std::string> level, unknown;
  for (const Forecast& each : forecasts) {
    if (&each == &cheapest) continue;
    const std::optional<study::Interval> interval = each.cost_interval();
    if (!interval.has_value()) {
      if (unknown.size() < kMostNamed) unknown.push_back(each.machine->name);
    } else if (interval->low <= least->high && level.size() < kMostNamed) {
      level.push_back(
          fmt::format("{} ({})", each.machine->name, study::money_text(each.best_cost(), prices.currency)));
    }
  }
  if (!level.empty())
    return fmt::format(
        "no conclusion beside {}, as their 90 % intervals overlap: run on a quiet machine or with "
        "--repeats 20",
        fmt::join(level, ", "));
  if (!unknown.empty())
    return fmt::format("no conclusion beside {}, whose error is not known", fmt::join(unknown, ", "));
  return "";
}

}  // namespace

std::string MeasuredProgram::title() const {
  std::string text = isa.empty() ? name : fmt::format("{}, {}", name, isa);
  return host.empty() ? text : fmt::format("{}, on {}", text, host);
}

std::optional<study::Interval> Forecast::cost_interval() const {
  if (!interval.has_value()) return std::nullopt;
  if (!(seconds > 0)) return study::Interval{best_cost(), best_cost()};
  return study::Interval{best_cost() * interval->low / seconds, std::isinf(interval->high)
                                                                    ? interval->high
                                                                    : best_cost() * interval->high / seconds};
}

Prediction predict_processors(const MeasuredProgram& program, const study::PricedMachine& machine) {
  const study::RelativeSpeed speed = study::relative_speed(machine, program.machine);
  if (!speed.factor.has_value()) return {.basis = speed.basis};
  const auto measured = std::find(program.threads.begin(), program.threads.end(), machine.vcpus);
  if (measured != program.threads.end() && *speed.factor == 1) {
    const study::Repeats& repeats =
        program.seconds[static_cast<std::size_t>(measured - program.threads.begin())];
    return {.seconds = study::summarize(repeats).median,
            .basis = fmt::format("measured with {} threads; {}", machine.vcpus, speed.basis),
            .interval = study::median_interval(repeats)};
  }
  Prediction prediction = predict_by_law(program, machine.vcpus, *speed.factor);
  if (prediction.seconds.has_value()) prediction.basis += "; " + speed.basis;
  return prediction;
}

Forecast forecast(const study::PriceList& prices, const study::PricedMachine& machine, double seconds,
                  const InterruptionOptions& options) {
  Forecast found{.machine = &machine, .seconds = seconds, .cost = prices.cost(machine, seconds, false)};
  if (machine.spot_share == 0) return found;
  const study::InterruptedWork work{.work_seconds = seconds,
                                    .checkpoint_interval_seconds = options.checkpoint_interval_seconds,
                                    .checkpoint_seconds = options.checkpoint_seconds,
                                    .restart_seconds = options.restart_seconds,
                                    .interruptions_per_hour = machine.spot_interruptions_per_hour,
                                    .longest_life_seconds = 3600 * machine.spot_longest_life_hours};
  found.why_no_spot = study::why_it_never_ends(work);
  if (!found.why_no_spot.empty()) return found;
  found.spot_seconds = study::expected_seconds(work);
  const double runs = kMostSimulatedMachines / study::expected_machines(work);
  if (runs >= 2)
    found.simulated_seconds =
        study::simulate_seconds(work, static_cast<int>(std::min<double>(runs, kSimulatedRuns)), kSeed).mean;
  found.spot_cost = prices.cost(machine, found.spot_seconds, true);
  return found;
}

std::string best_value(const std::string& what, const study::PriceList& prices,
                       const std::vector<Forecast>& forecasts) {
  const Forecast& cheapest =
      *std::min_element(forecasts.begin(), forecasts.end(),
                        [](const Forecast& x, const Forecast& y) { return x.best_cost() < y.best_cost(); });
  const std::string text = fmt::format("{}: {}", what, value_text(prices, cheapest));
  if (const std::string why = why_no_winner(prices, cheapest, forecasts);
      !why.empty() && forecasts.size() > 1)
    return fmt::format("{} is the least figure; {}.", text, why);
  const Forecast* const rival = rival_of(cheapest, prices, forecasts);
  // No multiple of a price of 0 is another price.
  if (rival == nullptr || !(cheapest.best_cost() > 0)) return text + ".";
  const double ratio = rival->best_cost() / cheapest.best_cost();
  const bool is_spot = cheapest.best_cost() < cheapest.cost;
  return fmt::format("{}; cheaper than {} until {} costs {} times as much{}.", text, rival->machine->name,
                     cheapest.machine->name, study::number_text(ratio, ratio < 1.1 ? 3 : 2),
                     is_spot && cheapest.cost > rival->best_cost()
                         ? fmt::format(", which its price on demand does ({})",
                                       study::money_text(cheapest.cost, prices.currency))
                         : "");
}

std::vector<std::size_t> pareto_front(const std::vector<Forecast>& forecasts) {
  std::vector<std::size_t> order(forecasts.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) {
    const Forecast &a = forecasts[x], &b = forecasts[y];
    return a.seconds != b.seconds ? a.seconds < b.seconds : a.cost < b.cost;
  });
  std::vector<std::size_t> front;
  double least = std::numeric_limits<double>::infinity();
  for (const std::size_t each : order)
    if (forecasts[each].cost < least) {
      least = forecasts[each].cost;
      front.push_back(each);
    }
  return front;
}

RentalMachines::RentalMachines(RentalOptions rental)
    : options(std::move(rental)), prices(study::read_prices(options.prices)) {
  prices.require(options.machines);
  const std::vector<std::string>& names = options.machines;
  for (const study::PricedMachine& machine : prices.machines)
    if (names.empty() || std::find(names.begin(), names.end(), machine.name) != names.end())
      machines.push_back(&machine);
}

CostForecast::CostForecast(const RentalMachines& rental, PredictDevice predict_device, study::Report& report)
    : rental_(rental),
      prices_(rental.prices),
      predict_device_(std::move(predict_device)),
      report_(report),
      times_(report.tables.size()),
      costs_(report.tables.size() + 1) {
  for (study::Table& table : forecast_tables(prices_)) report.tables.push_back(std::move(table));
  if (const std::string warning = prices_.age_warning(study::today()); !warning.empty())
    report.warnings.push_back(warning);
  const InterruptionOptions& options = rental.options.interruptions;
  report.notes.push_back(
      fmt::format("Prices in {} of {}; source: {} Interrupted work (spot): a checkpoint every {:g} s takes "
                  "{:g} s, the next "
                  "machine works after {:g} s; \"spot simulated\" is the same expectation by simulation with "
                  "random numbers, "
                  "{} times at most. Low and high: 90 % intervals.",
                  prices_.currency, prices_.date, prices_.source, options.checkpoint_interval_seconds,
                  options.checkpoint_seconds, options.restart_seconds, kSimulatedRuns));
}

Prediction CostForecast::predict(const std::vector<MeasuredProgram>& measured,
                                 const study::PricedMachine& machine) const {
  if (!machine.device.empty()) return predict_device_(measured.front(), machine);
  if (!machine.accelerator.empty())
    return {.basis = fmt::format("not known: nothing predicts its {}", machine.accelerator)};
  Prediction best{.basis = "not known: nothing was measured"};
  for (const MeasuredProgram& program : measured) {
    Prediction found = predict_processors(program, machine);
    if (program.machine.instance_type == machine.name) return found;
    if (!best.seconds.has_value()) best = std::move(found);
  }
  return best;
}

void CostForecast::add(const std::vector<MeasuredProgram>& measured) {
  const MeasuredProgram& program = measured.front();
  const std::string what =
      program.isa.empty() ? program.name : fmt::format("{}, {}", program.name, program.isa);
  std::vector<Row> rows;
  std::vector<Forecast> forecasts;
  std::optional<Forecast> reference;
  for (const study::PricedMachine* const machine : rental_.machines) {
    const Prediction prediction = predict(measured, *machine);
    Forecast found{.machine = machine};
    if (prediction.seconds.has_value()) {
      found = forecast(prices_, *machine, *prediction.seconds, rental_.options.interruptions);
      found.interval = prediction.interval;
      forecasts.push_back(found);
      if (machine->name == prices_.reference) reference = found;
    } else if (std::find(unknown_.begin(), unknown_.end(), machine->name) == unknown_.end()) {
      unknown_.push_back(machine->name);
    }
    rows.push_back({found, prediction});
    warn(what, rows.back());
  }
  for (const Row& row : rows) add_rows(program, row, reference);
  if (forecasts.empty()) return;
  for (const std::size_t each : pareto_front(forecasts))
    for (std::size_t row = report_.tables[costs_].rows.size() - rows.size();
         row < report_.tables[costs_].rows.size(); ++row)
      if (report_.tables[costs_].rows[row][2] == forecasts[each].machine->name)
        report_.tables[costs_].rows[row].back() = true;
  report_.conclusions.push_back(best_value(what, prices_, forecasts));
  if (const TrainingLimits& limits = rental_.options.limits;
      limits.budget.has_value() || limits.deadline.has_value())
    report_.conclusions.push_back(best_within(what, prices_, forecasts, limits));
  comparison_.add(program, forecasts);
  add_plots(what, forecasts, reference);
}

void CostForecast::warn(const std::string& what, const Row& row) {
  const auto& [found, prediction] = row;
  if (!found.why_no_spot.empty())
    report_.warnings.push_back(fmt::format("{} on {} as a spot machine is left out: {}", what,
                                           found.machine->name, found.why_no_spot));
  if (!prediction.seconds.has_value() && found.machine->name == prices_.reference)
    report_.warnings.push_back(
        fmt::format("{}: nothing is compared with {}, the reference, as nothing is predicted for it: {}",
                    what, prices_.reference, prediction.basis));
}

/// Cells of figures that do not exist are empty.
void CostForecast::add_rows(const MeasuredProgram& program, const Row& row,
                            const std::optional<Forecast>& reference) {
  const auto& [found, prediction] = row;
  const auto ratio = [&](double value, double Forecast::* member) -> Json {
    if (!reference.has_value() || value == 0 || (*reference).*member == 0) return nullptr;
    return value / ((*reference).*member);
  };
  const bool is_there = prediction.seconds.has_value(), is_spot = found.spot_seconds > 0;
  const study::Interval interval = prediction.interval.value_or(study::Interval{NAN, NAN});
  const std::string& machine = found.machine->name;
  report_.tables[times_].add({program.name, program.isa, machine, or_null(is_there, found.seconds),
                              or_null(is_there, interval.low), or_null(is_there, interval.high),
                              prediction.basis, or_null(is_spot, found.spot_seconds),
                              or_null(found.simulated_seconds > 0, found.simulated_seconds)});
  report_.tables[costs_].add({program.name, program.isa, machine, or_null(is_there, found.cost),
                              or_null(is_spot, found.spot_cost), ratio(found.seconds, &Forecast::seconds),
                              ratio(found.cost, &Forecast::cost), ratio(found.spot_cost, &Forecast::cost),
                              is_there ? Json(false) : Json(nullptr)});
}

void CostForecast::add_plots(const std::string& what, const std::vector<Forecast>& forecasts,
                             const std::optional<Forecast>& reference) {
  const std::vector<std::size_t> front = pareto_front(forecasts);
  study::Scatter scatter{.title = what + ": cost against time, predicted",
                         .x_title = "s, the whole training",
                         .y_title = prices_.currency + ", on demand",
                         .points = {}};
  for (std::size_t i = 0; i < forecasts.size(); ++i) {
    const Forecast& each = forecasts[i];
    if (!(each.seconds > 0 && each.cost > 0)) continue;
    study::ScatterPoint point{.label = each.machine->name, .x = each.seconds, .y = each.cost};
    if (each.interval.has_value() && each.interval->low > 0 && std::isfinite(each.interval->high)) {
      point.x_low = each.interval->low;
      point.x_high = each.interval->high;
    }
    point.is_on_front = std::find(front.begin(), front.end(), i) != front.end();
    scatter.points.push_back(std::move(point));
  }
  if (!scatter.points.empty()) report_.scatters.push_back(std::move(scatter));
  // More bars than these have labels that overlap.
  if (!reference.has_value() || !(reference->seconds > 0) || forecasts.size() > kMostBars) return;
  study::Series time{.name = "time", .marks = {}}, on_demand{.name = "cost on demand", .marks = {}},
      spot{.name = "cost as spot", .marks = {}};
  for (const Forecast& each : forecasts) {
    const auto mark = [&](double value) {
      return study::Mark{.label = each.machine->name, .value = value, .is_predicted = true};
    };
    time.marks.push_back(mark(each.seconds / reference->seconds));
    if (reference->cost > 0) on_demand.marks.push_back(mark(each.cost / reference->cost));
    if (reference->cost > 0 && each.spot_seconds > 0)
      spot.marks.push_back(mark(each.spot_cost / reference->cost));
  }
  report_.plots.push_back({.title = what + ": time and cost, predicted",
                           .unit = fmt::format("relative to {}", prices_.reference),
                           .series = {time, on_demand, spot},
                           .reference = 1,
                           .reference_name = prices_.reference + " = 1"});
}

void CostForecast::end() {
  comparison_.end(prices_, report_);
  study::Table table{.title = "Prices",
                     .columns = {{"machine", ""},
                                 {"provider", ""},
                                 {"architecture", ""},
                                 {"vcpus", ""},
                                 {"memory", "GiB"},
                                 {"accelerator", ""},
                                 {"accelerators", ""},
                                 {"on_demand", prices_.currency + " an hour"},
                                 {"date", ""},
                                 {"source", ""},
                                 {"spot_share", ""},
                                 {"spot_date", ""},
                                 {"note", ""}},
                     .rows = {}};
  for (const study::PricedMachine* const machine : rental_.machines) {
    const bool is_spot = machine->spot_share > 0;
    table.add({machine->name, machine->provider, machine->architecture, machine->vcpus,
               or_null(machine->memory_gib > 0, machine->memory_gib), machine->accelerator,
               machine->num_accelerators, machine->price_per_hour, machine->price_date, machine->price_source,
               or_null(is_spot, machine->spot_share), is_spot ? Json(machine->spot_date) : Json(nullptr),
               machine->note});
  }
  report_.tables.push_back(std::move(table));
  if (unknown_.empty()) return;
  const bool is_long = unknown_.size() > kMostNamed;
  const std::vector<std::string> named(
      unknown_.begin(),
      unknown_.begin() + static_cast<std::ptrdiff_t>(is_long ? kMostNamed : unknown_.size()));
  report_.notes.push_back(
      fmt::format("Not known are {} of {} machines ({}{}); the table has each reason. Measure on such a "
                  "machine with `cornu "
                  "study run`, and join the logs with `cornu study merge`.",
                  unknown_.size(), rental_.machines.size(), fmt::join(named, ", "), is_long ? ", ..." : ""));
}

}  // namespace cornu::inline v0::cli
