#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/keras/base/state.h"
#include "cornu/keras/base/tensors.h"
#include "cornu/keras/callbacks/callback.h"
#include "cornu/keras/losses/loss.h"
#include "cornu/keras/metrics/metric.h"
#include "cornu/keras/optimizers/optimizer.h"
#include "cornu/keras/trainer/per_output.h"
#include "cornu/keras/trainer/stop_token.h"
#include "cornu/tensor/convolution_algorithm.h"
#include "cornu/tensor/product_precision.h"

namespace cornu::inline v0::data {
class Stage;
}

namespace cornu::inline v0::keras {

class BatchSource;

/// The number of steps in one execution of a compiled program; "auto" is tuned to the measured time.
/// Errors: InvalidArgument for a number below 1 and for other words.
class StepsPerExecution {
 public:
  StepsPerExecution(std::int64_t steps);
  StepsPerExecution(int steps) : StepsPerExecution(std::int64_t{steps}) {}
  StepsPerExecution(const char* word);
  bool is_auto() const { return steps_ == 0; }
  /// 0 for "auto".
  std::int64_t steps() const { return steps_; }

 private:
  std::int64_t steps_;
};

/// The verbosity of a run: 0 prints nothing, 1 or "auto" a progress bar, 2 one line for each epoch.
/// Errors: InvalidArgument for other numbers and strings.
class Verbose {
 public:
  Verbose(int level);
  Verbose(const char* word);
  int level() const { return level_; }

 private:
  int level_;
};

/// true, false or "auto", accepted for compatibility with Keras: steps are compiled in any case.
/// Errors: InvalidArgument for other strings.
class JitCompile {
 public:
  JitCompile(bool) {}
  JitCompile(const char* word);
};

struct CompileOptions {  // options/models.toml
  /// Optimizer: a name or an object.
  OptimizerSpec optimizer = "rmsprop";
  /// Loss, or one for each output. Empty: the losses that the network adds (add_loss, regularizers), or those
  /// of a train_step of its own.
  PerOutput<LossSpec> loss = {};
  /// Factor of the loss of each output; empty: 1.
  PerOutput<double> loss_weights = {};
  /// Metrics, or a list for each output; sample weights do not count.
  PerOutput<MetricSpec, true> metrics = {};
  /// Metrics for which sample_weight and class_weight count, or a list for each output.
  PerOutput<MetricSpec, true> weighted_metrics = {};
  /// True: runs steps op by op on concrete tensors, slowly, so that layers and train_step may read values and
  /// print. Results are those of compiled steps within rounding. Needs steps_per_execution = 1. For the types
  /// of its outputs, the call() of a subclassed network also runs on the first row and on the first two.
  bool run_eagerly = false;
  /// Number of steps in one execution of a compiled program, or "auto", which is tuned to the measured time.
  StepsPerExecution steps_per_execution = 1;
  /// Accepted for programs from Keras; steps are always compiled.
  JitCompile jit_compile = "auto";
  /// "auto", or "direct" for convolutions of compiled steps by the sums of the definition: smaller rounding
  /// errors, but slower where Winograd's method applies.
  ConvolutionAlgorithm convolution_algorithm = "auto";
  /// Precision of f32 products on a GPU, TPU or CPU with AMX in all programs of the model; "auto": "highest",
  /// unless the process or the device is configured otherwise.
  ProductPrecision precision = "auto";
  /// True: stops at the first step whose loss, gradient or update is not finite. fit throws DataLoss with
  /// epoch, step and row, and all state is that before the step.
  bool stop_on_nan = false;
  /// True: stops at the first step in which a layer or a loss of class ids gets an id outside its range (an
  /// input of Embedding, a label). The run throws OutOfRange with layer, value, position and step, and all
  /// state is that before the step.
  bool check_ids = false;
  /// True: a model of the policy "mixed_float16" gets a LossScaleOptimizer around its optimizer, because
  /// float16 loses small gradients.
  bool auto_scale_loss = true;
  /// Seed of shuffling; unset: the process's next default seed.
  std::optional<std::uint64_t> seed = {};
};

/// A data::Dataset as a member of options.
class DatasetSpec {
 public:
  DatasetSpec() = default;
  template <typename Dataset>
    requires requires(const Dataset& dataset) { std::shared_ptr<const data::Stage>(dataset.stage()); }
  DatasetSpec(const Dataset& dataset) : stage_(dataset.stage()) {}
  /// Null: none.
  const std::shared_ptr<const data::Stage>& stage() const { return stage_; }

