#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
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

/// What is printed: 0 for nothing, 1 or "auto" for a progress bar, 2 for one line an epoch.
/// Errors: InvalidArgument for other numbers and words.
class Verbose {
 public:
  Verbose(int level);
  Verbose(const char* word);
  int level() const { return level_; }

 private:
  int level_;
};

/// true, false or "auto", for programs that come from Keras: steps are compiled whatever it says.
/// Errors: InvalidArgument for other words.
class JitCompile {
 public:
  JitCompile(bool) {}
  JitCompile(const char* word);
};

struct CompileOptions {
  OptimizerSpec optimizer = "rmsprop";
  /// Without a loss the network must bring one: by add_loss, regularizers, or a train_step of its own.
  PerOutput<LossSpec> loss = {};
  PerOutput<double> loss_weights = {};
  PerOutput<MetricSpec, true> metrics = {};
  /// Metrics for which sample_weight and class_weight count.
  PerOutput<MetricSpec, true> weighted_metrics = {};
  /// Whether steps run op by op on concrete tensors, slowly, so that layers and train_step may look at values
  /// and print. The results are those of compiled steps within rounding. It needs steps_per_execution = 1. A
  /// subclassed network's call() also runs on the first row, and on the first two, for the types of its
  /// outputs.
  bool run_eagerly = false;
  StepsPerExecution steps_per_execution = 1;
  JitCompile jit_compile = "auto";
  /// "direct" computes the convolutions of compiled steps by the sums of the definition: with smaller
  /// rounding errors, and slower where Winograd's method would serve.
  ConvolutionAlgorithm convolution_algorithm = "auto";
  /// How exactly a GPU or TPU multiplies f32 in dots and convolutions of all the model's programs; "highest"
  /// unless the device was told otherwise.
  ProductPrecision precision = "auto";
  /// Whether to stop at the first step whose loss, gradient or update is not finite: fit then throws DataLoss
  /// that names epoch, step and row, and all state is as it was before that step.
  bool stop_on_nan = false;
  /// Whether to stop at the first step in which a layer or a loss of class ids meets an id outside its range
  /// (an Embedding's input, a label): the run then throws OutOfRange that names layer, value, position and
  /// step, and all state is as it was before that step.
  bool check_ids = false;
  /// Whether a model of the policy "mixed_float16" gets a LossScaleOptimizer around its optimizer, since
  /// float16 loses small gradients.
  bool auto_scale_loss = true;
  /// The seed of shuffling; without it the process's next default seed (set_random_seed).
  std::optional<std::uint64_t> seed = {};
};

/// A data::Dataset, as options hold it.
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
  /// A source in place of arrays, which the caller keeps alive. A stream needs a restart function to be gone
  /// through more than once.
  BatchSource* source = nullptr;
  /// A data set in place of arrays, which is gone through from its start each time.
  DatasetSpec dataset = {};

  bool is_set() const { return source != nullptr || dataset.stage() != nullptr || !x.empty(); }
};

/// After which epochs fit validates: every n-th, or those listed, counted from 1.
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
  std::int64_t every_ = 0;  // 0: the list
  std::vector<std::int64_t> epochs_;
};

/// The weight of each class; others weigh 1. Where it is known which classes there are, because all rows are
/// at hand or an output has a column for each, one that there is not is refused.
using ClassWeight = std::map<std::int64_t, double>;

/// How fit goes on when the worker that it trains on is lost: from its last backup, which it keeps in memory.
/// The numbers are then those of a run that was not disturbed.
struct BackupOptions {
  // How often the state is fetched, after an execution. One of the two is given.
  std::optional<std::int64_t> every_steps = {};
  std::optional<double> every_seconds = {};
  /// How often a connection is tried; each attempt waits twice as long as the one before it.
  int max_attempts = 10;
  double first_wait_seconds = 0.5;
  double longest_wait_seconds = 30;
  /// Where it is set, weights, slots and whatever else is on the worker go into files there, below its
  /// --data-root, and cross no link: for "runs/mnist" into runs/mnist.0.backup and runs/mnist.1.backup in
  /// turn. This process keeps the rest, so the worker may be lost, but not both. Each run needs a name of its
  /// own.
  std::string worker_file = {};
};

