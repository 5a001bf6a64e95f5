#include "cli/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <span>

#include "cli/program_file.h"
#include "cli/study/bootstrap.h"
#include "cli/study/device_costs.h"
#include "cli/study/figures.h"
#include "cli/study/machine_facts.h"
#include "cli/study/progress.h"
#include "cli/study/statistics.h"
#include "cli/study_devices.h"
#include "cornu/base/check.h"
#include "cornu/keras/files/load_model.h"

namespace cornu::inline v0::cli {
namespace {

constexpr std::int64_t kMany = 50;
constexpr std::int64_t kLargeBatch = 4;   // times the batch
constexpr double kLargerBatchPays = 1.2;  // as many rows a second
constexpr double kRounding = 1e-9;        // of differences between clock readings, relative
constexpr std::size_t kParts = 4;         // that a device is measured in

Dims without_rows(const Dims& shape) { return {shape.begin() + 1, shape.end()}; }

/// The model of a file as a workload. Labels are class ids where the loss takes these, else numbers
/// of the output's shape.
Workload workload_of_file(const std::string& path, const CompileChanges& changes) {
  keras::Model model = keras::load_model(path, {.compile = true});
  compile_for(model, changes, path);
  if (model.outputs().size() != 1)
    fail(ErrorCode::kUnimplemented, "[advise] {} has {} outputs: models with one can be measured", path,
         model.outputs().size());
  Workload workload{.name = path, .summary = "a file", .batch_size = 32, .num_rows = 512};
  for (const keras::KerasTensor& input : model.inputs())
    workload.inputs.push_back(
        {.shape = without_rows(input.shape()), .num_ids = ir::is_integer(input.dtype()) ? 1 : 0});
  workload.make_model = [path, changes] {
    keras::Model made = keras::load_model(path, {.compile = true});
    compile_for(made, changes, path);
    return made;
  };
  workload.compile = [](keras::Model& compiled, const keras::StepsPerExecution& steps) {
    keras::Config config = compiled.get_compile_config();
    config.set("steps_per_execution", steps.is_auto() ? keras::Config("auto") : keras::Config(steps.steps()));
    compiled.compile_from_config(config);
  };
  const Dims output = without_rows(model.outputs()[0].shape());
  if (!output.empty() && output.back() > 1) {
    workload.num_classes = output.back();
    workload.label_shape = {output.begin(), output.end() - 1};
    try {
      TimedTraining(workload, runtime::make_client("cpu", client_options({})), 1).fit(1);
      return workload;
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kInvalidArgument) throw;
    }
  }
  workload.num_classes = 1;
  workload.label_shape = output;
  return workload;
}

/// The same rows through a model that computes next to nothing: the mean of each input, one unit.
Workload without_work(const Workload& workload) {
  Workload changed = workload;
  changed.num_classes = 1;
  changed.label_shape = {};
  changed.labels_as_column = true;
  changed.make_model = [inputs = workload.inputs] {
    const keras::layers::LambdaFunction mean_of_row = [](const Tensor& x) {
      return ops::mean(ops::cast(ops::reshape(x, {x.shape()[0], -1}), DType::kF32),
                       {.axis = 1, .keepdims = true});
    };
    std::vector<keras::KerasTensor> x, means;
    for (const WorkloadInput& input : inputs) {
      x.push_back(
          keras::Input({.shape = input.shape, .dtype = input.num_ids > 0 ? DType::kI32 : DType::kF32}));
      means.push_back(keras::layers::Lambda({.function = mean_of_row})(x.back()));
    }
    const keras::KerasTensor all = means.size() == 1 ? means[0] : keras::layers::add(means);
    return keras::Model({.inputs = x, .outputs = keras::layers::Dense({.units = 1})(all)});
  };
  changed.compile_options = [] { return keras::CompileOptions{.optimizer = "sgd", .loss = "mse"}; };
  changed.compile = nullptr;
  return changed;
}

/// One device, measured.
struct Examined {
  study::DeviceCosts costs;
  std::vector<study::Repeats> times;  // of a step: with one step an execution, with many, at a larger batch
  std::optional<study::Interval> call = {};  // the cost of a call, 90 %
  double waiting_seconds = 0;                // of a step at kMany: between the calls of the device
  bool has_calls = false;                    // the client counts them
};

class Advice {
 public:
  explicit Advice(const AdviceOptions& options)
      : options_(options),
        workload_(names_file(options.target) ? workload_of_file(options.target, options.compile)
                                             : find_workload(options.target)),
        devices_(options.devices, options.machine),
        progress_((kParts + (options.checks ? 2U : 0U)) * options.devices.size()) {
    if (options.batch_size > 0) workload_ = with_batch_size(workload_, options.batch_size);
    batch_ = static_cast<double>(workload_.batch_size);
  }