 private:
  std::shared_ptr<const data::Stage> stage_;
};

/// {x, y}, {x, y, sample_weight}, {.dataset = dataset} or {.source = &stream}.
struct ValidationData {
  Tensors x = {};
  Tensors y = {};
  Tensors sample_weight = {};
  /// A source in place of arrays; the caller keeps it alive. A stream needs a restart function to be used
  /// more than once.
  BatchSource* source = nullptr;
  /// A data set in place of arrays; each validation iterates over it from its start.
  DatasetSpec dataset = {};

  bool is_set() const { return source != nullptr || dataset.stage() != nullptr || !x.empty(); }
};

/// The epochs after which fit validates: every n-th, or those listed, counted from 1.
/// Errors: InvalidArgument for numbers below 1.
class ValidationFreq {
 public:
  ValidationFreq(std::int64_t every);
  ValidationFreq(int every) : ValidationFreq(std::int64_t{every}) {}
  ValidationFreq(std::initializer_list<std::int64_t> epochs)
      : ValidationFreq(std::vector<std::int64_t>(epochs)) {}
  ValidationFreq(std::vector<std::int64_t> epochs);
  /// `epoch` counts from 0.
  bool is_due(std::int64_t epoch) const;

 private:
  std::int64_t every_ = 0;  // 0: use the list
  std::vector<std::int64_t> epochs_;
};

/// The weight of each class; classes that are not listed weigh 1. A class that does not exist is refused
/// where the classes are known: if all rows are available, or if an output has a column for each class.
using ClassWeight = std::map<std::int64_t, double>;

/// Settings of fit for a worker that is lost: it continues from its last backup, which it keeps in memory.
/// The numbers are then those of a run that was not disturbed.
struct BackupOptions {  // options/models.toml
  /// Steps between backups, made after an execution; exactly one of every_steps and every_seconds is set.
  std::optional<std::int64_t> every_steps = {};
  /// Seconds between backups, made after an execution; exactly one of every_steps and every_seconds is set.
  std::optional<double> every_seconds = {};
  /// Number of attempts to connect; each waits twice as long as the one before.
  int max_attempts = 10;
  /// Seconds before the second attempt to connect.
  double first_wait_seconds = 0.5;
  /// Most seconds between two attempts to connect.
  double longest_wait_seconds = 30;
  /// Path below the worker's --data-root for weights, slots and other state of the worker, which then are not
  /// transferred: "runs/mnist" for the files runs/mnist.0.backup and runs/mnist.1.backup in turn. This
  /// process keeps the rest, so the worker may be lost, but not both. Each run needs a path of its own.
  /// Empty: this process keeps all.
  std::string worker_file = {};
};

struct FitOptions {  // options/models.toml
  /// Arrays: rows of a step; unset: 32, or with steps_per_epoch the rows divided by it. Data sets: most rows
  /// of a batch, where later batches are larger than the first; shorter ones are padded. Not for other
  /// sources.
  std::optional<std::int64_t> batch_size = {};
  /// Index after the last epoch, counted from 0: fit runs [initial_epoch, epochs).
  std::int64_t epochs = 1;
  /// "auto" or 1: a progress bar; 2: a line an epoch; 0: nothing.
  Verbose verbose = "auto";
  /// Callbacks, called in this order.
  std::vector<callbacks::CallbackEntry> callbacks = {};
  /// Share of the rows, below 1, that are kept for validation: the last ones, before shuffling. 0: none.
  double validation_split = 0.0;
  /// Data for validation; empty: none, or those of validation_split.
  ValidationData validation_data = {};
  /// True: shuffles the rows of arrays before each epoch.
  bool shuffle = true;
  /// Weight of each class, for models of one output whose labels are one class a row, as an id or one-hot;
  /// classes not listed weigh 1. Empty: equal.
  ClassWeight class_weight = {};
  /// Weights [rows], or [rows, steps] for an output of several steps; for several outputs one for all or one
  /// each. Empty: 1.
  Tensors sample_weight = {};
  /// Index of the first epoch, counted from 0.
  std::int64_t initial_epoch = 0;
  /// Number of steps of the first epoch that are done already: it begins after them.
  std::int64_t initial_step = 0;
  /// Values of Model::training_state(), from which fit continues as if it had not ended; initial_epoch and
  /// initial_step then do not count. Call and model must be made as before. Empty: a new run.
  StateValues resume_from = {};
  /// Number of steps of an epoch; the next epoch continues where it ended. If the data end first, the epoch
  /// ends with a warning, as in Keras. Unset: one pass over the data.
  std::optional<std::int64_t> steps_per_epoch = {};
  /// Number of batches of validation; unset: all.
  std::optional<std::int64_t> validation_steps = {};
  /// Arrays: rows of a step of validation; unset: batch_size, or where that is unset too, the rows divided by
  /// validation_steps. Data set in validation_data: most rows of a batch, where later batches are larger than
  /// the first.
  std::optional<std::int64_t> validation_batch_size = {};
  /// Number of epochs from one validation to the next, or the list of epochs with one, counted from 1.
  ValidationFreq validation_freq = 1;
  /// True, with steps_per_epoch: one endless stream of (shuffled) passes cut into full batches, as of a
  /// repeated data set.
  bool repeat = false;
  /// Function that returns the rows of an epoch in order, in place of shuffling. It may repeat rows and leave
  /// rows out; steps have batch_size of them. Empty: shuffle decides.
  std::function<std::vector<std::int64_t>(std::int64_t epoch)> row_order = {};
  /// Backups of a run on a remote worker, from which fit continues after the worker is lost; unset: none.
  std::optional<BackupOptions> backup = {};
  /// Stops the run after the current step, as Model::set_stop_training does. If stop is requested before fit
  /// or while it compiles, no step runs, no callback is called, and fit returns an empty History.
  StopToken stop_token = {};
};

struct EvaluateOptions {  // options/models.toml
  /// Arrays: rows of a step; unset: 32, or with steps the rows divided by them. Data sets: most rows of a
  /// batch, where later batches are larger than the first. Not for other sources.
  std::optional<std::int64_t> batch_size = {};
  /// "auto" or 1: a progress bar; 2: a line at the end; 0: nothing.
  Verbose verbose = "auto";
  /// Weights [rows], or [rows, steps] for an output of several steps; for several outputs one for all or one
  /// each. Empty: 1.
  Tensors sample_weight = {};
  /// Number of batches; unset: all.
  std::optional<std::int64_t> steps = {};
  /// Callbacks, called in this order.
  std::vector<callbacks::CallbackEntry> callbacks = {};
};

struct PredictOptions {  // options/models.toml
  /// Arrays: rows of a step; unset: 32, or with steps the rows divided by them. Data sets: most rows of a
  /// batch, where later batches are larger than the first. Not for other sources.
  std::optional<std::int64_t> batch_size = {};
  /// "auto" or 1: a progress bar; 2: a line at the end; 0: nothing.
  Verbose verbose = "auto";
  /// Number of batches; unset: all.
  std::optional<std::int64_t> steps = {};
  /// Callbacks, called in this order.
  std::vector<callbacks::CallbackEntry> callbacks = {};
};

struct TrainOnBatchOptions {  // options/models.toml
  /// Weights [rows], or [rows, steps] for an output of several steps; for several outputs one for all or one
  /// each. Empty: 1.
  Tensors sample_weight = {};
  /// Weight of each class, for models of one output whose labels are one class a row, as an id or one-hot;
  /// classes not listed weigh 1. Empty: equal.
  ClassWeight class_weight = {};
};

struct TestOnBatchOptions {  // options/models.toml
  /// Weights [rows], or [rows, steps] for an output of several steps; for several outputs one for all or one
  /// each. Empty: 1.
  Tensors sample_weight = {};
};

}  // namespace cornu::inline v0::keras
