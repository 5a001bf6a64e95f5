#include "cornu/keras/trainer/trainer.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/keras/trainer/run_guard.h"
#include "cornu/tensor/device.h"
#include "cornu/tensor/random.h"

namespace cornu::keras {
namespace {

constexpr std::size_t kKeptPrograms = 8;

const std::string& output_layer_name(const Layer& network) {
  const std::vector<std::shared_ptr<Layer>> layers = network.sublayers();
  return layers.empty() ? network.name() : output_layer_name(*layers.back());
}

}  // namespace

Trainer::Trainer(std::shared_ptr<Layer> network) : network_(std::move(network)) { parts_.network = network_; }

void Trainer::compile(const CompileOptions& options) {
  require_idle("compile");
  // Names are looked up before anything changes.
  if (!options.optimizer.is_set()) invalid_argument("[compile] optimizer is missing");
  std::shared_ptr<Optimizer> optimizer = options.optimizer.get();
  std::shared_ptr<Loss> loss = options.loss.get();
  if (loss != nullptr && loss->reduction() == "none") {
    invalid_argument("[compile] loss \"{}\" has reduction \"none\"; training needs one number: use \"sum_over_batch_size\" or \"sum\"",
                     loss->name());
  }
  for (const MetricSpec& spec : options.metrics) {
    if (!spec.is_set()) invalid_argument("[compile] a metric is empty");
    if (spec.is_name()) metrics::make_metric(spec, {kUnknown, 2}, {kUnknown, 2});
  }

  ModelParts parts;
  parts.network = network_;
  parts.optimizer = std::move(optimizer);
  parts.loss = std::move(loss);
  parts.loss_tracker = std::make_shared<metrics::MeanMetric>("loss");
  if (options.stop_on_nan) parts.fault = Variable(ir::Literal::scalar(DType::kI32, kNoFault), {.name = "fault", .trainable = false});
  parts_ = std::move(parts);
  metric_specs_ = options.metrics;
  metrics_made_ = false;
  seed_ = options.seed.has_value() ? *options.seed : next_seed();
  train_tuner_ = ExecutionTuner(options.steps_per_execution.steps());
  test_tuner_ = predict_tuner_ = train_tuner_;
  runners_.clear();
  compiled_ = true;
}

void Trainer::require_compiled(const char* caller) const {
  if (!compiled_) {
    fail(ErrorCode::kFailedPrecondition, "[{}] model \"{}\" is not compiled; call compile({{.optimizer = ..., .loss = ...}}) first", caller,
         network_->name());
  }
  if (parts_.loss == nullptr)
    fail(ErrorCode::kFailedPrecondition, "[{}] model \"{}\" was compiled without a loss", caller, network_->name());
}

void Trainer::prepare(const ArrayData& data, const char* caller, const char* labels_name) {
  Dims input = data.x.shape();
  input[0] = kUnknown;
  network_->build_once(input);
  const TensorType output{DType::kF32, network_->compute_output_shape(input)};
  try {
    check_labels(data, *parts_.loss, output, caller, labels_name);
  } catch (const Error& error) {
    fail(error.code(), "{}; {} has shape {}; in layer \"{}\" of model \"{}\"", error.what(), labels_name, ir::shape_str(data.y.shape()),
         output_layer_name(*network_), network_->name());
  }
  if (!metrics_made_) {
    Dims labels = data.y.shape();
    labels[0] = kUnknown;
    parts_.metrics.clear();
    for (const MetricSpec& spec : metric_specs_) parts_.metrics.push_back(metrics::make_metric(spec, labels, output.dims));
    parts_.trainable = network_->trainable_weights();
    metrics_made_ = true;
  }
}

std::shared_ptr<StepRunner> Trainer::runner(ProgramKind kind, std::int64_t batch_size, const ArrayData& data, const char* caller) {
  // Programs count a batch's valid rows in 32 bits.
  if (batch_size > std::numeric_limits<std::int32_t>::max())
    invalid_argument("[{}] a batch must have fewer than 2^31 rows; got {}", caller, batch_size);
  const std::shared_ptr<runtime::Client> client = default_client();
  const ProgramKey key = ProgramKey::of(kind, batch_size, data, client.get());
  const auto found = std::find_if(runners_.begin(), runners_.end(), [&](const auto& known) { return known->key() == key; });
  if (found != runners_.end()) {
    std::rotate(found, found + 1, runners_.end());
    return runners_.back();
  }
  const double start = seconds_now();
  if (kind == ProgramKind::kTrain && parts_.trainable.empty())
    fail(ErrorCode::kFailedPrecondition, "[fit] model \"{}\" has no trainable weights", network_->name());
  std::shared_ptr<StepRunner> made;
  try {
    made = make_step_runner(key, parts_, client);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kInvalidArgument) throw;
    fail(error.code(), "{}; x has shape {} and dtype {}", error.what(), ir::shape_str(data.x.shape()), ir::numpy_name(data.x.dtype()));
  }
  compile_seconds_ += seconds_now() - start;
  ++num_compiles_;
  if (runners_.size() >= kKeptPrograms) runners_.erase(runners_.begin());
  runners_.push_back(std::move(made));
  return runners_.back();
}

