#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/bench_checkpoint.h"
#include "cli/bench_data.h"
#include "cli/bench_fit.h"
#include "cli/bench_list.h"
#include "cli/commands.h"
#include "cli/process_clock.h"
#include "cli/replica_options.h"
#include "cli/text/terminal.h"
#include "cli/workloads.h"
#include "cornu/base/check.h"
#include "cornu/base/machine_limits.h"
#include "cornu/base/steady_clock.h"
#include "cornu/keras/base/dtype_policy.h"
#include "cornu/runtime/collective.h"
#include "cornu/runtime/profiler.h"
#include "cornu/version.h"

namespace cornu::inline v0::cli {
namespace {

struct BenchOptions {
  std::string workload;
  std::int64_t steps_per_execution = 1;
  double seconds = 3;
  MachineOptions machine;
  bool json = false;
  bool profile = false;
  std::string trace_file;
  std::string policy;              // of the workload's layers; empty: float32
  std::string precision = "auto";  // of its f32 products
  ReplicaOptions replicas;
};

/// Seconds of `work` by the client's clock, which may be a virtual one.
double seconds_of(const runtime::Client& client, const std::function<void()>& work) {
  const double start = client.now();
  work();
  return client.now() - start;
}

double rounded(double value, int decimals) { return std::stod(fmt::format("{:.{}f}", value, decimals)); }

/// Errors: InvalidArgument when this CPU has no such level.
IsaLevel used_isa_level(const BenchOptions& options) {
  const IsaLevel level =
      options.machine.isa.empty() ? default_isa_level() : isa_level_from_name(options.machine.isa).value();
  if (level > cpu_isa_level())
    invalid_argument("[cpu] instruction set level \"{}\" is not one that this CPU has; its highest is \"{}\"",
                     options.machine.isa, isa_level_name(cpu_isa_level()));
  return level;
}

void print_training(const nlohmann::ordered_json& row) {
  if (row.contains("device"))
    print_text(fmt::format("on {}{}:\n", row["device"].get<std::string>(),
                           row["simulated"].get<bool>() ? ", all times simulated" : ""));
  print_text(fmt::format("{}, {} steps an execution: {:.2f} us a step (median of three; best {:.2f} us)\n",
                         row["workload"].get<std::string>(), row["spe"].get<std::int64_t>(),
                         row["ms_step"].get<double>() * 1e3, row["ms_min"].get<double>() * 1e3));
  print_text(
      fmt::format("compiled in {:.2f} s{}, {} ops by reference kernels\n", row["compile_s"].get<double>(),
                  row["from_cache"].get<bool>() ? " from the disk cache" : "", row["fallbacks"].get<int>()));
  print_text(fmt::format(
      "first fit {:.0f} ms, process start to first finished step {:.0f} ms, {} parameters, {} steps timed, "
      "{} MiB at most\n",
      row["first_fit_s"].get<double>() * 1e3, row["startup_s"].get<double>() * 1e3,
      row["params"].get<std::int64_t>(), row["steps"].get<std::int64_t>(), row["rss_mb"].get<long>()));
}

/// Adds the device, if it is not this CPU, and the number of its calls. Removes threads and instruction set,
/// which are this machine's, for a device that has others. `timed`: the client whose clock was used.
void add_device(nlohmann::ordered_json& row, const BenchOptions& options,
                const runtime::TransferStatistics& calls, const runtime::Client& timed) {
  const MachineOptions& machine = options.machine;
  const bool is_here = options.replicas.workers.empty();
  if (!is_here || !takes_threads(machine.device)) row.erase("threads");
  if (!is_here || !takes_isa(machine.device)) row.erase("isa");
  if (machine.device == "cpu" && !timed.is_simulated()) return;
  row["device"] = machine.device == "cpu" ? timed.platform() : machine.device;
  row["simulated"] = timed.is_simulated();
  row["launches"] = calls.executions.calls;
  row["reads"] = calls.reads.calls;
  row["writes"] = calls.writes.calls;
  row["compiles"] = calls.compiles.calls;
  row["bytes"] = calls.executions.bytes + calls.reads.bytes + calls.writes.bytes;
}

/// Prints how a step's time is spent, after the figures that were taken without a profiler.
void profile_fit(const BenchOptions& options, const std::function<void()>& fit) {
  runtime::Profiler profiler;
  profiler.start();
  fit();
  profiler.stop();
  if (!runtime::is_chief()) return;
  print_report(profiler.report());
  if (options.trace_file.empty() || profiler.is_without_profile()) return;
  profiler.write_trace(options.trace_file);
  print_text(fmt::format("trace in {}: open it at https://ui.perfetto.dev\n", options.trace_file));
}

/// The first process's value in all of several processes: they must run the same steps.
std::int64_t broadcast_from_chief(std::int64_t value) {
  return runtime::joined_processes() == nullptr ? value : runtime::joined_processes()->broadcast(value);
}

keras::Model make_model(const Workload& workload, const std::string& policy) {
  const keras::DTypePolicyScope scope(policy.empty() ? keras::dtype_policy() : keras::DTypePolicy(policy));
  return workload.make_model();
}

keras::CompileOptions compile_options_of(const Workload& workload, const BenchOptions& options) {
  keras::CompileOptions compile_options = workload.compile_options();
  compile_options.steps_per_execution = options.steps_per_execution;
  compile_options.precision = options.precision.c_str();
  return compile_options;
}

/// Times fits in the order of the peers' scripts: a first one of one execution with its compilation, one to
/// estimate a step, then three of a third of the time each; only the estimate if one step takes longer than
/// all of the time. `timed_calls`: the client's calls in the timed fits.
nlohmann::ordered_json bench_training(const BenchOptions& options, runtime::TransferStatistics* timed_calls) {
  const Workload& workload = find_workload(options.workload);
  const std::int64_t k = options.steps_per_execution;
  const Participants participants = participants_of(options.replicas, options.machine);
  const auto& [client, strategy] = participants;
  const std::shared_ptr<runtime::Client> timed = timed_client(options.replicas, participants);
  std::optional<distribute::Strategy::Scope> scope;
  if (strategy.has_value()) scope.emplace(*strategy);
  set_random_seed(0);

  const WorkloadData data = make_data(workload);
  keras::Model model = make_model(workload, options.policy);
  model.compile(compile_options_of(workload, options));
  scope.reset();
  const auto fit = [&](std::int64_t steps) {
    model.fit(data.x, data.y,
              {.batch_size = workload.batch_size, .verbose = 0, .steps_per_epoch = steps, .repeat = true});
  };

  const double first_fit_seconds = seconds_of(*timed, [&] { fit(k); });
  const double startup_seconds = seconds_since_process_start();
  const runtime::TransferStatistics calls_before = client->counts();
  const double real_start = steady_seconds();
  const double step_seconds = seconds_of(*timed, [&] { fit(k); }) / static_cast<double>(k);
  // A simulated time is bounded by the host's: a run takes about options.seconds for the user.
  const double longest_step =
      std::max(step_seconds, (steady_seconds() - real_start) / static_cast<double>(k));
  const double wanted_steps = std::min(60000.0, options.seconds / 3 / std::max(longest_step, 1e-7));
  const std::int64_t steps =
      broadcast_from_chief(std::max(k, static_cast<std::int64_t>(wanted_steps) / k * k));
  const bool is_enough =
      broadcast_from_chief(longest_step * static_cast<double>(k) >= options.seconds ? 1 : 0) != 0;
  const runtime::TransferStatistics calls_of_estimate = client->counts();
  std::vector<double> milliseconds(is_enough ? 1 : 3, step_seconds * 1e3);
  if (!is_enough)
    for (double& value : milliseconds)
      value = seconds_of(*timed, [&] { fit(steps); }) / static_cast<double>(steps) * 1e3;
  std::sort(milliseconds.begin(), milliseconds.end());
  const runtime::TransferStatistics calls =
      client->counts().since(is_enough ? calls_before : calls_of_estimate);
  *timed_calls = calls;
  const long peak_mb = peak_memory_mb();
  const double compile_seconds = model.compile_seconds();
  const runtime::CompileStats stats =
      model.train_executable(data.x, data.y, {.batch_size = workload.batch_size}).stats();

  nlohmann::ordered_json row = {{"workload", workload.name},
                                {"peer", "cornu"},
                                {"version", CORNU_VERSION_STRING},
                                {"spe", k},
                                {"params", model.count_params()},
                                {"threads", default_client()->num_threads()},
                                {"isa", isa_level_name(used_isa_level(options))},
                                {"ms_step", rounded(milliseconds[milliseconds.size() / 2], 6)},
                                {"ms_min", rounded(milliseconds[0], 6)},
                                {"first_fit_s", rounded(first_fit_seconds, 4)},
                                {"compile_s", rounded(compile_seconds, 4)},
                                {"from_cache", stats.from_cache},
                                {"fallbacks", stats.num_reference_fallbacks},
                                {"gflop", rounded(stats.flops * 1e-9, 9)},  // of a step's products
                                {"state_mb", rounded(static_cast<double>(stats.state_bytes) * 1e-6, 6)},
                                {"import_s", rounded(seconds_to_main(), 4)},
                                {"startup_s", rounded(startup_seconds, 4)},
                                {"steps", is_enough ? k : 3 * steps},
                                {"rss_mb", peak_mb}};
  add_device(row, options, calls, *timed);
  if (!options.policy.empty()) row["policy"] = options.policy;
  if (options.precision != "auto") row["precision"] = options.precision;
  if (strategy.has_value()) row["replicas"] = strategy->num_replicas_in_sync();
  if (options.profile) {
    if (runtime::is_chief()) print_training(row);
    const std::int64_t few = broadcast_from_chief(static_cast<std::int64_t>(std::min(1000.0, wanted_steps)));
    profile_fit(options, [&] { fit(std::max(k, few / k * k)); });
  }
  return row;
}

nlohmann::ordered_json bench_limits(const BenchOptions& options) {
  const int threads = client_options(options.machine).num_threads;
  const std::unique_ptr<ThreadPool> pool =
      std::make_unique<ThreadPool>(threads > 0 ? threads : default_num_threads());
  const MachineLimitsOptions limits_options{.seconds = options.seconds / 4,
                                            .isa_level = used_isa_level(options)};
  const MachineLimits limits = measure_machine_limits(*pool, limits_options);
  return {{"workload", "limit"},
          {"peer", "cornu"},
          {"version", CORNU_VERSION_STRING},
          {"isa", isa_level_name(limits_options.isa_level)},
          {"threads", pool->num_threads()},
          {"fma_gflops_one_thread", rounded(limits.fma_gflops_one_thread, 1)},
          {"fma_gflops", rounded(limits.fma_gflops_all_threads, 1)},
          {"triad_gb_s_one_thread", rounded(limits.triad_gb_s_one_thread, 1)},
          {"triad_gb_s", rounded(limits.triad_gb_s_all_threads, 1)}};
}

void print_limits(const nlohmann::ordered_json& row) {
  print_text(fmt::format(
      "{} threads, {}: {:.1f} GFLOP/s of float32 multiply-adds ({:.1f} on one), {:.1f} GB/s ({:.1f} on "
      "one)\n",
      row["threads"].get<int>(), row["isa"].get<std::string>(), row["fma_gflops"].get<double>(),
      row["fma_gflops_one_thread"].get<double>(), row["triad_gb_s"].get<double>(),
      row["triad_gb_s_one_thread"].get<double>()));
}

void print_data(const nlohmann::ordered_json& row, bool json) {
  if (json) return fmt::print("{}\n", row.dump());
  print_text(fmt::format("{}: {} elements a second, {:.3f} GB/s\n", row["workload"].get<std::string>(),
                         row["per_s"].get<std::int64_t>(), row["gb_s"].get<double>()));
  if (row.contains("times_arrays"))
    fmt::print("{:.3f} times the time on arrays\n", row["times_arrays"].get<double>());
  if (row.contains("times_fit")) fmt::print("{:.3f} times the time of fit\n", row["times_fit"].get<double>());
}

/// Measures data sets or backups.
void bench_files(const BenchOptions& options) {
  if (is_data_pipeline(options.workload))
    return print_data(bench_data(options.workload, options.seconds, options.machine), options.json);
  use_device(options.machine);
  const nlohmann::ordered_json row = bench_checkpoint_fit(options.seconds);
  options.json ? fmt::print("{}\n", row.dump()) : print_checkpoint_fit(row);
}

/// Why --profile cannot write to `file`: the name is a workload's, which was written after the option.
std::string why_no_trace_file(const std::string& file) {
  return is_bench_workload(file) ? file + " is a workload: write it before --profile" : "";
}

/// Prints the workloads. Errors: CLI::ValidationError for any option.
void list_workloads(const CLI::App& command) {
  for (const CLI::Option* const option : command.get_options())
    if (!option->get_positional() && option->count() > 0)
      throw CLI::ValidationError(option->get_name(), "list takes no options: leave it out");
  fmt::print("{}", bench_list(text_width()));
}

/// Throws if an option does not go with the workload.
void check_options(const BenchOptions& options, bool is_step) {
  if (!is_step) {
    const std::string why = options.workload + " is no training step";
    if (options.profile) throw CLI::ValidationError("--profile", why);
    if (!options.policy.empty()) throw CLI::ValidationError("--policy", why);
    if (options.precision != "auto") throw CLI::ValidationError("--precision", why);
    refuse_replica_options(options.replicas, why);
  }
  const bool takes_steps =
      is_whole_run(options.workload) ? find_whole_run(options.workload).takes_steps_per_execution : is_step;
  if (!takes_steps && options.steps_per_execution != 1)
    throw CLI::ValidationError("--steps-per-execution",
                               options.workload + " does not run by it: leave it out");
  if (!options.trace_file.empty()) runtime::check_can_write(options.trace_file);
  if (!is_step && !is_whole_run(options.workload) && options.machine.device != "cpu")
    throw CLI::ValidationError("--device", options.workload + " measures this machine");
}

void run_whole(const BenchOptions& options) {
  use_device(options.machine);
  runtime::TransferStatistics calls;
  nlohmann::ordered_json row =
      bench_whole_run(options.workload, options.steps_per_execution, options.seconds, &calls);
  add_device(row, options, calls, *default_client());
  options.json ? fmt::print("{}\n", row.dump()) : print_whole_run(row);
  if (!options.json)
    fmt::print("{}", calls_table(calls, "calls of one run", options.machine.device, *default_client()));
}

void run_limits(const BenchOptions& options) {
  const nlohmann::ordered_json row = bench_limits(options);
  if (!runtime::is_chief()) return;
  options.json ? fmt::print("{}\n", row.dump()) : print_limits(row);
}

void run_steps(const BenchOptions& options) {
  runtime::TransferStatistics calls;
  const nlohmann::ordered_json row = bench_training(options, &calls);
  if (!runtime::is_chief()) return;
  if (options.json) {
    fmt::print("{}\n", row.dump());
  } else if (!options.profile) {
    print_training(row);
    fmt::print("{}", calls_table(calls, fmt::format("calls of {} steps", row["steps"].get<std::int64_t>()),
                                 options.machine.device, *default_client()));
  }
}

void run_bench(BenchOptions& options) {
  if (!is_bench_workload(options.workload)) unknown_workload(options.workload);
  options.machine.device = with_virtual_clock(options.machine.device);
  const bool is_limit = options.workload == "limit";
  const bool is_of_files = is_data_pipeline(options.workload) || options.workload == kCheckpointBench;
  const bool is_step = !is_limit && !is_of_files && !is_whole_run(options.workload);
  check_options(options, is_step);
  if (is_limit) return run_limits(options);
  if (is_of_files) return bench_files(options);
  is_step ? run_steps(options) : run_whole(options);
}

}  // namespace

void add_bench(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "bench", "Times training steps through model.fit, whole runs, or the machine's own limits");
  const auto options = std::make_shared<BenchOptions>();
  command->add_option("workload", options->workload, "Name of a workload; `cornu bench list` shows them")
      ->required();
  command
      ->add_option("--steps-per-execution", options->steps_per_execution,
                   "Steps that run without returning to the host")
      ->check(whole_number(1))
      ->capture_default_str();
  command->add_option("--seconds", options->seconds, "About how long to measure")
      ->check(positive())
      ->capture_default_str();
  command->add_option("--policy", options->policy,
                      "Dtype policy of the workload's layers, such as mixed_bfloat16");
  command
      ->add_option("--precision", options->precision,
                   "Precision of the workload's f32 products: auto, highest, high, default, bf16 or tf32")
      ->type_name("NAME")
      ->capture_default_str();
  add_machine_options(*command, options->machine);
  add_device_option(*command, options->machine);
  add_replica_options(*command, options->replicas);
  auto* json = command->add_flag("--json", options->json,
                                 "Print one line of JSON with the keys of the peers' scripts");
  CLI::Option* profile = command->add_option(
      "--profile", options->trace_file,
      "Show the largest groups of ops of a step's time, and write a trace for ui.perfetto.dev to FILE");
  profile->expected(0, 1)->type_name("[FILE]")->excludes(json);
  profile->check(CLI::Validator(why_no_trace_file, ""));
  command->callback([options, profile, command] {
    if (options->workload == "list") return list_workloads(*command);
    options->profile = profile->count() > 0;
    run_bench(*options);
  });
}

}  // namespace cornu::inline v0::cli
