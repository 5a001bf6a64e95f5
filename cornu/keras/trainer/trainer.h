#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cornu/keras/callbacks/callback_list.h"
#include "cornu/keras/callbacks/history.h"
#include "cornu/keras/callbacks/logs.h"
#include "cornu/keras/trainer/array_data.h"
#include "cornu/keras/trainer/execution_tuner.h"
#include "cornu/keras/trainer/options.h"
#include "cornu/keras/trainer/step_program.h"

namespace cornu::keras {

class Model;

/// Compiles a network into training, test and prediction programs and runs them over in-memory data. What Model's methods do.
///
/// One program each serves any number of rows, any remainder of a batch and any number of steps an execution; it is compiled on first use
/// and kept until compile() is called again.
/// Threads: one thread; set_stop_training may be called from any.
class Trainer {
 public:
  explicit Trainer(std::shared_ptr<Layer> network);

  void compile(const CompileOptions& options);
  bool compiled() const { return compiled_; }

  callbacks::History fit(Model* model, const Tensor& x, const Tensor& y, const FitOptions& options);
  Logs evaluate(Model* model, const Tensor& x, const Tensor& y, const EvaluateOptions& options);
  Tensor predict(Model* model, const Tensor& x, const PredictOptions& options);

  /// Traces and compiles the training program for such data, without running it.
  std::shared_ptr<const StepRunner> prepare_train(const Tensor& x, const Tensor& y, const FitOptions& options);
  /// The same for the prediction program.
  std::shared_ptr<StepRunner> prepare_predict(const Tensor& x, const PredictOptions& options);

  /// The network's layers have changed: compiled programs are of no use any more.
  void forget_programs();
  /// Throws FailedPrecondition while a run goes on: its callbacks must not change what it works with.
  void require_idle(const char* caller) const;

  void set_stop_training(bool stop);
  bool stop_training() const { return stop_training_.load(std::memory_order_relaxed); }

  const std::shared_ptr<Optimizer>& optimizer() const { return parts_.optimizer; }
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
    ~RunScope() { --trainer_.num_running_; }
    RunScope(const RunScope&) = delete;
    RunScope& operator=(const RunScope&) = delete;
    runtime::Progress& progress() const { return progress_; }

   private:
    Trainer& trainer_;
    runtime::Progress& progress_;
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
    bool metrics_made_;
    bool optimizer_built_;
    std::vector<std::shared_ptr<StepRunner>> runners_;
    bool kept_ = false;
  };

  void require_compiled(const char* caller) const;
  /// Builds the network and the metrics and checks the labels. Under a PrepareGuard.
  void prepare(const ArrayData& data, const char* caller, const char* labels_name);
  std::shared_ptr<StepRunner> runner(ProgramKind kind, std::int64_t batch_size, const ArrayData& data, const char* caller);

  /// The flags that Ctrl-C sets.
  std::array<std::atomic<bool>*, 3> interrupt_flags() { return {&interrupted_, &progress_.stop, &inner_progress_.stop}; }
  void check_interrupted(const char* caller) const;
  void reset_metrics();
  void read_metrics(Logs& logs) const;
  static void read_metrics_of(void* trainer, Logs& logs);

  callbacks::History fit_arrays(Model* model, const ArrayData& all, const FitOptions& options);
  void plan_epoch(FitRun& run, std::int64_t epoch);
  void train_epoch(FitRun& run, std::int64_t epoch);
  void validate(FitRun& run, Logs& logs);
  void check_fault(FitRun& run, std::int64_t epoch, std::int64_t first_step);
  /// Runs the test program over `order`, metrics from zero; returns their values.
  Logs run_test(StepRunner& test, const ArrayData& data, const BatchOrder& order, std::int64_t num_steps,
                callbacks::CallbackList& callbacks, runtime::Progress& progress);
  Tensor predict_rows(Model* model, StepRunner& program, const ArrayData& data, const BatchOrder& order, std::int64_t num_rows,
                      const PredictOptions& options, runtime::Progress& progress);

  std::shared_ptr<Layer> network_;
  bool compiled_ = false;
  ModelParts parts_;
  std::vector<MetricSpec> metric_specs_;
  bool metrics_made_ = false;
  std::uint64_t seed_ = 0;
  ExecutionTuner train_tuner_{1};
  ExecutionTuner test_tuner_{1};
  ExecutionTuner predict_tuner_{1};
  std::vector<std::shared_ptr<StepRunner>> runners_;  // the last used at the end; a run holds those that it uses
  int num_compiles_ = 0;
  double compile_seconds_ = 0;
  std::atomic<bool> stop_training_{false};
  std::atomic<bool> interrupted_{false};  // by Ctrl-C
  int num_running_ = 0;
  runtime::Progress progress_;        // of the outermost run; set_stop_training stops it
  runtime::Progress inner_progress_;  // of validation in fit and of runs that callbacks start
};

}  // namespace cornu::keras