void Trainer::forget_programs() {
  runners_.clear();
  metrics_made_ = false;
}

void Trainer::set_stop_training(bool stop) {
  stop_training_.store(stop, std::memory_order_relaxed);
  progress_.stop.store(stop, std::memory_order_relaxed);
}

Trainer::PrepareGuard::PrepareGuard(Trainer& trainer)
    : trainer_(trainer),
      network_(*trainer.network_),
      metrics_made_(trainer.metrics_made_),
      optimizer_built_(trainer.parts_.optimizer == nullptr || trainer.parts_.optimizer->built()),
      runners_(trainer.runners_) {}

Trainer::PrepareGuard::~PrepareGuard() {
  if (kept_) return;
  trainer_.runners_ = std::move(runners_);
  if (!optimizer_built_) trainer_.parts_.optimizer->forget_variables();
  if (metrics_made_) return;
  trainer_.metrics_made_ = false;
  trainer_.parts_.metrics.clear();
  trainer_.parts_.trainable.clear();
}

Trainer::RunScope::RunScope(Trainer& trainer)
    : trainer_(trainer), progress_(trainer.num_running_ == 0 ? trainer.progress_ : trainer.inner_progress_) {
  if (trainer_.num_running_++ > 0) return;
  trainer_.set_stop_training(false);
  trainer_.interrupted_.store(false);
  trainer_.inner_progress_.stop.store(false);
  progress_.steps_done.store(0, std::memory_order_relaxed);
}

void Trainer::require_idle(const char* caller) const {
  if (num_running_ > 0) {
    fail(ErrorCode::kFailedPrecondition,
         "[{}] model \"{}\" is running: a callback cannot change or train it; set_stop_training(true) ends the run", caller,
         network_->name());
  }
}

void Trainer::check_interrupted(const char* caller) const {
  if (interrupted_.load()) fail(ErrorCode::kCancelled, "[{}] interrupted; the weights are those after the last step that ended", caller);
}

void Trainer::reset_metrics() {
  parts_.loss_tracker->reset_state();
  for (const auto& metric : parts_.metrics) metric->reset_state();
}

void Trainer::read_metrics(Logs& logs) const {
  logs.clear();
  logs.set(parts_.loss_tracker->name(), parts_.loss_tracker->result().item<double>());
  for (const auto& metric : parts_.metrics) logs.set(metric->name(), metric->result().item<double>());
  logs.sort_by_name();
}

void Trainer::read_metrics_of(void* trainer, Logs& logs) { static_cast<const Trainer*>(trainer)->read_metrics(logs); }

}  // namespace cornu::keras