  study::Report run() {
    report_.title = fmt::format("Advice for {}, batch {}", workload_.name, workload_.batch_size);
    report_.machine = study::describe_machine();
    report_.notes = {
        fmt::format("The times of a step at K = 1, at K = {} and at {} times the batch give the costs of a "
                    "call, of a step and of a row. Times of simulated devices are by a virtual clock unless "
                    "the device names another.",
                    kMany, kLargeBatch),
        "Sizes are multiples of this model's work: the time of its step beyond that of a model which "
        "computes next to nothing from the same rows grows with them, and so do its parameters."};
    for (std::size_t i = 0; i < options_.devices.size(); ++i) {
      examine(options_.devices[i]);
      progress_.skip_to(kParts * (i + 1));
    }
    if (found_.empty())
      fail(ErrorCode::kUnavailable, "[advise] no device could be measured: {}",
           fmt::join(report_.warnings, "; "));
    add_costs();
    explain_shares();
    explain_differences();
    recommend();
    explain_certainty();
    return std::move(report_);
  }

 private:
  using Json = nlohmann::ordered_json;

  void examine(const std::string& device) {
    try {
      const std::shared_ptr<runtime::Client> client = devices_.make(device);
      Examined examined;
      progress_.begin(device, false);
      TimedTraining many(workload_, client, kMany);
      const double first = many.fit(kMany);
      const double second = many.fit(kMany);
      num_parameters_ = static_cast<double>(many.model().count_params());
      const std::int64_t steps = steps_of_fits(many, options_.seconds, kMany, options_.repeats);
      study::Repeats many_seconds = repeated_step_seconds_of_fits(many, steps, options_.repeats);
      const runtime::TransferStatistics before = client->counts();
      const double measured = many.fit(10 * kMany);
      const runtime::TransferStatistics calls = client->counts().since(before);
      progress_.begin(device + ", K = 1", false);
      TimedTraining single(workload_, client, 1);
      examined.times = {repeated_step_seconds(single, options_.seconds, 1, options_.repeats),
                        std::move(many_seconds)};
      progress_.begin(device + ", larger batch", false);
      TimedTraining large(with_batch_size(workload_, kLargeBatch * workload_.batch_size), client, kMany);
      examined.times.push_back(repeated_step_seconds(large, options_.seconds, kMany, options_.repeats));
      const double medians[] = {study::summarize(examined.times[0]).median,
                                study::summarize(examined.times[1]).median,
                                study::summarize(examined.times[2]).median};
      examined.costs = costs_from(device, medians);
      examined.call = call_interval(examined);
      // A call whose cost may be nothing is no reason for more steps an execution.
      if (examined.call.has_value() && !(examined.call->low > 0)) examined.costs.call_seconds = 0;
      progress_.begin(device + ", no work", false);
      examined.costs.base_seconds =
          std::max(0.0, seconds_without_work(client, steps) -
                            examined.costs.call_seconds / static_cast<double>(kMany));
      examined.costs.compile_seconds = std::max(0.0, first - second);
      examined.has_calls = calls.executions.calls > 0;
      const double measured_steps = 10 * static_cast<double>(kMany);
      const double transfers = calls.reads.seconds + calls.writes.seconds;
      examined.costs.transfer_seconds = transfers / measured_steps;
      const double waiting = measured - transfers - calls.executions.seconds;
      if (waiting > kRounding * measured) examined.waiting_seconds = waiting / measured_steps;
      if (const auto price = options_.prices.find(device); price != options_.prices.end())
        examined.costs.price_per_hour = price->second;
      found_.push_back(examined);
    } catch (const Error& error) {
      if (!is_of_device(error)) throw;
      report_.warnings.push_back(fmt::format("{} is left out: {}", device, error.what()));
    }
  }

