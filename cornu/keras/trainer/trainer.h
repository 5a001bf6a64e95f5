#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "cornu/keras/callbacks/history.h"
#include "cornu/keras/callbacks/logs.h"
#include "cornu/keras/trainer/options.h"
#include "cornu/keras/trainer/output_memory.h"
#include "cornu/keras/trainer/reentrancy_guard.h"
#include "cornu/keras/trainer/trainer_parts.h"

namespace cornu::inline v0::data {
class Dataset;
}

namespace cornu::inline v0::keras {

class BatchSource;
class FitRun;
class Model;

/// The implementation of Model's methods: compiles a network's training, test and prediction steps and runs
/// them over data.
///
/// It checks which thread may use the model (ReentrancyGuard), prepares network and data (DataAdapter), gets the
/// steps' programs (StepCache), and delegates to a FitRun, an EvaluationRun or a PredictRun.
/// Threads: predict may be called from many threads at once while nothing else runs; set_stop_training from
///          any thread; the rest from one thread at a time, which is checked (FailedPrecondition).
class Trainer {
 public:
  static constexpr const char* kHandleKind = "model";  // see Handle

  /// Trains a network by its own steps, and any other layer by Keras's. Errors: FailedPrecondition for null.
  explicit Trainer(const std::shared_ptr<Layer>& layer);

  Network& network() const { return parts_.network(); }

  void compile(const CompileOptions& options);
  bool compiled() const { return parts_.data_adapter.compiled(); }

  callbacks::History fit(Model* model, const Tensors& x, const Tensors& y, const FitOptions& options);
  Logs evaluate(Model* model, const Tensors& x, const Tensors& y, const EvaluateOptions& options);
  Tensors predict(Model* model, const Tensors& x, const PredictOptions& options);
  void predict_into(Model* model, const Tensors& x, std::span<const OutputMemory> outputs,
                    const PredictOptions& options);

  // The same functions for the batches of a source.
  callbacks::History fit(Model* model, BatchSource& source, const FitOptions& options);
  Logs evaluate(Model* model, BatchSource& source, const EvaluateOptions& options);
  Tensors predict(Model* model, BatchSource& source, const PredictOptions& options);

  // The same functions for the elements of a data set.
  callbacks::History fit(Model* model, const data::Dataset& dataset, const FitOptions& options);
  Logs evaluate(Model* model, const data::Dataset& dataset, const EvaluateOptions& options);
  Tensors predict(Model* model, const data::Dataset& dataset, const PredictOptions& options);

  Logs train_on_batch(const Tensors& x, const Tensors& y, const TrainOnBatchOptions& options);
  Logs test_on_batch(const Tensors& x, const Tensors& y, const TestOnBatchOptions& options);
  Tensors predict_on_batch(const Tensors& x);

  /// Traces and compiles the training program for such data, without running it.
  std::shared_ptr<const StepRunner> prepare_train(const Tensors& x, const Tensors& y,
                                                  const FitOptions& options);
  /// Traces and compiles the prediction program for such data, without running it.
  std::shared_ptr<StepRunner> prepare_predict(const Tensors& x, const PredictOptions& options);

  /// Runs `change`, which changes the network's layers, and discards compiled programs.
  /// Errors: FailedPrecondition during a run: its callbacks must not change the layers.
  void change_layers(const char* caller, const std::function<void()>& change);

  void set_stop_training(bool stop) { parts_.run_state.set_stop_training(stop); }
  bool stop_training() const { return parts_.run_state.stop_training(); }

  /// The options that compile() was given.
  const CompileOptions& compile_options() const { return parts_.data_adapter.options(); }
  const std::shared_ptr<Optimizer>& optimizer() const { return parts_.data_adapter.parts().optimizer; }
  /// The loss tracker, the compiled metrics, the trackers of several losses, and the network's own metrics.
  /// The metrics of outputs exist once the outputs' shapes are known.
  std::vector<NamedMetric> metrics() const { return parts_.data_adapter.parts().metrics; }
  void reset_metrics();
  /// The results of these metrics.
  Logs metrics_result();
  /// See Model::training_state.
  StateValues training_state();
  /// The number of programs compiled since this trainer was made, and the time spent.
  int num_compiles() const { return parts_.programs.num_compiles(); }
  double compile_seconds() const { return parts_.programs.compile_seconds(); }

 private:
  /// The claim of a call, and the strategy's scope in which the model was made.
  struct Entry {
    ReentrancyGuard::Claim claim;
    detail::ReplicaSetScope scope;
  };
  Entry claim(ReentrancyGuard::Beside beside, const char* caller) {
    return {{claims_, beside, caller, network()}, detail::ReplicaSetScope(parts_.programs.replicas())};
  }
  callbacks::History fit_arrays(Model* model, ArrayData all, const FitOptions& options);
  callbacks::History fit_source(Model* model, BatchSource& source, const FitOptions& options);
  /// Gets or makes the programs for such rows and runs them, under a DataAdapter::Guard.
  struct FitRows {
    BatchSource& source;
    const ArrayData& examples;
    BatchSource* validation_source;  // null: none
    const ArrayData& validation_examples;
  };
  /// The state of a fit before its run begins; a request to stop then leaves no trace.
  struct FitStart {
    PrepareGuard guard;
    std::optional<RunState::StopsCompiling> stops_compiling;
    bool has_begun = false;
  };
  callbacks::History run_fit(Model* model, const FitOptions& options, const FitRows& rows, FitStart& start);
  /// Runs `run` in a RunState::Scope for fit; a request to stop before `start.has_begun` ends it without an
  /// error.
  callbacks::History stoppable_fit(const FitOptions& options,
                                   const std::function<callbacks::History(FitStart& start)>& run);
  void keep_stopped_state(StateValues state);
  Logs evaluate_arrays(Model* model, ArrayData data, const EvaluateOptions& options);
  Logs run_test(Model* model, BatchSource& source, std::shared_ptr<StepRunner> test,
                std::optional<std::int64_t> num_steps, const EvaluateOptions& options,
                runtime::Progress& progress);
  /// If `into` is empty, allocates and returns the outputs.
  Tensors predict_arrays(Model* model, const ArrayData& data, const PredictOptions& options,
                         std::span<const OutputMemory> into = {});
  Logs run_batch(ProgramKind kind, const Tensors& x, const Tensors& y, const Tensors& sample_weight,
                 const ClassWeight& class_weight, const char* caller);

  ReentrancyGuard claims_;
  TrainerParts parts_;
  FitRun* fit_run_ = nullptr;  // the active one, or null
  /// The state at which the last fit was stopped, and the number of writes of each variable when it returned;
  /// empty if its training was complete, and once the model trains again or changes otherwise.
  StateValues stopped_state_;
  std::map<Variable::Id, std::uint64_t> writes_before_;
  std::map<Variable::Id, std::uint64_t> claims_before_;  // of weights and the optimizer's variables
};

}  // namespace cornu::inline v0::keras
