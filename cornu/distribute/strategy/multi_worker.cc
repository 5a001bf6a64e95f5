#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "cornu/base/check.h"
#include "cornu/base/cluster_environment.h"
#include "cornu/base/random_token.h"
#include "cornu/distribute/cluster_resolver/tf_config_cluster_resolver.h"
#include "cornu/distribute/mpi/mpi.h"
#include "cornu/distribute/strategy/process_devices.h"
#include "cornu/distribute/strategy/process_faults_support.h"
#include "cornu/distribute/strategy/replica_sets_support.h"
#include "cornu/distribute/strategy/strategy.h"
#include "cornu/tensor/random.h"
#include "cornu/tensor/seed_source.h"

namespace cornu::inline v0::distribute {
namespace {

constexpr const char* kTag = "MultiWorkerMirroredStrategy";

/// The contradiction between TF_CONFIG, if it is set, and MPI; empty if there is none.
std::string fault_of_tf_config(const runtime::Collective& processes) {
  if (!environment::tf_config().has_value()) return "";
  const TFConfigClusterResolver resolver;
  const ClusterSpec cluster = resolver.cluster_spec();
  const auto tasks_of = [&](const char* job) {
    return cluster.as_map().contains(job) ? cluster.num_tasks(job) : 0;
  };
  const int num_chiefs = tasks_of("chief"), num_workers = num_chiefs + tasks_of("worker");
  if (num_workers == 0) return "";
  if (num_workers != processes.size())
    return fmt::format(
        "TF_CONFIG names {} workers, but MPI has started {} process{}: start the program with mpirun -n {}, "
        "or unset TF_CONFIG",
        num_workers, processes.size(), processes.size() == 1 ? "" : "es", num_workers);
  if (!resolver.task_id().has_value() || resolver.task_type() == "evaluator") return "";
  const int wanted = resolver.task_type() == "chief" ? 0 : num_chiefs + *resolver.task_id();
  if (wanted == processes.rank()) return "";
  return fmt::format(
      "TF_CONFIG states that this process is {} {}, but MPI made it rank {}: give each rank its own "
      "TF_CONFIG, or leave \"task\" out",
      resolver.task_type(), *resolver.task_id(), processes.rank());
}

void check_tf_config(const runtime::Collective& processes) {
  if (const std::string fault = fault_of_tf_config(processes); !fault.empty())
    fail(ErrorCode::kFailedPrecondition, {.argument = "TF_CONFIG"}, "[{}] {}", kTag, fault);
}

/// Sets a common seed on all processes: the program's, or else one of the chief.
void agree_on_seed(runtime::Collective& processes) {
  const cornu::detail::SeedSourceState own = cornu::detail::seed_source_state();
  const std::vector<std::uint64_t> set = processes.gather(own.is_set ? 1 : 0);
  if (std::count(set.begin(), set.end(), 0u) == processes.size()) {
    set_random_seed(processes.gather(random_token())[0]);
    return;
  }
  processes.require_same(
      "the random numbers ahead (call set_random_seed with the same number on all ranks, or make the "
      "strategy before all that is random)",
      own.is_set ? own.next : 0);
}

void set_timeout(runtime::Collective& processes, std::optional<double> seconds) {
  if (seconds.has_value() && !(*seconds >= 0))
    invalid_argument({.argument = "timeout_seconds"},
                     "[{}] timeout_seconds must be positive, or 0 for no limit; got {}", kTag, *seconds);
  if (!seconds.has_value()) seconds = environment::processes_timeout();
  processes.set_timeout_seconds(seconds.value_or(runtime::Collective::kDefaultTimeoutSeconds));
}

void check_compression(const MultiWorkerMirroredStrategyOptions& options) {
  if (!options.gradient_compression.empty() && options.gradient_compression != "bf16")
    invalid_argument({.argument = "gradient_compression"},
                     "[{}] gradient_compression must be \"bf16\" or empty; got \"{}\"", kTag,
                     options.gradient_compression);
}

std::shared_ptr<const ReplicaSet> make_multi_worker(const MultiWorkerMirroredStrategyOptions& options) {
  runtime::Collective& processes = *mpi_processes();
  std::vector<std::string> asked = options.devices;
  on_all_processes(processes, {.strategy = kTag, .failure = "cannot take part"}, [&] {
    set_timeout(processes, options.timeout_seconds);
    check_tf_config(processes);
    check_compression(options);
    if (asked.empty()) asked = devices_of_type("CPU");
  });
  const ProcessDevices devices = devices_of_processes(processes, kTag, asked);
  std::shared_ptr<ReplicaSet> replicas;
  on_all_processes(processes, {.strategy = kTag, .failure = "cannot make its replicas"}, [&] {
    replicas = make_replicas(kTag, devices.names, devices.reach);
    replicas->num_processes = processes.size();
    replicas->process = processes.rank();
    replicas->num_replicas *= replicas->num_processes;
    set_shards(*replicas, options.shards);
  });
  replicas->compresses_gradients = !options.gradient_compression.empty();
  agree_on_seed(processes);
  return replicas;
}

}  // namespace

MultiWorkerMirroredStrategy::MultiWorkerMirroredStrategy(const MultiWorkerMirroredStrategyOptions& options)
    : Strategy(make_multi_worker(options)) {}

int MultiWorkerMirroredStrategy::num_workers() const { return mpi_processes()->size(); }
int MultiWorkerMirroredStrategy::rank() const { return mpi_processes()->rank(); }

}  // namespace cornu::inline v0::distribute
