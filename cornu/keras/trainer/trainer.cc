#include "cornu/keras/trainer/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/undefined.h"
#include "cornu/keras/network.h"
#include "cornu/keras/trainer/eager_step.h"
#include "cornu/keras/trainer/exact_step.h"
#include "cornu/keras/trainer/run_guard.h"
#include "cornu/keras/types_only.h"
#include "cornu/tensor/device.h"
#include "cornu/tensor/random.h"
#include "cornu/tensor/trace.h"

namespace cornu::inline v0::keras {
namespace {

constexpr std::size_t kKeptPrograms = 8;

const std::string& output_layer_name(const Layer& network) {
  const std::vector<std::shared_ptr<Layer>> layers = network.sublayers();
  return layers.empty() ? network.name() : output_layer_name(*layers.back());
}

std::vector<std::string> output_names(const Layer& network) {
  const auto* with_names = dynamic_cast<const Network*>(&network);
  return with_names == nullptr ? std::vector<std::string>() : with_names->output_names();
}

/// The batch that the network was declared for; any number where it is open.
std::int64_t declared_batch(const Layer& network) {
  for (const TensorType& type : network.build_types())
    if (!type.dims.empty() && type.dims[0] != kUnknown) return type.dims[0];
  return 48;
}

/// What the network gives for inputs whose first extent is the batch: by calling it, so that errors are those of the call.
std::vector<TensorType> called_output_types(Layer& network, std::vector<TensorType> inputs) {
  Trace trace("outputs");
  const Trace::Scope scope(trace);
  const TypesOnlyScope types_only;
  std::vector<Tensor> arguments;
  for (TensorType& input : inputs) {
    input.dims[0] = declared_batch(network);
    arguments.push_back(trace.add_rows_argument(input));
  }
  std::vector<TensorType> outputs;
  for (const Tensor& output : network.call_many(arguments)) {
    outputs.push_back(output.type());
    if (!outputs.back().dims.empty()) outputs.back().dims[0] = kUnknown;
  }
  return outputs;
}

/// The same by calling it on the first row: what its call() does may look at values.
std::vector<TensorType> concrete_output_types(Layer& network, const ArrayData& data) {
  const TypesOnlyScope types_only;
  std::vector<TensorType> outputs;
  for (const Tensor& output : network.call_many(step_data(data.rows(0, 1), {}).x)) {
    outputs.push_back(output.type());
    if (!outputs.back().dims.empty()) outputs.back().dims[0] = kUnknown;
  }
  return outputs;
}

/// Adds the caller, unless another says what it was, and the inputs' shapes to errors that the network throws.
template <typename F>
void with_shapes_of(const ArrayData& data, const char* caller, F&& body) {
  try {
    body();
  } catch (const Error& error) {
    const std::string_view message = error.what();
    if (error.code() != ErrorCode::kInvalidArgument || message.find("x has shape") != std::string_view::npos) throw;
    const std::string tag = message.starts_with('[') ? std::string() : fmt::format("[{}] ", caller);
    std::string shapes;
    for (std::size_t i = 0; i < data.x.size(); ++i) {
      shapes += fmt::format("; {} has shape {} and dtype {}", array_name("x", data.x, i), ir::shape_str(data.x[i].shape()),
                            ir::numpy_name(data.x[i].dtype()));
    }
    fail(error.code(), "{}{}{}", tag, message, shapes);
  }
}

}  // namespace

Trainer::Trainer(std::shared_ptr<Layer> network) : network_(std::move(network)) {
  require_defined(network_, Network::kHandleKind);
  parts_.network = network_;
}

void Trainer::compile(const CompileOptions& options) {
  const auto claimed = claim(RunClaims::Beside::kNothing, "compile");
  // Names are looked up before anything changes.
  check_compile_options(options, output_names(*network_));
  ModelParts parts;
  parts.network = network_;
  parts.optimizer = options.optimizer.get({"compile", "optimizer"});
  parts.loss_tracker = std::make_shared<metrics::MeanMetric>("loss");
  parts.metrics = {{"loss", parts.loss_tracker}};
  parts.faults = {.ids = options.check_ids, .non_finite = options.stop_on_nan};
  parts.convolution_algorithm = options.convolution_algorithm.value();
  parts_ = std::move(parts);
  options_ = options;
  seed_ = options.seed.has_value() ? *options.seed : next_seed();
  train_tuner_ = ExecutionTuner(options.steps_per_execution.steps());
  test_tuner_ = predict_tuner_ = train_tuner_;
  steps_trained_ = 0;
  forget_programs();
  compiled_ = true;
}

void Trainer::require_compiled(const char* caller) const {
  if (!compiled_) {
    fail(ErrorCode::kFailedPrecondition, "[{}] model \"{}\" is not compiled; call compile({{.optimizer = ..., .loss = ...}}) first", caller,
         network_->name());
  }
}

ArrayData Trainer::arranged(const Tensors& x, const Tensors& y, const Tensors& sample_weight, const char* caller) const {
  const auto in_order = [&](const Tensors& arrays, const std::vector<std::string>& names, const char* what) {
    try {
      if (arrays.empty() || (names.empty() && !arrays.is_named())) return arrays;
      if (names.empty()) invalid_argument("{} has names, but model \"{}\" has none for it", what, network_->name());
      return arrays.is_named() ? arrays.ordered(names, what) : arrays;
    } catch (const Error& error) {
      throw Error(error.code(), fmt::format("[{}] {}", caller, error.what()));
    }
  };
  const std::vector<std::string> outputs = output_names(*network_);
  ArrayData data{in_order(x, network_->input_names(), "x"), in_order(y, outputs, "y"), in_order(sample_weight, outputs, "sample_weight")};
  check_arrays(data, caller);
  const std::vector<std::string> inputs = network_->input_names();
  if (!inputs.empty() && data.x.size() != inputs.size())
    invalid_argument("[{}] model \"{}\" takes {} inputs ({}); got {}", caller, network_->name(), inputs.size(), fmt::join(inputs, ", "),
                     data.x.size());
  return data;
}

bool Trainer::knows_outputs() const { return options_.loss.is_set() || options_.metrics.is_set() || options_.weighted_metrics.is_set(); }

const std::vector<TensorType>& Trainer::outputs_for(const ArrayData& data) {
  static const auto& kNone = *new std::vector<TensorType>;
  const bool has_own_step = dynamic_cast<const Network*>(network_.get()) != nullptr;
  if (!knows_outputs() && has_own_step) return kNone;
  std::vector<TensorType> inputs;
  for (const Tensor& array : data.x) inputs.push_back(model_type(array.type()));
  for (TensorType& input : inputs) input.dims[0] = kUnknown;
  for (const auto& [known, outputs] : known_outputs_)
    if (known == inputs) return outputs;
  known_outputs_.emplace_back(inputs,
                              options_.run_eagerly ? concrete_output_types(*network_, data) : called_output_types(*network_, inputs));
  return known_outputs_.back().second;
}

void Trainer::build_for_inputs(const ArrayData& data, const char* caller) {
  std::vector<Dims> shapes;
  for (const Tensor& array : data.x) {
    shapes.push_back(array.shape());
    shapes.back()[0] = kUnknown;
  }
  with_shapes_of(data, caller, [&] { network_->build_once_for(shapes); });
}

void Trainer::prepare(ArrayData& data, const char* caller, const char* labels_name) {
  const bool has_own_step = dynamic_cast<const Network*>(network_.get()) != nullptr;
  if (knows_outputs() || !has_own_step) build_for_inputs(data, caller);  // else the step builds what it calls
  with_shapes_of(data, caller, [&] { outputs_for(data); });
  if (!parts_made_) {
    const std::vector<TensorType> outputs = outputs_for(data);
    parts_.outputs.assign(outputs.size(), {});
    parts_.metrics = {{"loss", parts_.loss_tracker}};
    spread_over_outputs(data, caller, labels_name);
    std::vector<TensorType> labels(outputs.size());
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const bool given = i < data.y.size() && data.y[i].defined();
      labels[i] = given ? data.y[i].type() : outputs[i];
      if (!labels[i].dims.empty()) labels[i].dims[0] = kUnknown;
    }
    make_parts(parts_, options_, labels, outputs, output_names(*network_));
    parts_.trainable = network_->trainable_weights();
    parts_made_ = true;
  } else {
    spread_over_outputs(data, caller, labels_name);
  }
  check_data(data, caller, labels_name);
}

