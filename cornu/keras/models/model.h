#pragma once

#include <concepts>
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

/// The names of the first and the last layer of a range, or nullopt.
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
  /// Regular expressions that match the beginning of the name of the first and of the last layer to show;
  /// unset: all.
  LayerRange layer_range = {};
  /// Function that receives the text; empty: stdout.
  std::function<void(std::string_view)> print = {};
};

/// Layers of a model: all, those whose name has a match of one of some regular expressions, or those for which
/// a function is true.
class LayerFilter {
 public:
  LayerFilter() = default;
  template <typename Text>
    requires std::convertible_to<const Text&, StringArgument>
  LayerFilter(const Text& pattern) : patterns_{StringArgument(pattern)} {}
  LayerFilter(std::initializer_list<StringArgument> patterns) : patterns_(patterns.begin(), patterns.end()) {}
  LayerFilter(std::function<bool(const Layer&)> function) : function_(std::move(function)) {}
  template <std::predicate<const Layer&> F>
  LayerFilter(F function) : function_(std::move(function)) {}

  const std::vector<std::string>& patterns() const { return patterns_; }
  const std::function<bool(const Layer&)>& function() const { return function_; }

 private:
  std::vector<std::string> patterns_;
  std::function<bool(const Layer&)> function_;
};

struct QuantizeOptions {  // options/models.toml
  /// Layers to change: a regular expression that is searched in their names, several of which one must match,
  /// or a function; empty: all.
  LayerFilter filters = {};
};

/// The result of compiling the training step, for `explain`.
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
///          stop_on_nan, ResourceExhausted for memory. Wrong arguments are refused before anything changes.
/// A callback may evaluate and predict with the running model; compile, fit and changes of its layers are
/// refused (FailedPrecondition).
/// Threads: one thread, except set_stop_training, which any thread may call, and predict, which many may call
///          while nothing else runs. Weights may be assigned during a run, which keeps the values that it
///          began with. A call that would train, evaluate, predict, compile or change layers beside a run of
///          another thread throws FailedPrecondition and changes nothing.
class Model : public LayerHandle {
 public:
  /// No model; assign one before use. Errors: FailedPrecondition if it is used before.
  Model() = default;
  /// Errors: FailedPrecondition for a null network.
  explicit Model(std::shared_ptr<Layer> network);
  /// A functional model: `Model({.inputs = {a, b}, .outputs = c, .name = "m"})`.
  explicit Model(const FunctionalOptions& options);
  /// A functional model of inputs and outputs: `Model({a, b}, c)`.
  Model(const KerasTensors& inputs, const KerasTensors& outputs, const StringArgument& name = "")
      : Model(FunctionalOptions{.inputs = inputs, .outputs = outputs, .name = name}) {}

  /// Sets optimizer, loss and metrics. Weights stay; compiled programs are discarded. The first training or
  /// evaluation fixes the set of trainable weights until the next compile().
  void compile(const CompileOptions& options);

