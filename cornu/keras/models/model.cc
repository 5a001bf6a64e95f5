#include "cornu/keras/models/model.h"

#include <utility>

#include "cornu/base/check.h"
#include "cornu/ir/print.h"
#include "cornu/keras/base/names.h"
#include "cornu/keras/trainer/trainer.h"

namespace cornu::inline v0::keras {
namespace {

/// The result of the network's layers().
std::vector<std::shared_ptr<Layer>> layers_of(const LayerHandle& model) {
  return model->as_network()->layers();
}

/// The network, after checking that its graph is known.
const Network& with_graph(const Network& network) {
  if (network.outputs().empty()) {
    fail(ErrorCode::kFailedPrecondition,
         "model \"{}\" has no graph of layers: it is neither functional nor a Sequential that knows its "
         "input shape",
         network.name());
  }
  return network;
}

}  // namespace

Model::Model(std::shared_ptr<Layer> network)
    : LayerHandle(std::move(network)), trainer_(std::make_shared<Trainer>(shared())) {}

void Model::compile(const CompileOptions& options) { trainer_->compile(options); }
// The run uses a handle of its own: callbacks may destroy this one.
callbacks::History Model::fit(const Tensors& x, const Tensors& y, const FitOptions& options) {
  Model own(*this);
  return own.trainer_->fit(&own, x, y, options);
}
Logs Model::evaluate(const Tensors& x, const Tensors& y, const EvaluateOptions& options) {
  Model own(*this);
  return own.trainer_->evaluate(&own, x, y, options);
}
Tensors Model::predict_many(const Tensors& x, const PredictOptions& options) {
  Model own(*this);
  return own.trainer_->predict(&own, x, options);
}
Tensor Model::only_output(const Tensors& outputs, const char* caller) const {
  if (outputs.size() != 1)
    invalid_argument("[{}] model \"{}\" has {} outputs: use predict_many()", caller, name(), outputs.size());
  return outputs[0];
}
void Model::predict_into(const Tensors& x, std::span<const OutputMemory> outputs,
                         const PredictOptions& options) {
  trainer_->predict_into(this, x, outputs, options);
}
Tensor Model::predict(const Tensors& x, const PredictOptions& options) {
  Model own(*this);
  return own.only_output(own.trainer_->predict(&own, x, options), "predict");
}
callbacks::History Model::fit(BatchSource& source, const FitOptions& options) {
  Model own(*this);
  return own.trainer_->fit(&own, source, options);
}
Logs Model::evaluate(BatchSource& source, const EvaluateOptions& options) {
  Model own(*this);
  return own.trainer_->evaluate(&own, source, options);
}
Tensors Model::predict_many(BatchSource& source, const PredictOptions& options) {
  Model own(*this);
  return own.trainer_->predict(&own, source, options);
}
Tensor Model::predict(BatchSource& source, const PredictOptions& options) {
  Model own(*this);
  return own.only_output(own.trainer_->predict(&own, source, options), "predict");
}
callbacks::History Model::fit(const data::Dataset& dataset, const FitOptions& options) {
  Model own(*this);
  return own.trainer_->fit(&own, dataset, options);
}
Logs Model::evaluate(const data::Dataset& dataset, const EvaluateOptions& options) {
  Model own(*this);
  return own.trainer_->evaluate(&own, dataset, options);
}
Tensors Model::predict_many(const data::Dataset& dataset, const PredictOptions& options) {
  Model own(*this);
  return own.trainer_->predict(&own, dataset, options);
}
Tensor Model::predict(const data::Dataset& dataset, const PredictOptions& options) {
  Model own(*this);
  return own.only_output(own.trainer_->predict(&own, dataset, options), "predict");
}
StateValues Model::training_state() const { return trainer_->training_state(); }
Logs Model::train_on_batch(const Tensors& x, const Tensors& y, const TrainOnBatchOptions& options) {
  return trainer_->train_on_batch(x, y, options);
}
Logs Model::test_on_batch(const Tensors& x, const Tensors& y, const TestOnBatchOptions& options) {
  return trainer_->test_on_batch(x, y, options);
}
Tensor Model::predict_on_batch(const Tensors& x) {
  return only_output(trainer_->predict_on_batch(x), "predict_on_batch");
}

std::vector<MetricHandle> Model::metrics() const {
  std::vector<MetricHandle> all;
  for (const NamedMetric& named : trainer_->metrics()) all.emplace_back(named.metric);
  return all;
}
std::vector<std::string> Model::metrics_names() const {
  std::vector<std::string> names;
  for (const NamedMetric& named : trainer_->metrics()) names.push_back(named.name);
  return names;
}
Logs Model::get_metrics_result() const { return trainer_->metrics_result(); }
void Model::reset_metrics() { trainer_->reset_metrics(); }

void Model::change_layers(const char* caller, const std::function<void()>& change) {
  trainer_->change_layers(caller, change);
}
void Model::set_stop_training(bool stop) { trainer_->set_stop_training(stop); }
bool Model::stop_training() const { return trainer_->stop_training(); }
OptimizerHandle Model::optimizer() const { return trainer_->optimizer(); }
bool Model::compiled() const { return trainer_->compiled(); }
int Model::num_compiles() const { return trainer_->num_compiles(); }
double Model::compile_seconds() const { return trainer_->compile_seconds(); }

std::vector<LayerHandle> Model::layers() const {
  std::vector<LayerHandle> all;
  for (const std::shared_ptr<Layer>& layer : layers_of(*this)) all.emplace_back(layer);
  return all;
}

LayerHandle Model::get_layer(StringViewArgument layer_name) const {
  std::vector<std::string> names;
  for (const std::shared_ptr<Layer>& layer : layers_of(*this)) {
    if (layer->name() == layer_name) return layer;
    names.push_back(layer->name());
  }
  unknown_name({"get_layer", "name"}, layer_name, names);
}

LayerHandle Model::get_layer(std::int64_t index) const {
  const std::vector<std::shared_ptr<Layer>> all = layers_of(*this);
  const auto count = static_cast<std::int64_t>(all.size());
  if (index < -count || index >= count)
    fail(ErrorCode::kOutOfRange, {.argument = "index"},
         "[get_layer] model \"{}\" has {} layers; got index = {}", name(), count, index);
  return all[static_cast<std::size_t>(index < 0 ? index + count : index)];
}

std::vector<KerasTensor> Model::inputs() const { return with_graph(*(*this)->as_network()).inputs(); }
std::vector<KerasTensor> Model::outputs() const { return with_graph(*(*this)->as_network()).outputs(); }

TrainProgramReport Model::train_program(const Tensors& x, const Tensors& y, const FitOptions& options) {
  const std::shared_ptr<const StepRunner> runner = trainer_->prepare_train(x, y, options);
  const CompiledStep& step = *runner->compiled();
  return {.stablehlo = ir::to_stablehlo(*step.traced().function),
          .explain = runner->explain(),
          .stats = step.executable().stats()};
}

const runtime::Executable& Model::train_executable(const Tensors& x, const Tensors& y,
                                                   const FitOptions& options) {
  return trainer_->prepare_train(x, y, options)->compiled()->executable();
}

const runtime::Executable& Model::predict_executable(const Tensors& x, const PredictOptions& options) {
  return trainer_->prepare_predict(x, options)->compiled()->executable();
}

}  // namespace cornu::inline v0::keras
