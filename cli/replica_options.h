#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cornu/distribute/strategy/strategy.h"

/// Who takes part in a training: --replicas, --shards, --processes, --worker.
namespace cornu::inline v0::cli {

struct ReplicaOptions {
  int num_replicas = 1;
  std::int64_t num_shards = 0;
  bool processes = false;
  std::vector<std::string> workers;
};

void add_replica_options(CLI::App& command, ReplicaOptions& options);

/// The strategy that they ask for; nothing without. Before anything else is done with devices.
/// Errors: CLI::ValidationError for another device than the CPU; those of connecting to the workers.
std::optional<distribute::Strategy> strategy_of(const ReplicaOptions& options, const MachineOptions& machine);

}  // namespace cornu::inline v0::cli