  /// Costs from seconds of a step: with one step an execution, with many, and with many at a larger batch.
  study::DeviceCosts costs_from(const std::string& device, std::span<const double> seconds) const {
    return study::costs_of(device, {.single = seconds[0],
                                    .many = seconds[1],
                                    .many_large = seconds[2],
                                    .many_steps = static_cast<double>(kMany),
                                    .batch_size = batch_,
                                    .large_batch_size = kLargeBatch * batch_});
  }

  static std::optional<study::Interval> call_interval(const Examined& examined) {
    return study::bootstrap_interval({examined.times.data(), 2}, [](std::span<const double> medians) {
      return (medians[0] - medians[1]) * static_cast<double>(kMany) / static_cast<double>(kMany - 1);
    });
  }

  /// The measurements of a plan's device.
  const std::vector<study::Repeats>& times_of(const study::Plan& plan) const {
    return std::find_if(found_.begin(), found_.end(),
                        [&](const Examined& each) { return &each.costs == plan.costs; })
        ->times;
  }

  /// Seconds of a planned training, 90 %.
  std::optional<study::Interval> plan_interval(const study::Plan& plan) const {
    return study::bootstrap_interval(times_of(plan), [&](std::span<const double> medians) {
      study::DeviceCosts costs = costs_from(plan.costs->device, medians);
      if (plan.costs->call_seconds == 0) costs.call_seconds = 0;
      return plan.costs->compile_seconds +
             options_.num_rows / plan.batch_size *
                 costs.step(static_cast<double>(plan.steps_per_execution), plan.batch_size);
    });
  }

  /// Seconds of a step. Devices with memory of their own run fits of as many steps as the model's, so that
  /// rows are sent as often.
  double seconds_without_work(const std::shared_ptr<runtime::Client>& client, std::int64_t steps) const {
    TimedTraining training(without_work(workload_), client, kMany);
    return client->is_addressable() ? step_seconds(training, options_.seconds, kMany, options_.repeats)
                                    : step_seconds_of_fits(training, steps, options_.repeats);
  }

  void add_costs() {
    study::Table table{.title = "Where a step's time goes",
                       .columns = {{"device", ""},
                                   {"call", "ms"},
                                   {"call_low", "ms"},
                                   {"call_high", "ms"},
                                   {"step", "ms"},
                                   {"rows", "ms"},
                                   {"transfers_beside_calls", "ms a step"},
                                   {"waiting_for_input", "ms a step"},
                                   {"compile", "s"},
                                   {"step_at_1", "ms"},
                                   {"step_at_recommended", "ms", true},
                                   {"recommended_steps", ""}},
                       .rows = {}};
    for (const Examined& each : found_) {
      const study::DeviceCosts& costs = each.costs;
      const bool has_calls = each.has_calls, is_known = each.call.has_value();
      const std::int64_t k = study::recommended_steps(costs, batch_);
      table.add({devices_.shown(costs.device), 1e3 * costs.call_seconds,
                 is_known ? Json(1e3 * std::max(0.0, each.call->low)) : Json(nullptr),
                 is_known ? Json(1e3 * std::max(0.0, each.call->high)) : Json(nullptr),
                 1e3 * costs.step_seconds, 1e3 * costs.row_seconds * batch_,
                 has_calls ? Json(1e3 * costs.transfer_seconds) : Json(nullptr),
                 has_calls ? Json(1e3 * each.waiting_seconds) : Json(nullptr), costs.compile_seconds,
                 1e3 * costs.step(1, batch_), 1e3 * costs.step(static_cast<double>(k), batch_), k});
    }
    report_.tables.push_back(std::move(table));
  }

  /// Devices, the fastest at K = 1 first.
  std::vector<const Examined*> by_speed() const {
    std::vector<const Examined*> order;
    order.reserve(found_.size());
    for (const Examined& each : found_) order.push_back(&each);
    std::sort(order.begin(), order.end(), [&](const Examined* x, const Examined* y) {
      return x->costs.step(1, batch_) < y->costs.step(1, batch_);
    });
    return order;
  }