  /// Trains on rows of x and y (the first axis) and returns the logs. Several inputs and outputs are passed
  /// by position or by name.
  callbacks::History fit(const Tensors& x, const Tensors& y, const FitOptions& options = {});
  /// Trains on the batches of a source, such as a BatchStream, which sets batch size and order. An epoch ends
  /// with a pass, or after steps_per_epoch batches.
  callbacks::History fit(BatchSource& source, const FitOptions& options = {});
  callbacks::History fit(BatchSource&& source, const FitOptions& options = {}) {
    return fit(source, options);
  }
  /// Trains on the batches of a data set: its elements are (x, y) or (x, y, sample_weight). An epoch is a
  /// pass over it, or steps_per_epoch batches; in the second case the next epoch continues the pass.
  callbacks::History fit(const data::Dataset& dataset, const FitOptions& options = {});
  /// Returns loss and metrics over all rows, by name.
  Logs evaluate(const Tensors& x, const Tensors& y, const EvaluateOptions& options = {});
  Logs evaluate(BatchSource& source, const EvaluateOptions& options = {});
  Logs evaluate(BatchSource&& source, const EvaluateOptions& options = {}) {
    return evaluate(source, options);
  }
  Logs evaluate(const data::Dataset& dataset, const EvaluateOptions& options = {});
  /// Returns the output for each row of x. Needs no compile(); may be called from many threads at once while
  /// nothing else runs.
  /// Errors: InvalidArgument if the model has several outputs.
  Tensor predict(const Tensors& x, const PredictOptions& options = {});
  /// Predicts for the x of each batch.
  Tensor predict(BatchSource& source, const PredictOptions& options = {});
  Tensor predict(BatchSource&& source, const PredictOptions& options = {}) {
    return predict(source, options);
  }
  Tensor predict(const data::Dataset& dataset, const PredictOptions& options = {});
  /// Returns all outputs, by name if their names are distinct.
  Tensors predict_many(const Tensors& x, const PredictOptions& options = {});
  Tensors predict_many(BatchSource& source, const PredictOptions& options = {});
  Tensors predict_many(const data::Dataset& dataset, const PredictOptions& options = {});
  /// Predicts into the caller's memory: one for each output, in order, with its dtype and its number of
  /// elements for all rows of x, not overlapping x. Full batches are written in place, without a copy. After
  /// an error the contents of the memory are unspecified.
  ///
  ///     std::vector<float> scores(num_rows * 3);
  ///     model.predict_into(x, scores);
  ///
  /// Errors: InvalidArgument, before anything is written, if an output has another dtype or size.
  void predict_into(const Tensors& x, std::span<const OutputMemory> outputs,
                    const PredictOptions& options = {});
  void predict_into(const Tensors& x, const OutputMemory& output, const PredictOptions& options = {}) {
    predict_into(x, std::span<const OutputMemory>{&output, 1}, options);
  }
  void predict_into(const Tensors& x, std::initializer_list<OutputMemory> outputs,
                    const PredictOptions& options = {}) {
    predict_into(x, std::span<const OutputMemory>{outputs.begin(), outputs.size()}, options);
  }

  /// Runs one step on all rows of x. The logs are those of this batch alone, as in Keras 3. One program
  /// serves other numbers of rows too.
  Logs train_on_batch(const Tensors& x, const Tensors& y, const TrainOnBatchOptions& options = {});
  Logs test_on_batch(const Tensors& x, const Tensors& y, const TestOnBatchOptions& options = {});
  /// Predicts for all rows of x in one step.
  Tensor predict_on_batch(const Tensors& x);

  /// The loss tracker, the compiled metrics, the trackers of several losses and the network's own metrics;
  /// compiled metrics exist once the model has had data.
  std::vector<MetricHandle> metrics() const;
  /// The names of the metrics in logs.
  std::vector<std::string> metrics_names() const;
  /// The metrics' present values.
  Logs get_metrics_result() const;
  void reset_metrics();

  /// Copies of all state that training continues from: weights, states and seeds of layers, optimizer,
  /// metrics, the trainer's own state; inside a callback of fit also the positions in epoch and data, and the
  /// state of callbacks. A stop (set_stop_training, FitOptions::stop_token, Ctrl-C, an exception of a
  /// callback) ends a run but not the training: from then on, also after fit, this is the state at the step
  /// where the run was stopped, until the model trains again. Pass it to `FitOptions::resume_from`, with a
  /// model and a call made like these; every step then gives the same bits as here. A callback calls it in
  /// on_train_batch_end, on_epoch_begin or on_epoch_end; put that callback last, so that the others have run.
  /// Errors: FailedPrecondition before compile().
  StateValues training_state() const;

  /// Prints Keras's table of layers, output shapes and parameter counts.
  void summary(const SummaryOptions& options = {}) const;

  /// True ends fit, evaluate or predict after the current step; validation in fit, and runs that callbacks
  /// start inside a run, go to their end, as in Keras. For callbacks and other threads; a run that is not
  /// inside another resets it to false.
  void set_stop_training(bool stop);
  bool stop_training() const;

  /// The tensors of a functional model, or of a Sequential that is built. Errors: FailedPrecondition
  /// otherwise.
  std::vector<KerasTensor> inputs() const;
  std::vector<KerasTensor> outputs() const;

  /// The model's layers, in order: of a functional model with its input layers, of a Sequential without, as
  /// in Keras.
  std::vector<LayerHandle> layers() const;
  /// Errors: InvalidArgument, suggesting the nearest name.
  LayerHandle get_layer(StringViewArgument layer_name) const;
  /// A negative index counts from the end. Errors: OutOfRange.
  LayerHandle get_layer(std::int64_t index) const;
  LayerHandle get_layer(int index) const { return get_layer(std::int64_t{index}); }