void Trainer::spread_over_outputs(ArrayData& data, const char* caller, const char* labels_name) const {
  const std::size_t n = parts_.outputs.size();
  if (n == 0) return;  // the network's own step knows what to do
  if (data.y.empty()) {
    if (options_.loss.is_set()) invalid_argument("[{}] {} is missing: the loss compares the model's output with it", caller, labels_name);
  } else if (data.y.size() != n) {
    const std::vector<bool> has_loss = outputs_with_loss(options_, n, output_names(*network_));
    const auto num_losses = static_cast<std::size_t>(std::count(has_loss.begin(), has_loss.end(), true));
    if (data.y.size() != num_losses)
      invalid_argument("[{}] {} must hold a tensor for each of the {} outputs of model \"{}\"; got {}", caller, labels_name, n,
                       network_->name(), data.y.size());
    std::vector<Tensor> labels(n);
    for (std::size_t i = 0, next = 0; i < n; ++i)
      if (has_loss[i]) labels[i] = data.y[next++];
    data.y = Tensors(std::move(labels));
  }
  if (data.sample_weight.empty() || data.sample_weight.size() == n) return;
  if (data.sample_weight.size() != 1)
    invalid_argument("[{}] sample_weight must hold one tensor, or one for each of the {} outputs; got {}", caller, n,
                     data.sample_weight.size());
  const Tensor& weight = data.sample_weight[0];
  if (weight.num_elements() != weight.num_rows()) {
    invalid_argument("[{}] one sample_weight for all of several outputs must have one weight a row; got {}", caller,
                     ir::shape_str(weight.shape()));
  }
  data.sample_weight = Tensors(std::vector<Tensor>(n, weight));
}