  /// "2.4 ms (90 %: 2.3 ms to 2.5 ms) at K = 1 on cpu: calls 1 %, transfers 0 %, computing 97 %, ...".
  std::string shares_of(const Examined& of) const {
    const double whole = of.costs.step(1, batch_);
    const auto percent = [&](double seconds) {
      return fmt::format("{:.0f} %", whole > 0 ? std::clamp(100 * seconds / whole, 0.0, 100.0) : 0);
    };
    const double beside = of.has_calls ? of.costs.transfer_seconds + of.waiting_seconds : 0;
    std::string text =
        fmt::format("{}{} on {}: calls {}, ", study::seconds_text(whole),
                    study::interval_text(study::median_interval(of.times[0]), &study::seconds_text),
                    devices_.shown(of.costs.device), percent(of.costs.call_seconds));
    if (of.has_calls) text += fmt::format("transfers {}, ", percent(of.costs.transfer_seconds));
    text += "computing " + percent(whole - of.costs.call_seconds - beside);
    if (of.has_calls) text += ", waiting for input " + percent(of.waiting_seconds);
    return text;
  }

  /// The first sentence: where the time of a step goes on each device.
  void explain_shares() {
    std::vector<std::string> parts;
    for (const Examined* const each : by_speed()) parts.push_back(shares_of(*each));
    report_.conclusions.push_back(fmt::format("A step of {} at batch {} and K = 1 takes {}.", workload_.name,
                                              workload_.batch_size, fmt::join(parts, "; ")));
  }

  /// The fourth sentence: what a plan saves against one step an execution on its device.
  std::string saving_of(const study::Plan& plan) const {
    const auto k = static_cast<double>(plan.steps_per_execution);
    const auto saved = [&](const study::DeviceCosts& costs) {
      const double single = costs.step(1, plan.batch_size);
      return single > 0 ? 100 * (1 - costs.step(k, plan.batch_size) / single) : 0.0;
    };
    if (plan.steps_per_execution == 1)
      return fmt::format(
          "More steps an execution would save nothing that counts on {}: calls take {:.1f} % of "
          "its steps.",
          plan.costs->device,
          100 * plan.costs->call_seconds / std::max(1e-12, plan.costs->step(1, plan.batch_size)));
    const auto interval = study::bootstrap_interval(times_of(plan), [&](std::span<const double> medians) {
      return std::max(0.0, saved(costs_from(plan.costs->device, medians)));
    });
    const auto percent = [](double share) { return fmt::format("{:.0f} %", share); };
    return fmt::format(
        "That saves {}{} of the time of K = 1 on {}: {} instead of {} (predicted).",
        percent(saved(*plan.costs)), study::interval_text(interval, percent), plan.costs->device,
        study::seconds_text(plan.seconds),
        study::seconds_text(plan.costs->compile_seconds +
                            options_.num_rows / plan.batch_size * plan.costs->step(1, plan.batch_size)));
  }

  /// The last sentence: how sure the others are.
  void explain_certainty() {
    std::vector<study::Repeats> all;
    std::vector<std::string> simulated;
    for (const Examined& each : found_) {
      if (devices_.is_simulated(each.costs.device)) {
        simulated.push_back(each.costs.device);
        continue;
      }
      all.insert(all.end(), each.times.begin(), each.times.end());
    }
    std::string text = all.empty() ? "No device was measured"
                                   : fmt::format("The {} repeats of a measurement differ by up to {:.0f} %",
                                                 options_.repeats, 100 * study::spread_of(all));
    if (!simulated.empty())
      text +=
          fmt::format("; times of {} are simulated, by profiles with peak rates", fmt::join(simulated, ", "));
    if (options_.repeats < static_cast<std::int64_t>(study::kFewestRepeats))
      text += fmt::format("; fewer than {} repeats tell no interval", study::kFewestRepeats);
    text += options_.checks ? "; the last table has the predictions beside runs"
                            : "; --check runs what is recommended and shows its time beside the prediction";
    report_.conclusions.push_back(text + ".");
  }

  void explain_differences() {
    const std::vector<const Examined*> order = by_speed();
    if (order.size() == 1)
      report_.conclusions.push_back(fmt::format(
          "{} is the only device that was measured: --devices names others that are there, --with "
          "simulated ones.",
          devices_.shown(order[0]->costs.device)));
    std::vector<const study::DeviceCosts*> costs;
    costs.reserve(order.size());
    for (const Examined* const each : order) {
      costs.push_back(&each->costs);
      if (each != order[0]) report_.conclusions.push_back(difference_of(*each, *order[0]));
    }
    add_break_evens(costs);
  }

