#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/keras/callbacks/history.h"
#include "cornu/keras/layer/layer.h"
#include "cornu/keras/models/file_options.h"
#include "cornu/keras/models/functional.h"
#include "cornu/keras/network/network.h"
#include "cornu/keras/optimizers/optimizer.h"
#include "cornu/keras/trainer/options.h"
#include "cornu/keras/trainer/output_memory.h"
#include "cornu/runtime/executable.h"

namespace cornu::inline v0::data {
class Dataset;
}

namespace cornu::inline v0::keras {

class BatchSource;
class Trainer;

/// A first and a last layer's name, or nothing.
class LayerRange : public std::optional<std::pair<std::string, std::string>> {
 public:
  using std::optional<std::pair<std::string, std::string>>::optional;
  LayerRange() = default;
  LayerRange(StringArgument first, StringArgument last)
      : std::optional<std::pair<std::string, std::string>>(std::in_place, std::move(first), std::move(last)) {
  }
};

struct SummaryOptions {  // options/models.toml
  /// Columns of a line; 0: the width of the terminal, but at most 88 (108 with connections, 12 more with
  /// show_trainable).
  std::int64_t line_length = 0;
  /// Ends of the columns as shares of the line; empty: those of Keras.
  std::vector<double> positions = {};
  /// True: shows the layers of models inside the model.
  bool expand_nested = false;
  /// True: shows which layers are trainable.
  bool show_trainable = false;
  /// Names of the first and the last layer to show; unset: all.
  LayerRange layer_range = {};
  /// Function that receives the text; empty: stdout.
  std::function<void(std::string_view)> print = {};
};

/// What compiling the training step gave, for `explain`.
struct TrainProgramReport {
  std::string stablehlo;  // the traced step
  std::string explain;    // the backend's report
  runtime::CompileStats stats;
};

/// A network that can be trained: Keras's compile, fit, evaluate, predict and summary.
///
///     model.compile({.optimizer = keras::optimizers::Adam({.learning_rate = 0.1}),
///                    .loss = "log_cosh",
///                    .metrics = {"accuracy"}});
///     auto history = model.fit(x, y, {.batch_size = 20, .epochs = 20, .validation_data = {x_val, y_val}});
///
/// A model is a layer: it can be called on tensors and used inside other models. Copies are handles to the
/// same model.
/// Errors:  each method names itself and, where a shape does not fit, the layer: InvalidArgument for shapes,
///          types and names, OutOfRange for class ids, FailedPrecondition before compile(), DataLoss with
///          stop_on_nan, ResourceExhausted for memory. What can be refused is refused before anything
///          changes.
/// A callback may evaluate and predict with the model that runs; compile, fit and changes of its layers are
/// refused (FailedPrecondition).
/// Threads: one thread; set_stop_training may be called from any, predict from many while nothing else runs,
///          and weights may be given other values meanwhile: each run has those that it began with.
///          What would train, evaluate, predict, compile or change layers beside a run of another thread
///          throws FailedPrecondition, with nothing changed.
class Model : public LayerHandle {
 public:
  /// No model yet: another one is to be assigned before it is used. Errors: FailedPrecondition when it is
  /// used before.
  Model() = default;
  /// Errors: FailedPrecondition for a null network.
  explicit Model(std::shared_ptr<Layer> network);
  /// A functional model: `Model({.inputs = {a, b}, .outputs = c, .name = "m"})`.
  explicit Model(const FunctionalOptions& options);

  /// Sets optimizer, loss and metrics. Weights stay; compiled programs are given up. What is trainable when
  /// the model is then first trained or evaluated stays so until the next compile().
  void compile(const CompileOptions& options);

