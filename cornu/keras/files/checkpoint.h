#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/keras/base/state.h"
#include "cornu/keras/metrics/metric.h"
#include "cornu/keras/models/model.h"
#include "cornu/keras/optimizers/optimizer.h"

namespace cornu::inline v0::keras {

/// What a training loop of one's own keeps in a file, by names of its own:
///
///     std::int64_t step = 0;
///     Checkpoint checkpoint;
///     checkpoint.add("model", model).add("optimizer", optimizer).add("step", step);
///     checkpoint.save("run.state");
///
/// Layers and models are kept with the states and seeds of their random numbers, so a loop that goes on draws
/// what it would have drawn. A layer must be built before it is saved or restored. An optimizer that is not
/// built yet is built by restore() for the trainable variables of the checkpoint's layer, where there is one
/// layer; where there are several, build() must come first.
/// Lifetime: what is added by reference lives as long as the checkpoint; handles are held.
class Checkpoint {
 public:
  /// Errors: InvalidArgument for a name that is taken or empty, and for an undefined handle.
  Checkpoint& add(const StringArgument& name, const LayerHandle& layer);
  Checkpoint& add(const StringArgument& name, const OptimizerHandle& optimizer);
  Checkpoint& add(const StringArgument& name, const MetricHandle& metric);
  Checkpoint& add(const StringArgument& name, const Variable& variable);
  /// A number or truth value of the host.
  template <typename T>
    requires std::is_arithmetic_v<T>
  Checkpoint& add(const StringArgument& name, T& value) {
    return add_state(name, [&value] { return StateList{state_of("value", value)}; });
  }
  /// Anything else that has a list of state; it is asked each time.
  Checkpoint& add_state(const StringArgument& name, std::function<StateList()> state);

  StateValues values() const;
  /// The file is there whole or not at all. Errors: those of save_training_state.
  void save(const StringArgument& path) const;
  /// All of it, or nothing and an error.
  /// Errors: those of load_training_state; FailedPrecondition for an optimizer that is not built and that the
  ///         checkpoint cannot build; InvalidArgument for a checkpoint of something else, with what is
  ///         missing, left over or of another shape.
  void restore(const StringArgument& path) const;

 private:
  struct Part {
    std::string name;
    std::function<StateList()> state;
    LayerHandle layer = {};          // undefined: the part is no layer
    OptimizerHandle optimizer = {};  // undefined: the part is no optimizer
  };
  Checkpoint& add_part(Part part);
  StateList list() const;
  std::vector<OptimizerHandle> build_optimizers(const StateValues& values, const std::string& path) const;

  std::vector<Part> parts_;
};

struct CheckpointManagerOptions {  // options/models.toml
  /// Folder of the checkpoints; required.
  std::string directory;
  /// Number of newest checkpoints that are kept; must be positive.
  std::int64_t max_to_keep = 5;
  /// Beginning of the files' names.
  std::string checkpoint_name = "ckpt";
};

/// Numbered checkpoints in a folder, of which the newest are kept:
///
///     CheckpointManager manager(checkpoint, {.directory = "run1", .max_to_keep = 3});
///     manager.restore_or_initialize();
///     while (step < 10'000) {
///       train_step();
///       if (++step % 100 == 0) manager.save(step);
///     }
///
/// The folder alone says what there is: it may be killed at any moment, and two processes that write
/// there leave whole files.
/// Errors: InvalidArgument when max_to_keep is not positive or the folder's path is empty.
class CheckpointManager {
 public:
  CheckpointManager(Checkpoint checkpoint, CheckpointManagerOptions options);

  /// Writes "ckpt-NUMBER.state", without a number the next one, and returns the path. Removes what is too
  /// many, never the one just written: larger numbers, of a run that was given up, then the oldest.
  std::string save(std::optional<std::int64_t> number = {});
  /// The paths, oldest first.
  std::vector<std::string> checkpoints() const;
  /// The newest; nothing when there is none.
  std::optional<std::string> latest_checkpoint() const;
  /// Restores the newest one that is not damaged and returns its path; nothing when there is none: then all
  /// stays as it is. A warning names a damaged one.
  std::optional<std::string> restore_or_initialize() const;

 private:
  std::vector<std::pair<std::int64_t, std::string>> numbered() const;

  Checkpoint checkpoint_;
  CheckpointManagerOptions options_;
};

}  // namespace cornu::inline v0::keras