void Trainer::check_data(const ArrayData& data, const char* caller, const char* labels_name) const {
  if (parts_.outputs.empty()) return;
  const std::vector<TensorType>& outputs = const_cast<Trainer*>(this)->outputs_for(data);
  const std::vector<std::string> names = output_names(*network_);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const std::shared_ptr<Loss>& loss = parts_.outputs[i].loss;
    if (loss != nullptr && i < data.y.size() && data.y[i].defined()) {
      try {
        check_labels(data.y[i], *loss, outputs[i], caller, labels_name);
      } catch (const Error& error) {
        const std::string layer = names.empty() ? output_layer_name(*network_) : names[i];
        fail(error.code(), "{}; {} has shape {}; in layer \"{}\" of model \"{}\"", error.what(),
             outputs.size() == 1 ? labels_name : fmt::format("{}[{}]", labels_name, i), ir::shape_str(data.y[i].shape()), layer,
             network_->name());
      }
    }
    if (i < data.sample_weight.size() && data.sample_weight[i].defined())
      check_sample_weight(data.sample_weight[i], array_name("sample_weight", data.sample_weight, i), outputs[i], caller);
  }
}

void Trainer::apply_class_weight(ArrayData& data, const ClassWeight& class_weight, const char* caller) const {
  if (class_weight.empty()) return;
  if (!data.sample_weight.empty()) invalid_argument("[{}] class_weight and sample_weight exclude each other", caller);
  if (data.y.size() != 1 || parts_.outputs.size() > 1)
    invalid_argument("[{}] class_weight is for models of one output; this one has {}", caller,
                     std::max(data.y.size(), parts_.outputs.size()));
  const TensorType output = parts_.outputs.empty() ? TensorType{DType::kF32, {kUnknown}} : const_cast<Trainer*>(this)->outputs_for(data)[0];
  data.sample_weight = weights_of_classes(class_weight, data.y[0], output, caller);
}

