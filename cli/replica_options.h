#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cornu/distribute/strategy/strategy.h"

/// Options for the devices of a training: --replicas, --shards, --processes, --worker.
namespace cornu::inline v0::cli {

struct ReplicaOptions {
  int num_replicas = 1;
  std::int64_t num_shards = 0;
  bool processes = false;
  std::vector<std::string> workers;
};

void add_replica_options(CLI::App& command, ReplicaOptions& options);
/// Errors: CLI::ValidationError with `why` where one of the options was given.
void refuse_replica_options(const ReplicaOptions& options, const std::string& why);

/// The client that runs a training, and the strategy, if replicas were requested.
struct Participants {
  std::shared_ptr<runtime::Client> client;
  std::optional<distribute::Strategy> strategy;
};
/// Connects the device and makes it the default one; with --processes a plug-in's devices are connected for
/// all processes. Before anything else is done with devices.
/// Errors: CLI::ValidationError for replicas or workers where the device is another one than the CPU;
///         those of connecting to the workers.
Participants participants_of(const ReplicaOptions& options, const MachineOptions& machine);

/// The client whose clock times a training: that of a worker that trains alone, else the participants'.
std::shared_ptr<runtime::Client> timed_client(const ReplicaOptions& options,
                                              const Participants& participants);

}  // namespace cornu::inline v0::cli
