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

/// The state of a custom training loop, saved to a file under names that the caller chooses:
///
///     std::int64_t step = 0;
///     Checkpoint checkpoint;
///     checkpoint.add("model", model).add("optimizer", optimizer).add("step", step);
///     checkpoint.save("run.state");
///
/// Layers and models are saved with the states and seeds of their random numbers, so that a resumed loop
/// draws the same numbers. A layer must be built before it is saved or restored. restore() builds an
/// optimizer that is not built yet for the trainable variables of the checkpoint's layer, if there is one
/// layer; if there are several, call build() first.
/// Lifetime: objects added by reference must outlive the checkpoint; handles are kept.
class Checkpoint {
 public:
  /// Errors: InvalidArgument for a name that is used already or empty, and for an undefined handle.
  Checkpoint& add(const StringArgument& name, const LayerHandle& layer);
  Checkpoint& add(const StringArgument& name, const OptimizerHandle& optimizer);
  Checkpoint& add(const StringArgument& name, const MetricHandle& metric);
  Checkpoint& add(const StringArgument& name, const Variable& variable);
  /// Adds a number or boolean of the host.
  template <typename T>
    requires std::is_arithmetic_v<T>
  Checkpoint& add(const StringArgument& name, T& value) {
    return add_state(name, [&value] { return StateList{state_of("value", value)}; });
  }
  /// Adds any other state; `state` is called each time.
  Checkpoint& add_state(const StringArgument& name, std::function<StateList()> state);

  /// In several processes the first one has the values; see save.
  StateValues values() const;
  /// Writes the file atomically. In several processes the first one writes, and all call save together if
  /// tables are sharded over them. Errors: those of save_training_state.
  void save(const StringArgument& path) const;
  /// Restores everything, or nothing and throws.
  /// Errors: those of load_training_state; FailedPrecondition for an optimizer that is not built and that the
  ///         checkpoint cannot build; InvalidArgument for a checkpoint of other objects, listing what is
  ///         missing, left over or of another shape.
  void restore(const StringArgument& path) const;

 private:
  struct Part {
    std::string name;
    std::function<StateList()> state;
    LayerHandle layer = {};          // undefined if the part is not a layer
    OptimizerHandle optimizer = {};  // undefined if the part is not an optimizer
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

/// Numbered checkpoints in a folder; only the newest are kept:
///
///     CheckpointManager manager(checkpoint, {.directory = "run1", .max_to_keep = 3});
///     manager.restore_or_initialize();
///     while (step < 10'000) {
///       train_step();
///       if (++step % 100 == 0) manager.save(step);
///     }
///
/// It keeps no index beside the files: the process may be killed at any moment, and two processes that write
/// to the folder leave complete files.
/// Errors: InvalidArgument if max_to_keep is not positive or the folder's path is empty.
class CheckpointManager {
 public:
  CheckpointManager(Checkpoint checkpoint, CheckpointManagerOptions options);

  /// Writes "ckpt-NUMBER.state", by default with the next number, and returns the path. Removes excess
  /// checkpoints, never the one just written: first larger numbers, of an abandoned run, then the oldest.
  std::string save(std::optional<std::int64_t> number = {});
  /// The paths, oldest first.
  std::vector<std::string> checkpoints() const;
  /// The newest path; nullopt if there is none.
  std::optional<std::string> latest_checkpoint() const;
  /// Restores the newest checkpoint that is not damaged and returns its path; nullopt, with nothing changed,
  /// if there is none. A warning names damaged ones.
  std::optional<std::string> restore_or_initialize() const;

 private:
  std::vector<std::pair<std::int64_t, std::string>> numbered() const;

  Checkpoint checkpoint_;
  CheckpointManagerOptions options_;
};

}  // namespace cornu::inline v0::keras