  /// The architecture as Keras's JSON: `{"module": "keras", "class_name": "Sequential", "config": {...},
  /// ...}`, without weights and without the options of compile(); model_from_json makes the model again.
  /// `indent` as Config::json.
  /// Errors: Unimplemented, naming the layer and a remedy, for user code: a Lambda, a layer or an activation
  ///         of the user's.
  std::string to_json(int indent = 0) const;

  /// Writes the model to a file, atomically: architecture, weights, and, if it is compiled, the options of
  /// compile() and the optimizer's state. The path's extension selects the format: ".keras", or ".h5" and
  /// ".hdf5" for Keras's older format. Keras opens both; load_model makes the model again. A model that is
  /// not built has no weights yet: a warning reports it, as in Keras.
  /// Errors: Unimplemented, naming the layer, for user code (see to_json), for losses and metrics that are
  ///         functions unless `include_optimizer` is false, and for an .h5 file of a user-defined class;
  ///         those of io::WholeFile.
  void save(const StringArgument& path, const SaveOptions& options = {}) const;
  /// Writes weights alone; a ".weights.h5" file also has the optimizer's state, as in Keras. ".safetensors"
  /// and ".npz" files hold arrays by path; a ".weights.json" file, written with max_shard_size, lists several
  /// files.
  /// Errors: FailedPrecondition if the model is not built; those of io::WholeFile.
  void save_weights(const StringArgument& path, const SaveWeightsOptions& options = {}) const;
  /// Loads weights written by save_weights, save, or Keras: all of them, or none and an error that lists the
  /// weights that are missing, left over or of another shape.
  /// Errors: InvalidArgument for such differences; FailedPrecondition if the model is not built; NotFound and
  ///         DataLoss for the file.
  void load_weights(const StringArgument& path, const LoadWeightsOptions& options = {});
  /// The options of compile(), as Keras's get_compile_config(); null before compile().
  Config get_compile_config() const;
  /// Compiles with a result of get_compile_config(), of Cornu or Keras. Errors: InvalidArgument naming key
  /// and value.
  void compile_from_config(const Config& config);

  /// Makes the weights for inputs of this shape (batch kUnknown), before there are data.
  void build(const Dims& input_shape) const { (*this)->build_once(input_shape); }

  /// Replaces the large weights of layers by quantized ones, which are not trainable: a mode ("int8", "int4",
  /// "float8") or a configuration. Dense, EinsumDense, Embedding and ReversibleEmbedding have a quantized form,
  /// also inside other layers; other layers stay as they are, and a warning names those with weights. To train
  /// the remaining weights, compile() again.
  ///
  ///     model.quantize("int8");
  ///     model.quantize(quantizers::Int4QuantizationConfig({.block_size = 64}), {.filters = "dense"});
  ///
  /// A quantizers::GPTQConfig or AWQConfig quantizes the Dense and EinsumDense layers inside the blocks that it
  /// lists, by their inputs for its dataset.
  ///
  /// Errors: FailedPrecondition if a layer is not built or is quantized already; InvalidArgument for an invalid
  ///         regular expression, and for int8 with computations in float16. Nothing is changed then.
  void quantize(const Spec<QuantizationConfig>& config, const QuantizeOptions& options = {});

  /// Undefined before compile().
  OptimizerHandle optimizer() const;
  bool compiled() const;
  /// The number of programs compiled so far, and the seconds that took by the device's clock (see
  /// History::compile_seconds).
  int num_compiles() const;
  double compile_seconds() const;

  /// Compiles the training program for such data without running it, and returns a report.
  TrainProgramReport train_program(const Tensors& x, const Tensors& y, const FitOptions& options = {});

  /// The compiled training or prediction step for such data, to be explained or dumped; compiled if needed,
  /// not run.
  /// Lifetime: until compile() is called again or newer programs evict it from the cache.
  const runtime::Executable& train_executable(const Tensors& x, const Tensors& y,
                                              const FitOptions& options = {});
  const runtime::Executable& predict_executable(const Tensors& x, const PredictOptions& options = {});

 protected:
  /// Runs `change`, which changes the network's layers; programs are compiled again afterwards. Errors:
  /// FailedPrecondition, naming `caller`, during a run.
  void change_layers(const char* caller, const std::function<void()>& change);

 private:
  Tensor only_output(const Tensors& outputs, const char* caller) const;

  Handle<Trainer> trainer_;
};

}  // namespace cornu::inline v0::keras