std::shared_ptr<StepRunner> Trainer::find_runner(const ProgramKey& key) {
  const auto found = std::find_if(runners_.begin(), runners_.end(), [&](const auto& known) { return known->key() == key; });
  if (found == runners_.end()) return nullptr;
  std::rotate(found, found + 1, runners_.end());
  return runners_.back();
}

// The first program finds out whether padding can be left out; the others follow it. Null: a prediction has found out that it cannot, and
// the rows that were asked for may have been rounded up.
std::shared_ptr<StepRunner> Trainer::make_program(const ProgramKey& key, std::int64_t num_rows, const std::vector<LogSource>& known_logs,
                                                  const std::shared_ptr<runtime::Client>& client) {
  const auto timed = [this](auto&& make) {
    const double start = seconds_now();
    auto made = make();
    compile_seconds_ += seconds_now() - start;
    if (made != nullptr) ++num_compiles_;
    return made;
  };
  const auto count = [this](const runtime::Executable& executable) { num_from_cache_ += executable.stats().from_cache ? 1 : 0; };
  const bool predicts = key.kind == ProgramKind::kPredict;
  std::string& because = predicts ? predict_exact_because_ : exact_because_;
  if (because.empty()) {
    if (auto made = timed([&] {
          return make_program_step(key, parts_, {.known_logs = known_logs, .stop = &interrupted_, .on_compiled = count}, client, &because);
        }))
      return made;
  }
  if (predicts) {
    if (!predicts_exactly_.exchange(true)) return nullptr;
    return timed([&] {
      return make_program_step(key, parts_, {.is_exact = true, .exact_because = because, .stop = &interrupted_, .on_compiled = count},
                               client);
    });
  }
  const auto make = [this, timed, count, key, known_logs, client](std::int64_t rows, const std::vector<LogSource>& known,
                                                                  bool in_background) {
    ProgramKey exact = key;
    exact.batch_size = rows;
    ProgramStepOptions options{
        .known_logs = known, .is_exact = true, .in_background = in_background, .stop = &interrupted_, .on_compiled = count};
    options.known_logs.insert(options.known_logs.end(), known_logs.begin(), known_logs.end());
    return timed([&] { return make_program_step(exact, parts_, options, client); });
  };
  return std::make_shared<ExactStep>(key, num_rows, exact_because_, make);
}

double Trainer::expect_steps(StepRunner& program, const BatchOrder& order, std::int64_t first, std::int64_t count) {
  const double start = seconds_now();
  program.expect(order, first, count);
  return seconds_now() - start;
}

double Trainer::make_steps_ready(StepRunner& program, const BatchOrder& order, std::int64_t first, std::int64_t count) {
  if (program.is_ready(order, first, count)) return 0;
  const double start = seconds_now(), compiled_before = compile_seconds_;
  program.make_ready(order, first, count);
  const double seconds = seconds_now() - start;
  compile_seconds_ = compiled_before + seconds;
  return seconds;
}

