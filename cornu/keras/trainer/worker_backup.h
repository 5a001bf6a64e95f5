#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cornu/keras/base/state.h"
#include "cornu/tensor/value/placement.h"

namespace cornu::inline v0::keras {

/// The variables of a run in files on the side of their worker. Two files take turns, so that the file of the
/// last complete take() survives a failure of the next.
/// Threads: one thread.
class WorkerBackup {
 public:
  /// Errors: InvalidArgument for replicas, which the file of one worker cannot hold.
  WorkerBackup(std::string path, Placement placement);

  /// Saves the variables among the entries, and `others`; returns the values of the other entries. Errors:
  /// those of DistantClient::save.
  StateValues take(const StateList& list, const std::vector<Variable>& others);
  /// Loads the variables' values of the last take(). Errors: those of DistantClient::load.
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