  /// Trains on rows of x and y (first axis: rows); returns what was measured. Several inputs and outputs by
  /// position or by name.
  callbacks::History fit(const Tensors& x, const Tensors& y, const FitOptions& options = {});
  /// Trains on the batches of a source, a BatchStream for example, which says batch size and order itself. An
  /// epoch ends with a pass, or after steps_per_epoch batches.
  callbacks::History fit(BatchSource& source, const FitOptions& options = {});
  callbacks::History fit(BatchSource&& source, const FitOptions& options = {}) {
    return fit(source, options);
  }
  /// Trains on the batches of a data set: its elements are (x, y) or (x, y, sample_weight). An epoch is a
  /// pass over it, or steps_per_epoch batches, behind which the next one goes on.
  callbacks::History fit(const data::Dataset& dataset, const FitOptions& options = {});
  /// Loss and metrics over all rows, by name.
  Logs evaluate(const Tensors& x, const Tensors& y, const EvaluateOptions& options = {});
  Logs evaluate(BatchSource& source, const EvaluateOptions& options = {});
  Logs evaluate(BatchSource&& source, const EvaluateOptions& options = {}) {
    return evaluate(source, options);
  }
  Logs evaluate(const data::Dataset& dataset, const EvaluateOptions& options = {});
  /// The output for each row of x. Needs no compile(); may be called from many threads at once while nothing
  /// else runs.
  /// Errors: InvalidArgument when the model has several outputs.
  Tensor predict(const Tensors& x, const PredictOptions& options = {});
  /// For the x of each batch.
  Tensor predict(BatchSource& source, const PredictOptions& options = {});
  Tensor predict(BatchSource&& source, const PredictOptions& options = {}) {
    return predict(source, options);
  }
  Tensor predict(const data::Dataset& dataset, const PredictOptions& options = {});
  /// All outputs, with their names where each has one of its own.
  Tensors predict_many(const Tensors& x, const PredictOptions& options = {});
  Tensors predict_many(BatchSource& source, const PredictOptions& options = {});
  Tensors predict_many(const data::Dataset& dataset, const PredictOptions& options = {});
  /// The same, written into memory of the caller's: one for each output, in order, of its dtype and its
  /// number of elements for all rows of x, not overlapping x. Full batches are written in place, without a
  /// copy. After an error the contents of the memory are unspecified.
  ///
  ///     std::vector<float> scores(num_rows * 3);
  ///     model.predict_into(x, scores);
  ///
  /// Errors: InvalidArgument, before anything is written, when an output has another dtype or size.
  void predict_into(const Tensors& x, std::span<const OutputMemory> outputs,
                    const PredictOptions& options = {});
  void predict_into(const Tensors& x, const OutputMemory& output, const PredictOptions& options = {}) {
    predict_into(x, std::span(&output, 1), options);
  }
  void predict_into(const Tensors& x, std::initializer_list<OutputMemory> outputs,
                    const PredictOptions& options = {}) {
    predict_into(x, std::span(outputs.begin(), outputs.size()), options);
  }

  /// One step on all rows of x. Logs are of this batch alone, as in Keras 3. One program serves other numbers
  /// of rows too.
  Logs train_on_batch(const Tensors& x, const Tensors& y, const TrainOnBatchOptions& options = {});
  Logs test_on_batch(const Tensors& x, const Tensors& y, const TestOnBatchOptions& options = {});
  /// As predict, with all rows in one step.
  Tensor predict_on_batch(const Tensors& x);

  /// The loss tracker, the compiled metrics, the trackers of several losses and the network's own; those of
  /// compile() once there were data.
  std::vector<MetricHandle> metrics() const;
  /// What logs call them.
  std::vector<std::string> metrics_names() const;
  /// Their values now.
  Logs get_metrics_result() const;
  void reset_metrics();

  /// Copies of all that training goes on from: weights, states and seeds of layers, optimizer, metrics, the
  /// trainer's own; in a callback of fit also the place in epoch and data, and what callbacks remember. A
  /// stop (set_stop_training, FitOptions::stop_token, Ctrl-C, an exception of a callback) ends a run and no
  /// training: from then on, also after fit, this is the state at the step where the run was stopped, until
  /// the model trains again.
  /// `FitOptions::resume_from` takes it, in a model and a call that are made as these were, and then every
  /// step gives the bits that it would have given here. A callback calls it in on_train_batch_end,
  /// on_epoch_begin or on_epoch_end; put it last, so that the others have done their part.
  /// Errors: FailedPrecondition before compile().
  StateValues training_state() const;

  /// Prints Keras's table of layers, output shapes and parameter counts.
  void summary(const SummaryOptions& options = {}) const;