std::shared_ptr<StepRunner> Trainer::runner(ProgramKind kind, std::int64_t batch_size, const ArrayData& data, const char* caller) {
  // Programs count a batch's valid rows in 32 bits.
  if (batch_size > std::numeric_limits<std::int32_t>::max())
    invalid_argument("[{}] a batch must have fewer than 2^31 rows; got {}", caller, batch_size);
  const std::shared_ptr<runtime::Client> client = default_client();
  const ProgramKey key = ProgramKey::of(kind, batch_size, data, client.get());
  if (std::shared_ptr<StepRunner> known = find_runner(key)) return known;
  if (kind == ProgramKind::kTrain && parts_.trainable.empty() && !parts_.outputs.empty())
    fmt::print(stderr, "warning: [{}] model \"{}\" has no trainable weights: steps move only what is not trained, such as statistics\n",
               caller, network_->name());
  std::vector<LogSource> known_logs;
  for (const auto& known : runners_)
    if (known->key().kind == kind) known_logs.insert(known_logs.end(), known->logs().begin(), known->logs().end());
  std::shared_ptr<StepRunner> made;
  if (options_.run_eagerly) {
    made = std::make_shared<EagerStep>(key, parts_);
  } else {
    with_shapes_of(data, caller, [&] { made = make_program(key, data.num_rows(), known_logs, client); });
  }
  if (made == nullptr) return nullptr;
  // Those of a client that was replaced would keep it, and its threads.
  std::erase_if(runners_, [&](const std::shared_ptr<StepRunner>& known) { return known->key().client != client.get(); });
  if (runners_.size() >= kKeptPrograms) runners_.erase(runners_.begin());
  runners_.push_back(std::move(made));
  return runners_.back();
}

void Trainer::change_layers(const char* caller, const std::function<void()>& change) {
  const auto claimed = claim(RunClaims::Beside::kNothing, caller);
  change();
  forget_programs();
}

void Trainer::forget_programs() {
  runners_.clear();
  known_outputs_.clear();
  exact_because_.clear();
  predict_exact_because_.clear();
  predicts_exactly_ = false;
  parts_made_ = false;
}

void Trainer::set_stop_training(bool stop) {
  stop_training_.store(stop, std::memory_order_relaxed);
  progress_.stop.store(stop, std::memory_order_relaxed);
}

Trainer::PrepareGuard::PrepareGuard(Trainer& trainer)
    : trainer_(trainer),
      network_(*trainer.network_),
      parts_made_(trainer.parts_made_),
      optimizer_built_(trainer.parts_.optimizer == nullptr || trainer.parts_.optimizer->built()),
      runners_(trainer.runners_) {}

Trainer::PrepareGuard::~PrepareGuard() {
  if (kept_) return;
  trainer_.runners_ = std::move(runners_);
  if (!optimizer_built_) trainer_.parts_.optimizer->forget_variables();
  if (parts_made_) return;
  trainer_.parts_made_ = false;
  trainer_.known_outputs_.clear();
  trainer_.parts_.outputs.clear();
  trainer_.parts_.metrics = {{"loss", trainer_.parts_.loss_tracker}};
  trainer_.parts_.trainable.clear();
}

Trainer::RunScope::RunScope(Trainer& trainer)
    : trainer_(trainer), progress_(trainer.num_running_ == 0 ? trainer.progress_ : trainer.inner_progress_) {
  if (trainer.options_.run_eagerly) op_by_op_.emplace();
  if (trainer_.num_running_++ > 0) return;
  trainer_.set_stop_training(false);
  trainer_.inner_progress_.stop.store(false);
  progress_.steps_done.store(0, std::memory_order_relaxed);
}

Trainer::RunScope::~RunScope() {
  if (--trainer_.num_running_ == 0) trainer_.interrupted_.store(false);
}

void Trainer::check_interrupted(const char* caller) const {
  if (interrupted_.load()) fail(ErrorCode::kCancelled, "[{}] interrupted; the weights are those after the last step that ended", caller);
}

void Trainer::reset_metrics() {
  const auto claimed = claim(RunClaims::Beside::kRunsAround, "reset_metrics");
  for (const NamedMetric& named : parts_.metrics) named.metric->reset_state();
}

Logs Trainer::metrics_result() {
  const auto claimed = claim(RunClaims::Beside::kRunsAround, "get_metrics_result");
  Logs logs;
  for (const NamedMetric& named : parts_.metrics) logs.set(named.name, named.metric->result());
  return logs;
}

}  // namespace cornu::inline v0::keras