  /// Why a device is slower at K = 1, with the intervals of the two steps; or that this is no conclusion.
  std::string difference_of(const Examined& slow, const Examined& fast) const {
    const study::Repeats both[] = {fast.times[0], slow.times[0]};
    const std::optional<study::Leader> leader = study::find_leader(both);
    const auto interval = [](const Examined& of) {
      return study::interval_text(study::median_interval(of.times[0]), &study::seconds_text);
    };
    const std::string range = fmt::format(
        "A step there takes {}{}, on {} {}{}.", study::seconds_text(slow.costs.step(1, batch_)),
        interval(slow), fast.costs.device, study::seconds_text(fast.costs.step(1, batch_)), interval(fast));
    if (!leader.has_value() || leader->index != 0 || leader->share < study::kWinningShare)
      return fmt::format("{} beside {} at K = 1: {}. {}", slow.costs.device, fast.costs.device,
                         study::no_conclusion(both), range);
    const study::BreakEven batch = study::break_even_batch(slow.costs, fast.costs, 1);
    const std::string overtakes =
        batch.at.has_value() && batch.x_wins_above
            ? fmt::format(" It is the faster one from batch {:.0f} on (predicted).", std::ceil(*batch.at))
            : " No batch makes it the faster one.";
    return study::why_slower(slow.costs, fast.costs, batch_) + " " + range + overtakes;
  }

  /// Devices whose best plan takes as long as this one, as far as the repeats tell.
  std::vector<std::string> level_devices(const std::vector<study::Plan>& plans,
                                         const study::Plan& best) const {
    const std::optional<study::Interval> least = plan_interval(best);
    std::vector<std::string> level;
    for (const study::Plan& plan : plans) {
      if (plan.costs == best.costs ||
          std::find(level.begin(), level.end(), plan.costs->device) != level.end())
        continue;
      const std::optional<study::Interval> interval = plan_interval(plan);
      if (!least.has_value() || !interval.has_value() ||
          (interval->low <= least->high && interval->high >= least->low))
        level.push_back(plan.costs->device);
    }
    return level;
  }

  /// For each pair of devices, the one that is faster at K = 1 first: the point from which the other is
  /// faster.
  void add_break_evens(const std::vector<const study::DeviceCosts*>& order) {
    study::Table table{.title =
                           "Break-even: the batch, and the size of a model of this kind at this batch, from "
                           "which the second device is faster",
                       .columns = {{"first", ""},
                                   {"second", ""},
                                   {"steps_per_execution", ""},
                                   {"batch", "", true},
                                   {"times_the_work", "", true},
                                   {"parameters", "", true}},
                       .rows = {}};
    for (std::size_t i = 0; i < order.size(); ++i)
      for (std::size_t j = i + 1; j < order.size(); ++j)
        for (const std::int64_t k : {std::int64_t{1}, kMany}) {
          const auto steps = static_cast<double>(k);
          const study::BreakEven batch = study::break_even_batch(*order[j], *order[i], steps);
          const study::BreakEven size = study::break_even_size(*order[j], *order[i], steps, batch_);
          const Json times = cell_of(size, [](double at) { return std::stod(fmt::format("{:.3g}", at)); });
          table.add({order[i]->device, order[j]->device, k,
                     cell_of(batch, [](double at) { return std::ceil(at); }), times,
                     cell_of(size, [&](double at) { return std::ceil(at * num_parameters_); })});
        }
    if (!table.rows.empty()) report_.tables.push_back(std::move(table));
  }

  /// A break-even point as a number, or in words.
  template <typename Rounded>
  static Json cell_of(const study::BreakEven& even, Rounded rounded) {
    if (!even.at.has_value()) return even.x_wins_above ? "at any" : "never";
    if (even.x_wins_above) return rounded(*even.at);
    return fmt::format("below {:g}", rounded(*even.at));
  }

