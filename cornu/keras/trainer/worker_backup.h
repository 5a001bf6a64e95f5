#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cornu/keras/base/state.h"
#include "cornu/tensor/value/placement.h"

namespace cornu::inline v0::keras {

/// The variables of a run in files on the side of the worker that they are on. Two files take turns, so that
/// the one that the last take() wrote is there whatever happens to the next.
/// Threads: one thread.
class WorkerBackup {
 public:
  /// Errors: InvalidArgument for replicas, which one worker's file does not hold.
  WorkerBackup(std::string path, Placement placement);

  /// Saves the variables among the entries, and `others`; returns the values of the other entries.
  /// Errors: as DistantClient::save.
  StateValues take(const StateList& list, const std::vector<Variable>& others);
  /// Gives the variables the values of the last take(). Errors: as DistantClient::load.
  void load() const;

 private:
  std::string path_of(std::uint64_t number) const;

  std::string path_;
  Placement placement_;
  std::uint64_t mark_;
  std::uint64_t num_taken_ = 0;
  std::vector<std::pair<std::string, Variable>> saved_;
};

}  // namespace cornu::inline v0::keras
