#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cornu/keras/callbacks/callback_list.h"
#include "cornu/keras/callbacks/history.h"
#include "cornu/keras/callbacks/logs.h"
#include "cornu/keras/trainer/array_data.h"
#include "cornu/keras/trainer/execution_tuner.h"
#include "cornu/keras/trainer/options.h"
#include "cornu/keras/trainer/program_step.h"
#include "cornu/keras/trainer/run_claims.h"

namespace cornu::inline v0::keras {

class Model;

/// Compiles a network into training, test and prediction programs and runs them over in-memory data. What Model's methods do.
///
/// One program each serves any number of rows, any remainder of a batch and any number of steps an execution; it is compiled on first use
/// and kept until compile() is called again.
/// Threads: predict may be called from many threads at once while nothing else runs; set_stop_training from any; the rest from one at a
///          time, which is checked (FailedPrecondition).
class Trainer {
 public:
  static constexpr const char* kHandleKind = "model";  // see Handle

  explicit Trainer(std::shared_ptr<Layer> network);

  void compile(const CompileOptions& options);
  bool compiled() const { return compiled_; }

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

  void set_stop_training(bool stop);
  bool stop_training() const { return stop_training_.load(std::memory_order_relaxed); }

  const std::shared_ptr<Optimizer>& optimizer() const { return parts_.optimizer; }
  /// The loss tracker, the compiled metrics, the trackers of several losses, the network's own; those of outputs once their shapes are
  /// known.
  std::vector<NamedMetric> metrics() const { return parts_.metrics; }
  void reset_metrics();
  /// Their results.
  Logs metrics_result();
  /// Programs compiled since this trainer was made, and the time that took.
  int num_compiles() const { return num_compiles_; }
  double compile_seconds() const { return compile_seconds_; }

 private:
  struct FitRun;

  /// One run of fit, evaluate or predict, from before it compiles. Only the outermost one clears requests to stop, and only it ends by
  /// set_stop_training; runs that callbacks start inside it end by Ctrl-C alone.
  class RunScope {
   public:
    explicit RunScope(Trainer& trainer);
    ~RunScope();
    RunScope(const RunScope&) = delete;
    RunScope& operator=(const RunScope&) = delete;
    runtime::Progress& progress() const { return progress_; }

   private:
    Trainer& trainer_;
    runtime::Progress& progress_;
    std::optional<OpByOpScope> op_by_op_;  // with run_eagerly
  };

  /// While it lives, what is built and compiled is given up again unless keep() is called: a refused call leaves no trace.
  class PrepareGuard {
   public:
    explicit PrepareGuard(Trainer& trainer);
    ~PrepareGuard();
    PrepareGuard(const PrepareGuard&) = delete;
    PrepareGuard& operator=(const PrepareGuard&) = delete;
    void keep() {
      kept_ = true;
      network_.keep();
    }

   private:
    Trainer& trainer_;
    BuildGuard network_;
    bool parts_made_;
    bool optimizer_built_;
    std::vector<std::shared_ptr<StepRunner>> runners_;
    bool kept_ = false;
  };

