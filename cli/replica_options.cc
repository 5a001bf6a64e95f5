#include "cli/replica_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cornu/distribute/connect.h"
#include "cornu/tensor/device.h"
#include "cornu/tensor/value/device.h"

namespace cornu::inline v0::cli {

void add_replica_options(CLI::App& command, ReplicaOptions& options) {
  command.add_option("--replicas", options.num_replicas, "Replicas that share a batch, on logical CPUs")
      ->check(whole_number_between(1, 256))
      ->capture_default_str();
  command.add_option("--shards", options.num_shards, "Parts of a batch; 0: one for each replica")
      ->check(whole_number_between(0, 4096))
      ->capture_default_str();
  command.add_flag("--processes", options.processes,
                   "Train in all processes that mpirun has started; the first one reports");
  command
      .add_option("--worker", options.workers,
                  "A worker whose first device is a replica; given several times, the workers train together")
      ->type_name("HOST:PORT")
      ->allow_extra_args(false);
}

void refuse_replica_options(const ReplicaOptions& options, const std::string& why) {
  const std::pair<const char*, bool> all[] = {{"--replicas", options.num_replicas != 1},
                                              {"--shards", options.num_shards != 0},
                                              {"--processes", options.processes},
                                              {"--worker", !options.workers.empty()}};
  for (const auto& [name, is_given] : all)
    if (is_given) throw CLI::ValidationError(name, why);
}

namespace {

/// Refuses options that do not go together, before anything is connected.
void check_device(const ReplicaOptions& options, const MachineOptions& machine) {
  if (!options.workers.empty()) {
    const char* const not_taken = machine.device != "cpu" ? "--device"
                                  : machine.threads > 0   ? "--threads"
                                  : !machine.isa.empty()  ? "--isa"
                                                          : nullptr;
    if (not_taken != nullptr)
      throw CLI::ValidationError("--worker",
                                 fmt::format("the workers' devices train: leave {} out", not_taken));
  }
  if (machine.device == "cpu") return;
  refuse_replica_options(options, options.processes ? "processes train on the CPU or on a pjrt device"
                                                    : "replicas are logical devices of the CPU");
}

distribute::Strategy strategy_of_workers(const ReplicaOptions& options) {
  for (const std::string& address : options.workers)
    if (!address.empty() && address.find(':') == std::string::npos)
      throw CLI::ValidationError("--worker", "takes HOST:PORT, as in 10.0.0.2:8470; got " + address);
  if (options.num_replicas > 1 || options.num_shards > 0 || options.processes)
    throw CLI::ValidationError("--worker", "each worker is one replica: leave the other options out");
  for (auto at = options.workers.begin(); at != options.workers.end(); ++at)
    if (std::find(options.workers.begin(), at, *at) != at)
      throw CLI::ValidationError("--worker", *at + " is given twice: a worker is one replica");
  std::vector<std::string> devices;
  devices.reserve(options.workers.size());
  for (const std::string& address : options.workers)
    devices.push_back(distribute::connect_to_host(address).at(0));
  return distribute::MirroredStrategy({.devices = std::move(devices)});
}

std::optional<distribute::Strategy> strategy_of(const ReplicaOptions& options) {
  if (!options.workers.empty()) return strategy_of_workers(options);
  if (options.num_replicas == 1 && options.num_shards == 0 && !options.processes) return std::nullopt;
  set_logical_devices({.cpu = options.num_replicas});
  if (options.processes)
    return distribute::MultiWorkerMirroredStrategy({.devices = {}, .shards = options.num_shards});
  return distribute::MirroredStrategy({.devices = {}, .shards = options.num_shards});
}

/// Each process with a device of its own. The strategy makes the client.
Participants processes_on(const ReplicaOptions& options, const MachineOptions& machine) {
  if (options.num_replicas > 1 || !options.workers.empty())
    throw CLI::ValidationError("--processes", "each process has one device: leave the other options out");
  const distribute::MultiWorkerMirroredStrategy strategy(
      {.devices = {machine.device}, .shards = options.num_shards});
  const DeviceScope scope(strategy.devices()[0]);
  Participants made{.client = current_placement().client(), .strategy = strategy};
  set_default_client(made.client);
  return made;
}

}  // namespace

Participants participants_of(const ReplicaOptions& options, const MachineOptions& machine) {
  if (options.processes && machine.device.starts_with("pjrt:")) return processes_on(options, machine);
  check_device(options, machine);
  std::shared_ptr<runtime::Client> client = use_device(machine);
  return {.client = std::move(client), .strategy = strategy_of(options)};
}

std::shared_ptr<runtime::Client> timed_client(const ReplicaOptions& options,
                                              const Participants& participants) {
  if (options.workers.size() != 1) return participants.client;
  const DeviceScope scope(participants.strategy->devices()[0]);
  return current_placement().client();
}

}  // namespace cornu::inline v0::cli
