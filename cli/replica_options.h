#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>

#include "cli/commands.h"
#include "cornu/distribute/strategy/strategy.h"

/// Who takes part in a training: --replicas, --shards, --processes.
namespace cornu::inline v0::cli {

struct ReplicaOptions {
  int num_replicas = 1;
  std::int64_t num_shards = 0;
  bool processes = false;
};

void add_replica_options(CLI::App& command, ReplicaOptions& options);

/// The strategy that they ask for; nothing without. Before anything else is done with devices.
/// Errors: CLI::ValidationError for another device than the CPU.
std::optional<distribute::Strategy> strategy_of(const ReplicaOptions& options, const MachineOptions& machine);

}  // namespace cornu::inline v0::cli
