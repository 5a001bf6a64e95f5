#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "cornu/keras/callbacks/callback_list.h"
#include "cornu/keras/trainer/batch_source.h"
#include "cornu/keras/trainer/predictions.h"
#include "cornu/keras/trainer/trainer_parts.h"
#include "cornu/keras/trainer/tuned_executions.h"

namespace cornu::inline v0::keras {

class Model;

/// Predicts for the rows of a source.
/// Threads: several runs may predict on one model at once: they look up shared objects under the lock and
///          have their own buffers. A step that changes variables, or runs op by op, holds the lock until the
///          run ends; runs that its callbacks start on the same thread may still enter.
class PredictRun {
 public:
  /// `examples` are some rows of the source. `num_steps` is the most steps of the run; without it, the run
  /// takes the whole pass. If `into` is not empty, outputs are written there and run() returns none.
  /// Lifetime: all that it refers to must outlive it.
  PredictRun(TrainerParts& parts, const ArrayData& examples, BatchSource& source,
             std::optional<std::int64_t> num_steps, std::span<const OutputMemory> into = {});

  /// Returns nullopt if the step turns out to need batches without padding; the caller then repeats the run
  /// with such batches.
  std::optional<std::vector<Tensor>> run(Model* model, const PredictOptions& options,
                                         runtime::Progress& progress);

 private:
  /// The step for batches of one size, with the variables that it reads.
  struct Step {
    std::shared_ptr<StepRunner> runner;
    detail::VersionLease weights;  // one version for the whole run; empty before the first batch
    bool has_weights = false;
    const CompiledStep* program() const { return runner->compiled(); }
  };
  /// Finds or makes the step for such batches of rows like `rows`. Null where StepCache::get returns null.
  /// Call under the lock.
  std::optional<Step> make_step(std::int64_t batch_size, const ArrayData& rows);
  bool make_steps();
  /// The next batches of one execution; a partial batch is returned alone.
  Batches next(std::int64_t max_steps);
  /// The step for these batches.
  Step& step_for(const Batches& batches);
  /// The step for these batches, of a source whose shapes differ.
  Step& step_for_shape(const Batches& batches);
  /// Keeps the outputs of an execution. Errors: InvalidArgument if they cannot be joined with the first
  /// execution's.
  void add_piece(Tensors piece, std::int64_t num_rows);
  /// Errors: InvalidArgument if the outputs of the last batch cannot be joined with the others (Predictions).
  void check_tail() const;
  /// Waits until the step can run the batches.
  void make_ready(TunedExecutions& executions, Step& step, const Batches& batches);
  /// Takes the weights for a program in the version that the run began with.
  void take_weights(Step& step);
  std::int64_t execute(Step& step, const Batches& batches, runtime::Progress& progress);
  class DeviceStep;
  /// True if such an execution may be submitted before earlier ones are done: it writes its own rows of
  /// predictions_ and changes no variable, its step stays for the whole run, and its outputs, which take the
  /// device's memory until they are read, are not large.
  bool is_submittable(const Step& step, const Batches& batches) const;
  std::int64_t run_program(Step& step, const Batches& batches, runtime::Progress& progress,
                           std::span<std::byte* const> outputs);
  void check_fault(const Step& step, const Batches& batches) const;
  void run_steps(callbacks::CallbackList& callbacks, ExecutionTuner& tuner, runtime::Progress& progress);

  TrainerParts& parts_;
  const ArrayData& examples_;
  BatchSource& source_;
  std::optional<std::int64_t> num_steps_;  // nullopt: until the source ends
  std::span<const OutputMemory> into_;
  std::unique_lock<std::recursive_mutex> lock_;
  std::optional<Step> first_;  // the step of the run's beginning; all other steps use its weights
  std::optional<Step> full_;
  std::optional<Step> partial_;
  std::optional<Predictions> predictions_;  // set if the number of rows is known
  std::vector<Tensors> pieces_;             // used if the number of rows is not known, and by op-by-op steps
  std::vector<std::int64_t> rows_of_pieces_;
  std::int64_t step_ = 0;
};

}  // namespace cornu::inline v0::keras