  /// True ends fit, evaluate or predict with the step that runs; validation in fit, and runs that callbacks
  /// start inside a run, go to their end, as in Keras. For callbacks and other threads; a run that is not
  /// inside another starts with false.
  void set_stop_training(bool stop);
  bool stop_training() const;

  /// Of a functional model, or of a Sequential that is built. Errors: FailedPrecondition otherwise.
  std::vector<KerasTensor> inputs() const;
  std::vector<KerasTensor> outputs() const;

  /// The layers inside, in order; of a functional model with its input layers, of a Sequential without, as in
  /// Keras.
  std::vector<LayerHandle> layers() const;
  /// Errors: InvalidArgument with the nearest name.
  LayerHandle get_layer(StringViewArgument layer_name) const;
  /// A negative index counts from the end. Errors: OutOfRange.
  LayerHandle get_layer(std::int64_t index) const;
  LayerHandle get_layer(int index) const { return get_layer(std::int64_t{index}); }

  /// The architecture as Keras's JSON: `{"module": "keras", "class_name": "Sequential", "config": {...},
  /// ...}`, without weights and without what compile() was given; model_from_json makes it again. `indent` as
  /// Config::json.
  /// Errors: Unimplemented, naming the layer and what to do, for code: a Lambda, a layer or an activation of
  ///         the user's.
  std::string to_json(int indent = 0) const;

  /// Writes the model to a file, which is there whole or not at all: architecture, weights, and, when it is
  /// compiled, what compile() was told and the optimizer's state. The path's end says how: ".keras", or ".h5"
  /// and ".hdf5" for Keras's older form. Keras opens both; load_model makes the model again. One that is not
  /// built has no weights yet: a warning says so, as in Keras.
  /// Errors: Unimplemented, naming the layer, for what is code (see to_json), for losses and metrics that are
  ///         functions unless `include_optimizer` is false, and for an .h5 file of a class of the user's;
  ///         those of io::WholeFile.
  void save(const StringArgument& path, const SaveOptions& options = {}) const;
  /// Weights alone, and in ".weights.h5" the optimizer's state as Keras has it; ".safetensors" and ".npz"
  /// hold arrays by path; ".weights.json" with max_shard_size is the list of several files.
  /// Errors: FailedPrecondition when the model is not built; those of io::WholeFile.
  void save_weights(const StringArgument& path, const SaveWeightsOptions& options = {}) const;
  /// Loads what save_weights, save, or Keras wrote. All of it, or nothing and an error that lists what is
  /// missing, left over or of another shape.
  /// Errors: InvalidArgument as said; FailedPrecondition when the model is not built; NotFound and DataLoss
  ///         for the file.
  void load_weights(const StringArgument& path, const LoadWeightsOptions& options = {});
  /// What compile() was told, as Keras's get_compile_config(); null before it.
  Config get_compile_config() const;
  /// compile() by what get_compile_config() or Keras wrote. Errors: InvalidArgument that names key and value.
  void compile_from_config(const Config& config);

  /// Makes the weights for inputs of this shape (batch kUnknown), before there are data.
  void build(const Dims& input_shape) const { (*this)->build_once(input_shape); }

  /// Undefined before compile().
  OptimizerHandle optimizer() const;
  bool compiled() const;
  /// Programs compiled so far, and the seconds that took by the device's clock (see
  /// History::compile_seconds).
  int num_compiles() const;
  double compile_seconds() const;

  /// Compiles the training program for such data without running it, and reports on it.
  TrainProgramReport train_program(const Tensors& x, const Tensors& y, const FitOptions& options = {});

  /// The compiled training or prediction step for such data, to be explained or dumped; compiled if need be,
  /// not run.
  /// Lifetime: until compile() is called again or newer programs push it out of the cache.
  const runtime::Executable& train_executable(const Tensors& x, const Tensors& y,
                                              const FitOptions& options = {});
  const runtime::Executable& predict_executable(const Tensors& x, const PredictOptions& options = {});

 protected:
  /// Runs `change`, which changes the network's layers; programs are compiled anew. Errors:
  /// FailedPrecondition, naming `caller`, while a run goes on.
  void change_layers(const char* caller, const std::function<void()>& change);

 private:
  Tensor only_output(const Tensors& outputs, const char* caller) const;

  Handle<Trainer> trainer_;
};

}  // namespace cornu::inline v0::keras