  void recommend() {
    std::vector<study::Plan> plans;
    for (const Examined& each : found_) {
      for (const double batch : {batch_, kLargeBatch * batch_}) {
        const std::int64_t k = study::recommended_steps(each.costs, batch);
        study::Plan plan{.costs = &each.costs, .steps_per_execution = k, .batch_size = batch};
        plan.seconds = each.costs.compile_seconds +
                       options_.num_rows / batch * each.costs.step(static_cast<double>(k), batch);
        if (each.costs.price_per_hour.has_value())
          plan.price = plan.seconds / 3600 * *each.costs.price_per_hour;
        const bool is_larger = batch > batch_;
        if (!is_larger || plans.back().seconds > kLargerBatchPays * plan.seconds) plans.push_back(plan);
      }
    }
    study::Limits limits{.budget = options_.budget, .deadline_seconds = std::nullopt};
    if (options_.deadline.has_value()) limits.deadline_seconds = options_.deadline->seconds;
    const study::Choice choice = study::choose(plans, limits);
    const study::Plan& plan = choice.plan;
    std::string text;
    if (!choice.is_within)
      text = fmt::format("No device meets {}. The nearest: ",
                         options_.budget.has_value() && options_.deadline.has_value() ? "budget and deadline"
                         : options_.budget.has_value()                                ? "the budget"
                                                                                      : "the deadline");
    text += fmt::format(
        "take {} with steps_per_execution = {} and batch {:.0f}: {} rows take {}{} (predicted)",
        plan.costs->device, plan.steps_per_execution, plan.batch_size, study::number_text(options_.num_rows),
        study::seconds_text(plan.seconds), study::interval_text(plan_interval(plan), &study::seconds_text));
    text += plan.price.has_value()
                ? fmt::format(" and cost {} by its price.", study::number_text(*plan.price))
                : ".";
    if (plan.batch_size > batch_) text += " A larger batch trains another model: compare its accuracy.";
    if (const std::vector<std::string> level = level_devices(plans, plan); !level.empty()) {
      std::vector<study::Repeats> all;
      for (const Examined& each : found_) all.insert(all.end(), each.times.begin(), each.times.end());
      text += fmt::format(" Beside {}: {}.", fmt::join(level, ", "), study::no_conclusion(all));
    }
    report_.conclusions.push_back(text);
    report_.conclusions.push_back(saving_of(plan));
    if (options_.checks) check(plans);
  }

  /// Predictions at the recommended number of steps beside runs.
  void check(const std::vector<study::Plan>& plans) {
    study::Table table{.title = "Predictions beside runs",
                       .columns = {{"device", ""},
                                   {"steps_per_execution", ""},
                                   {"batch", ""},
                                   {"step_predicted", "ms", true},
                                   {"step_measured", "ms"},
                                   {"off_by", "%"}},
                       .rows = {}};
    progress_.expect(progress_.part() + plans.size());
    for (const study::Plan& plan : plans) {
      progress_.begin(plan.costs->device + ", check", false);
      try {
        add_check(table, plan);
      } catch (const Error& error) {
        if (!is_of_device(error)) throw;
        report_.warnings.push_back(
            fmt::format("the check of {} is left out: {}", plan.costs->device, error.what()));
      }
    }
    report_.tables.push_back(std::move(table));
  }

  void add_check(study::Table& table, const study::Plan& plan) const {
    const auto batch = static_cast<std::int64_t>(plan.batch_size);
    TimedTraining training(with_batch_size(workload_, batch), devices_.make(plan.costs->device),
                           plan.steps_per_execution);
    const double measured =
        step_seconds(training, options_.seconds, plan.steps_per_execution, options_.repeats);
    const double predicted = plan.costs->step(static_cast<double>(plan.steps_per_execution), plan.batch_size);
    table.add({plan.costs->device, plan.steps_per_execution, batch, 1e3 * predicted, 1e3 * measured,
               measured > 0 ? Json(100 * (predicted / measured - 1)) : Json(nullptr)});
  }

  const AdviceOptions& options_;
  Workload workload_;
  StudyDevices devices_;
  study::StudyProgress progress_;
  double batch_ = 0;
  double num_parameters_ = 0;
  std::vector<Examined> found_;
  study::Report report_;
};

}  // namespace

study::Report advise(const AdviceOptions& options) {
  if (options.devices.empty()) invalid_argument("[advise] there is no device to advise on");
  for (const auto& [device, price] : options.prices)
    if (std::find(options.devices.begin(), options.devices.end(), device) == options.devices.end())
      invalid_argument("[advise] a price of {}, which is none of the devices; they are {}", device,
                       fmt::join(options.devices, ", "));
  if (options.budget.has_value())
    for (const std::string& device : options.devices)
      if (!options.prices.contains(device))
        invalid_argument("[advise] a budget takes the price of each device: --price {}=AN_HOUR is missing",
                         device);
  return Advice(options).run();
}

}  // namespace cornu::inline v0::cli
