#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "cornu/keras/callbacks/history.h"
#include "cornu/keras/callbacks/logs.h"
#include "cornu/keras/trainer/options.h"
#include "cornu/keras/trainer/run_claims.h"
#include "cornu/keras/trainer/trainer_parts.h"

namespace cornu::inline v0::keras {

class Model;

/// What Model's methods do: compiles a network's training, test and prediction steps and runs them over data.
///
/// It says who may work with the model when, gets network and data ready (Preparation), takes the steps' programs (StepPrograms), and
/// leaves the work to a FitRun, a TestRun or a PredictRun.
/// Threads: predict may be called from many threads at once while nothing else runs; set_stop_training from any; the rest from one at a
///          time, which is checked (FailedPrecondition).
class Trainer {
 public:
  static constexpr const char* kHandleKind = "model";  // see Handle

  /// Of a network, or of any other layer, which Keras's steps then train. Errors: FailedPrecondition for null.
  explicit Trainer(const std::shared_ptr<Layer>& layer);

  Network& network() const { return parts_.network(); }

  void compile(const CompileOptions& options);
  bool compiled() const { return parts_.preparation.compiled(); }

  callbacks::History fit(Model* model, const Tensors& x, const Tensors& y, const FitOptions& options);
  Logs evaluate(Model* model, const Tensors& x, const Tensors& y, const EvaluateOptions& options);
  Tensors predict(Model* model, const Tensors& x, const PredictOptions& options);

  Logs train_on_batch(const Tensors& x, const Tensors& y, const TrainOnBatchOptions& options);
  Logs test_on_batch(const Tensors& x, const Tensors& y, const TestOnBatchOptions& options);
  Tensors predict_on_batch(const Tensors& x);

  /// Traces and compiles the training program for such data, without running it.
  std::shared_ptr<const StepRunner> prepare_train(const Tensors& x, const Tensors& y, const FitOptions& options);
  /// The same for the prediction program.
  std::shared_ptr<StepRunner> prepare_predict(const Tensors& x, const PredictOptions& options);

  /// Runs `change`, which changes the network's layers: compiled programs are of no use any more.
  /// Errors: FailedPrecondition while a run goes on: its callbacks must not change what it works with.
  void change_layers(const char* caller, const std::function<void()>& change);

  void set_stop_training(bool stop) { parts_.run_state.set_stop_training(stop); }
  bool stop_training() const { return parts_.run_state.stop_training(); }

  const std::shared_ptr<Optimizer>& optimizer() const { return parts_.preparation.parts().optimizer; }
  /// The loss tracker, the compiled metrics, the trackers of several losses, the network's own; those of outputs once their shapes are
  /// known.
  std::vector<NamedMetric> metrics() const { return parts_.preparation.parts().metrics; }
  void reset_metrics();
  /// Their results.
  Logs metrics_result();
  /// Programs compiled since this trainer was made, and the time that took.
  int num_compiles() const { return parts_.programs.num_compiles(); }
  double compile_seconds() const { return parts_.programs.compile_seconds(); }

 private:
  RunClaims::Claim claim(RunClaims::Beside beside, const char* caller) { return {claims_, beside, caller, network()}; }
  callbacks::History fit_arrays(Model* model, ArrayData all, const FitOptions& options);
  Logs evaluate_arrays(Model* model, ArrayData data, const EvaluateOptions& options);
  Tensors predict_arrays(Model* model, const ArrayData& data, const PredictOptions& options);
  Logs run_batch(ProgramKind kind, const Tensors& x, const Tensors& y, const Tensors& sample_weight, const ClassWeight& class_weight,
                 const char* caller);

  RunClaims claims_;
  TrainerParts parts_;
};

}  // namespace cornu::inline v0::keras
