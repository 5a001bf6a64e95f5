#include "cli/replica_options.h"

#include <utility>

#include "cornu/distribute/connect.h"
#include "cornu/tensor/device.h"

namespace cornu::inline v0::cli {

void add_replica_options(CLI::App& command, ReplicaOptions& options) {
  command.add_option("--replicas", options.num_replicas, "Replicas that share a batch, on logical CPUs")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  command.add_option("--shards", options.num_shards, "Parts of a batch; 0: one for each replica")
      ->check(CLI::Range(0, 4096))
      ->capture_default_str();
  command.add_flag("--processes", options.processes,
                   "The processes that mpirun has started train together; the first one reports");
  command.add_option(
      "--worker", options.workers,
      "HOST:PORT of a worker, the first of whose devices is a replica; given several times, the "
      "workers train together");
}

namespace {

distribute::Strategy strategy_of_workers(const ReplicaOptions& options) {
  if (options.num_replicas > 1 || options.num_shards > 0 || options.processes)
    throw CLI::ValidationError("--worker", "each worker is one replica: leave the other options out");
  std::vector<std::string> devices;
  for (const std::string& address : options.workers)
    devices.push_back(distribute::connect_to_host(address).at(0));
  return distribute::MirroredStrategy({.devices = std::move(devices)});
}

}  // namespace

std::optional<distribute::Strategy> strategy_of(const ReplicaOptions& options,
                                                const MachineOptions& machine) {
  if (!options.workers.empty()) return strategy_of_workers(options);
  if (options.num_replicas == 1 && options.num_shards == 0 && !options.processes) return std::nullopt;
  if (machine.device != "cpu")
    throw CLI::ValidationError("--replicas", "replicas are logical devices of the CPU");
  set_logical_devices({.cpu = options.num_replicas});
  if (options.processes)
    return distribute::MultiWorkerMirroredStrategy({.devices = {}, .shards = options.num_shards});
  return distribute::MirroredStrategy({.devices = {}, .shards = options.num_shards});
}

}  // namespace cornu::inline v0::cli
