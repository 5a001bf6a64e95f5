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
/// Threads: several may run at once on one model: what they share is looked up under the lock, each has
///          buffers of its own. A step that changes something, or runs op by op, holds the lock until the run
///          ends; runs that its callbacks make on the same thread go in between.
class PredictRun {
 public:
  /// `examples` are some rows of the source. `num_steps` is the most steps that the run has; without it, it
  /// goes through the whole pass. The outputs go into `into` where it is not empty, and run() returns none.
  /// Lifetime: that of all it refers to.
  PredictRun(TrainerParts& parts, const ArrayData& examples, BatchSource& source,
             std::optional<std::int64_t> num_steps, std::span<const OutputMemory> into = {});

  /// Nothing where steps turned out to need batches without padding: the run is then made again with such
  /// batches.
  std::optional<std::vector<Tensor>> run(Model* model, const PredictOptions& options,
                                         runtime::Progress& progress);

 private:
  /// The step for batches of one size, with the variables it runs on.
  struct Step {
    std::shared_ptr<StepRunner> runner;
    detail::VersionLease weights;  // one version of them for the whole run; none before its first batch
    bool has_weights = false;
    const ProgramStep* program() const { return runner->compiled(); }
  };
  /// The step for such batches of rows like `rows`. Null as StepPrograms::get. Under the lock.
  std::optional<Step> make_step(std::int64_t batch_size, const ArrayData& rows);
  bool make_steps();
  /// The next batches that go into one execution: a partial one alone.
  Batches next(std::int64_t max_steps);
  /// The step for such batches.
  Step& step_for(const Batches& batches);
  /// The same for batches of a source whose shapes differ.
  Step& step_for_shape(const Batches& batches);
  /// Keeps what an execution gave. Errors: InvalidArgument where it cannot be joined with what the first
  /// gave.
  void add_piece(Tensors piece, std::int64_t num_rows);
  /// Errors: InvalidArgument where what the last batch gives does not go behind the others (Predictions).
  void check_tail() const;
  /// Waits until the step can run the batches.
  void make_ready(TunedExecutions& executions, Step& step, const Batches& batches);
  /// Takes the weights' values for a program, those that the run began with.
  void take_weights(Step& step);
  std::int64_t execute(Step& step, const Batches& batches, runtime::Progress& progress);
  std::int64_t run_program(Step& step, const Batches& batches, runtime::Progress& progress,
                           std::span<std::byte* const> outputs);
  void check_fault(const Step& step, const Batches& batches) const;
  void run_steps(callbacks::CallbackList& callbacks, ExecutionTuner& tuner, runtime::Progress& progress);

  TrainerParts& parts_;
  const ArrayData& examples_;
  BatchSource& source_;
  std::optional<std::int64_t> num_steps_;  // nothing: only the source's end tells
  std::span<const OutputMemory> into_;
  std::unique_lock<std::recursive_mutex> lock_;
  std::optional<Step> first_;  // what the run began with: the weights of all others are its
  std::optional<Step> full_;
  std::optional<Step> partial_;
  std::optional<Predictions> predictions_;  // where the number of rows is known
  std::vector<Tensors> pieces_;             // of executions, where it is not, and of steps that run op by op
  std::vector<std::int64_t> rows_of_pieces_;
  std::int64_t step_ = 0;
};

}  // namespace cornu::inline v0::keras
