#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "cli/commands.h"
#include "cli/emit.h"
#include "cli/program_file.h"
#include "cli/replica_options.h"
#include "cli/workloads.h"
#include "cornu/base/check.h"
#include "cornu/ops/parse.h"
#include "cornu/runtime/collective.h"
#include "cornu/runtime/profiler.h"

namespace cornu::inline v0::cli {
namespace {

struct ExplainOptions {
  std::string workload;
  std::string stage;
  std::string form;  // of --emit; empty: a report
  bool train = false;
  bool predict = false;
  bool measure = false;
  std::int64_t steps_per_execution = 50;
  MachineOptions machine;
  ReplicaOptions replicas;
};

void train_for_a_second(keras::Model& model, const Workload& workload, const WorkloadData& data) {
  const auto start = std::chrono::steady_clock::now();
  const auto goes_on = [&] {
    const bool is_early = std::chrono::steady_clock::now() - start < std::chrono::seconds(1);
    const auto& processes = runtime::joined_processes();
    return processes == nullptr ? is_early : processes->broadcast(is_early ? 1 : 0) != 0;
  };
  while (goes_on())
    model.fit(data.x, data.y,
              {.batch_size = workload.batch_size, .verbose = 0, .steps_per_epoch = 50, .repeat = true});
}

/// The calls of a remote device by fit, after a first fit that compiles: a few epochs of one execution each.
std::string calls_of_fit(keras::Model& model, const Workload& workload, const WorkloadData& data,
                         const runtime::Client& client, const ExplainOptions& options) {
  constexpr std::int64_t kEpochs = 3;
  const auto fit = [&](std::int64_t epochs) {
    model.fit(data.x, data.y,
              {.batch_size = workload.batch_size,
               .epochs = epochs,
               .verbose = 0,
               .steps_per_epoch = options.steps_per_execution,
               .repeat = true});
  };
  fit(1);
  const runtime::TransferStatistics before = client.counts();
  const double start = client.now();
  fit(kEpochs);
  const std::string title =
      fmt::format("calls of fit with {} epochs of {} steps", kEpochs, options.steps_per_execution);
  return fmt::format("\n{}total{}: {:.6f} s\n",
                     calls_table(client.counts().since(before), title, options.machine.device, client),
                     client.is_simulated() ? ", simulated" : "", client.now() - start);
}

/// A program in a file: it has no training step and nothing to measure.
void explain_file(const ExplainOptions& options) {
  const std::string why = "a program in a file is no training step: leave it out, or name a workload";
  const std::pair<const char*, bool> others[] = {
      {"--train", options.train}, {"--predict", options.predict}, {"--measure", options.measure}};
  for (const auto& [name, is_given] : others)
    if (is_given) throw CLI::ValidationError(name, why);
  refuse_replica_options(options.replicas, why);
  if (!options.form.empty()) {
    const std::string& file = options.workload;
    return emit_program(ops::parse_stablehlo(read_program(file), {.name = file}).entry(), options.form);
  }
  const std::shared_ptr<runtime::Client> client = use_device(options.machine);
  const ProgramFile program(options.workload, *client);
  const runtime::Executable& executable = program.executable();
  if (options.stage.empty()) return print_report(executable.explain());
  fmt::print("{}", executable.dump(options.stage));
}

void explain_workload(const ExplainOptions& options) {
  if (!options.form.empty())
    throw CLI::ValidationError("--emit", "prints the program of a file; of a workload's step see --stage");
  const Workload& workload = find_workload(options.workload);
  const auto [client, strategy] = participants_of(options.replicas, options.machine);
  if (strategy.has_value()) set_random_seed(0);
  std::optional<distribute::Strategy::Scope> scope;
  if (strategy.has_value()) scope.emplace(*strategy);
  const WorkloadData data = make_data(workload);
  keras::Model model = workload.make_model();
  keras::CompileOptions compile_options = workload.compile_options();
  compile_options.steps_per_execution = options.steps_per_execution;
  model.compile(compile_options);
  scope.reset();
  runtime::Profiler profiler({.max_events = 0});
  if (options.measure) {
    profiler.start();
    train_for_a_second(model, workload, data);
    profiler.stop();
  }
  const std::string calls = client->is_addressable() || options.predict
                                ? ""
                                : calls_of_fit(model, workload, data, *client, options);
  const runtime::Executable& step =
      options.predict ? model.predict_executable(data.x, {.batch_size = workload.batch_size})
                      : model.train_executable(data.x, data.y, {.batch_size = workload.batch_size});
  if (!runtime::is_chief()) return;
  if (options.stage.empty()) return print_report(step.explain(&profiler) + calls);
  fmt::print("{}", step.dump(options.stage));
}

}  // namespace

void add_explain(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "explain", "Shows what a workload's step or a StableHLO program was compiled to, and its cost");
  const auto options = std::make_shared<ExplainOptions>();
  command
      ->add_option("workload", options->workload,
                   "A training step of `cornu bench list`, or a file of StableHLO, text or bytecode")
      ->required();
  auto* train = command->add_flag("--train", options->train, "The training step (the default)");
  command->add_flag("--predict", options->predict, "The prediction step")->excludes(train);
  command
      ->add_option("--stage", options->stage,
                   "Print the program at a stage in place of the report: plan, llvm, optimized, assembly, "
                   "cache_key; on a "
                   "simulated device also loop; on pjrt: loop, stablehlo; on reference: stablehlo")
      ->type_name("STAGE");
  add_emit_option(*command, options->form,
                  "Print the program of a file in this form in place of the report: text, or bytecode, a "
                  "portable artifact (VHLO 1.7.0)")
      ->excludes("--stage");
  command
      ->add_flag("--measure", options->measure,
                 "Train for about a second first and show the measured time of each group")
      ->excludes("--predict")
      ->excludes("--stage");
  add_machine_options(*command, options->machine);
  add_device_option(*command, options->machine);
  add_replica_options(*command, options->replicas);
  command
      ->add_option("--steps-per-execution", options->steps_per_execution,
                   "Steps that run without returning to the host, on a device with memory of its own")
      ->check(whole_number(1))
      ->capture_default_str();
  command->callback([options] {
    if (names_file(options->workload)) return explain_file(*options);
    explain_workload(*options);
  });
}

}  // namespace cornu::inline v0::cli