  RunClaims::Claim claim(RunClaims::Beside beside, const char* caller) { return {claims_, beside, caller, *network_}; }
  void forget_programs();
  void require_compiled(const char* caller) const;
  /// The arrays as the network takes them: named ones in its order, one of labels and weights for each output.
  ArrayData arranged(const Tensors& x, const Tensors& y, const Tensors& sample_weight, const char* caller) const;
  /// Builds the network, makes losses and metrics for its outputs, and checks the labels. Under a PrepareGuard.
  /// `labels_name` stands for y in messages.
  void prepare(ArrayData& data, const char* caller, const char* labels_name);
  void build_for_inputs(const ArrayData& data, const char* caller);
  void check_data(const ArrayData& data, const char* caller, const char* labels_name) const;
  /// Labels and weights one an output.
  void spread_over_outputs(ArrayData& data, const char* caller, const char* labels_name) const;
  void apply_class_weight(ArrayData& data, const ClassWeight& class_weight, const char* caller) const;
  /// What the network gives for such data; its steps are its own business when there is neither a loss nor a metric.
  const std::vector<TensorType>& outputs_for(const ArrayData& data);
  bool knows_outputs() const;
  /// Null only for a prediction that has just found out that it needs batches without padding.
  std::shared_ptr<StepRunner> runner(ProgramKind kind, std::int64_t batch_size, const ArrayData& data, const char* caller);
  std::shared_ptr<StepRunner> make_program(const ProgramKey& key, std::int64_t num_rows, const std::vector<LogSource>& known_logs,
                                           const std::shared_ptr<runtime::Client>& client);
  std::shared_ptr<StepRunner> find_runner(const ProgramKey& key);
  /// Begins to compile what these steps need beside it; returns the seconds that took here.
  double expect_steps(StepRunner& program, const BatchOrder& order, std::int64_t first, std::int64_t count);
  /// Waits until they can run; the seconds that took are of compiling.
  double make_steps_ready(StepRunner& program, const BatchOrder& order, std::int64_t first, std::int64_t count);
  /// The batch size of the program that serves these rows in one step: that of a known one for as many rows or a few more, else a new one.
  std::int64_t batch_program_size(ProgramKind kind, const ArrayData& data) const;
  Logs run_batch(ProgramKind kind, const Tensors& x, const Tensors& y, const Tensors& sample_weight, const ClassWeight& class_weight,
                 const char* caller);

  /// The flags that Ctrl-C sets.
  std::array<std::atomic<bool>*, 3> interrupt_flags() { return {&interrupted_, &progress_.stop, &inner_progress_.stop}; }
  void check_interrupted(const char* caller) const;

  callbacks::History fit_arrays(Model* model, ArrayData all, const FitOptions& options);
  std::uint64_t shuffle_position() const;
  void plan_epoch(FitRun& run, std::int64_t epoch);
  void train_epoch(FitRun& run, std::int64_t epoch);
  void validate(FitRun& run, Logs& logs);
  void check_fault(FitRun& run, std::int64_t epoch, std::int64_t first_step);
  /// Runs the test program over `order`, metrics from zero; returns their values.
  /// `caller` stands in errors.
  Logs run_test(StepRunner& test, const ArrayData& data, BatchOrder& order, std::int64_t num_steps, callbacks::CallbackList& callbacks,
                runtime::Progress& progress, const char* caller);
  /// The rows of a step of predict.
  std::int64_t predict_step_rows(std::int64_t batch_size, std::int64_t num_rows) const;
  /// Null as runner().
  std::shared_ptr<StepRunner> prepare_predict_rows(const ArrayData& data, std::int64_t batch_size);
  /// Nothing where steps turned out to need batches without padding: to be called again with such.
  std::optional<Tensors> predict_rows(Model* model, const ArrayData& data, BatchOrder& order, std::int64_t num_rows,
                                      const PredictOptions& options, runtime::Progress& progress);

  std::shared_ptr<Layer> network_;
  RunClaims claims_;
  bool compiled_ = false;
  CompileOptions options_;
  ModelParts parts_;
  bool parts_made_ = false;
  std::vector<std::pair<std::vector<TensorType>, std::vector<TensorType>>> known_outputs_;  // by inputs
  std::string exact_because_;  // why padding cannot be left out of steps; empty: it can, or nobody knows yet
  std::string predict_exact_because_;
  std::atomic<bool> predicts_exactly_{false};  // the same is known of predictions
  std::uint64_t seed_ = 0;
  ExecutionTuner train_tuner_{1};
  ExecutionTuner test_tuner_{1};
  ExecutionTuner predict_tuner_{1};
  std::vector<std::shared_ptr<StepRunner>> runners_;  // the last used at the end; a run holds those that it uses
  std::int64_t steps_trained_ = 0;                    // since compile()
  int num_compiles_ = 0;
  int num_from_cache_ = 0;
  double compile_seconds_ = 0;
  std::atomic<bool> stop_training_{false};
  std::atomic<bool> interrupted_{false};  // the run that goes on, by Ctrl-C
  std::atomic<int> num_running_{0};
  std::mutex predict_mutex_;          // guards what threads that predict share: the programs and the tuner
  runtime::Progress progress_;        // of the outermost run; set_stop_training stops it
  runtime::Progress inner_progress_;  // of validation in fit and of runs that callbacks start
};

}  // namespace cornu::inline v0::keras
