// The forecasts of a training that several programs ran, in one table.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/cost_forecast.h"
#include "cli/study/figures.h"

namespace cornu::inline v0::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kWith = " with ";

}  // namespace

std::string training_of(const std::string& program) { return program.substr(0, program.find(kWith)); }

std::string program_with(const std::string& workload, const std::string& library) {
  return workload + std::string(kWith) + library;
}

void ProgramComparison::add(const MeasuredProgram& program, const std::vector<Forecast>& forecasts) {
  const std::string training = training_of(program.name);
  auto found = std::find_if(trainings_.begin(), trainings_.end(),
                            [&](const auto& each) { return each.first == training; });
  if (found == trainings_.end()) found = trainings_.insert(found, {training, {}});
  for (const Forecast& each : forecasts) found->second.push_back({program.name, program.isa, each});
}

void ProgramComparison::end(const study::PriceList& prices, study::Report& report) const {
  study::Table table{.title = "The same training by each program and machine, the cheapest first",
                     .columns = {{"training", ""},
                                 {"program", ""},
                                 {"instruction_set", ""},
                                 {"machine", ""},
                                 {"vcpus", ""},
                                 {"training_time", "s", true},
                                 {"low", "s", true},
                                 {"high", "s", true},
                                 {"cost", prices.currency, true},
                                 {"cost_to_least", "", true}},
                     .rows = {}};
  for (const auto& [training, unsorted] : trainings_) {
    std::vector<Row> rows = unsorted;
    std::stable_sort(rows.begin(), rows.end(),
                     [](const Row& x, const Row& y) { return x.forecast.cost < y.forecast.cost; });
    const auto other = std::find_if(rows.begin(), rows.end(),
                                    [&](const Row& row) { return row.program != rows.front().program; });
    if (other == rows.end()) continue;
    const auto cell = [](const std::optional<study::Interval>& interval, double study::Interval::* end) {
      return interval.has_value() && std::isfinite((*interval).*end) ? Json((*interval).*end) : Json(nullptr);
    };
    for (const Row& row : rows)
      table.add({training, row.program, row.isa, row.forecast.machine->name, row.forecast.machine->vcpus,
                 row.forecast.seconds, cell(row.forecast.interval, &study::Interval::low),
                 cell(row.forecast.interval, &study::Interval::high), row.forecast.cost,
                 rows.front().forecast.cost > 0 ? Json(row.forecast.cost / rows.front().forecast.cost)
                                                : Json(nullptr)});
    report.conclusions.push_back(compare(training, rows.front(), *other, prices.currency));
  }
  if (!table.rows.empty()) report.tables.push_back(std::move(table));
}

std::string ProgramComparison::compare(const std::string& training, const Row& least, const Row& other,
                                       const std::string& currency) {
  const auto text = [&](const Row& row) {
    return fmt::format("{} on {} ({} vCPUs) costs {} and takes {}", row.program, row.forecast.machine->name,
                       row.forecast.machine->vcpus, study::money_text(row.forecast.cost, currency),
                       study::seconds_text(row.forecast.seconds) +
                           study::interval_text(row.forecast.interval, &study::seconds_text));
  };
  const auto bound = [](const Row& row, double study::Interval::* end) {
    const Forecast& of = row.forecast;
    return of.interval.has_value() && of.seconds > 0 ? of.cost * ((*of.interval).*end) / of.seconds : NAN;
  };
  // A comparison with a bound that is not known is false.
  const bool is_sure = bound(least, &study::Interval::high) < bound(other, &study::Interval::low);
  return fmt::format("{}, on demand (predicted): {}; {}: {}.", training, text(least), text(other),
                     is_sure ? "the first one is cheaper"
                             : "their 90 % intervals do not tell which one is cheaper, no conclusion");
}

}  // namespace cornu::inline v0::cli