struct FitOptions {
  /// Of arrays: rows a step; 32 unless steps_per_epoch is given, which then divides the rows. Of a data set,
  /// whose batches stay as they are: the most rows that one may have, where later ones are larger than the
  /// first; shorter ones are padded to as many. Not for other sources.
  std::optional<std::int64_t> batch_size = {};
  /// The index after the last epoch, counted from 0: fit runs [initial_epoch, epochs).
  std::int64_t epochs = 1;
  Verbose verbose = "auto";
  std::vector<callbacks::CallbackEntry> callbacks = {};
  /// The last part of the rows, before shuffling, is kept for validation.
  double validation_split = 0.0;
  ValidationData validation_data = {};
  bool shuffle = true;
  /// The weights of classes, for models of one output whose labels are one class a row, as an id or one-hot;
  /// not beside sample_weight.
  ClassWeight class_weight = {};
  /// [rows], or [rows, steps] for an output of several steps; for several outputs one for all or one each.
  Tensors sample_weight = {};
  std::int64_t initial_epoch = 0;
  /// The steps of the first epoch that were done before: it begins behind them.
  std::int64_t initial_step = 0;
  /// What Model::training_state() gave: fit goes on there, as if it had never ended; it says where, so
  /// initial_epoch and initial_step do not count. The call and the model must be made as those were.
  StateValues resume_from = {};
  /// Ends an epoch after this many steps; the next epoch goes on where it stopped. When the data end first,
  /// the epoch ends there and a warning says so, as in Keras.
  std::optional<std::int64_t> steps_per_epoch = {};
  std::optional<std::int64_t> validation_steps = {};
  /// Rows a step of validation on arrays: batch_size unless it is given; where neither is, validation_steps
  /// divides the rows. Of a data set in validation_data: the most rows that a batch may have, where later
  /// ones are larger than the first.
  std::optional<std::int64_t> validation_batch_size = {};
  ValidationFreq validation_freq = 1;
  /// With steps_per_epoch: one endless stream of (shuffled) passes cut into full batches, as a repeated data
  /// set gives.
  bool repeat = false;
  /// Gives the rows of an epoch in order, in place of shuffling. It may repeat rows and leave rows out; steps
  /// have batch_size of them, also where that is more than there are.
  std::function<std::vector<std::int64_t>(std::int64_t epoch)> row_order = {};
  /// How fit goes on after a worker was lost, for models that train on a remote worker.
  std::optional<BackupOptions> backup = {};
  /// Stops the run when it is asked to, as Model::set_stop_training does with the step that runs; asked
  /// before fit or while it compiles, no step runs, no callback is called, and fit returns an empty History.
  std::stop_token stop_token = {};
};

struct EvaluateOptions {
  /// Of arrays: rows a step; 32 unless steps is given, which then divides the rows. Of a data set: the most
  /// rows that a batch may have, where later ones are larger than the first. Not for other sources.
  std::optional<std::int64_t> batch_size = {};
  Verbose verbose = "auto";
  Tensors sample_weight = {};
  std::optional<std::int64_t> steps = {};
  std::vector<callbacks::CallbackEntry> callbacks = {};
};

struct PredictOptions {
  /// Of arrays: rows a step; 32 unless steps is given, which then divides the rows. Of a data set: the most
  /// rows that a batch may have, where later ones are larger than the first. Not for other sources.
  std::optional<std::int64_t> batch_size = {};
  Verbose verbose = "auto";
  std::optional<std::int64_t> steps = {};
  std::vector<callbacks::CallbackEntry> callbacks = {};
};

struct TrainOnBatchOptions {
  Tensors sample_weight = {};
  ClassWeight class_weight = {};
};

struct TestOnBatchOptions {
  Tensors sample_weight = {};
};

}  // namespace cornu::inline v0::keras
