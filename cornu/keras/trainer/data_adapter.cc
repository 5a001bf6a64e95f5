#include "cornu/keras/trainer/data_adapter.h"

#include <algorithm>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/log_formatted.h"
#include "cornu/keras/base/align.h"
#include "cornu/keras/optimizers/loss_scale_optimizer.h"
#include "cornu/keras/trainer/label_ids.h"
#include "cornu/keras/trainer/output_types.h"
#include "cornu/keras/trainer/shape_notes.h"
#include "cornu/keras/trainer/step_tools.h"
#include "cornu/runtime/default_precision.h"
#include "cornu/tensor/device.h"

namespace cornu::inline v0::keras {
namespace {

const std::string& output_layer_name(const Layer& network) {
  const std::vector<std::shared_ptr<Layer>> layers = network.sublayers();
  return layers.empty() ? network.name() : output_layer_name(*layers.back());
}

}  // namespace

DataAdapter::DataAdapter(std::shared_ptr<Layer> layer, std::shared_ptr<Network> network)
    : layer_(std::move(layer)) {
  parts_.network = std::move(network);
}

void DataAdapter::compile(const CompileOptions& options) {
  check_compile_options(options, network().output_names());
  ModelParts parts;
  parts.network = parts_.network;
  parts.optimizer = options.optimizer.get({"compile", "optimizer"});
  if (options.auto_scale_loss && network().dtype_policy() == DTypePolicy("mixed_float16") &&
      parts.optimizer->inner_optimizer() == nullptr)
    parts.optimizer =
        optimizers::LossScaleOptimizer({.inner_optimizer = parts.optimizer, .name = "loss_scale_optimizer"})
            .shared();
  parts.loss_tracker = std::make_shared<metrics::MeanMetric>("loss");
  parts.metrics = {{"loss", parts.loss_tracker}};
  parts.faults = {.ids = options.check_ids, .non_finite = options.stop_on_nan};
  parts.convolution_algorithm = options.convolution_algorithm.value();
  parts.precision = runtime::precision_or_default(options.precision.value());
  parts_ = std::move(parts);
  options_ = options;
  forget();
  compiled_ = true;
}

void DataAdapter::require_compiled(const char* caller) const {
  if (compiled_) return;
  fail(ErrorCode::kFailedPrecondition,
       "[{}] model \"{}\" is not compiled; call compile({{.optimizer = ..., .loss = ...}}) first", caller,
       network().name());
}

void DataAdapter::forget() {
  known_outputs_.clear();
  parts_made_ = false;
}

ArrayData DataAdapter::arranged(const Tensors& x, const Tensors& y, const Tensors& sample_weight,
                                const char* caller) const {
  const auto in_order = [&](const Tensors& arrays, const std::vector<std::string>& names, const char* what,
                            std::size_t num_optional = 0) {
    try {
      if (arrays.empty() || (names.empty() && !arrays.is_named())) return arrays;
      if (names.empty())
        invalid_argument("{} has names, but model \"{}\" has none for it", what, network().name());
      return arrays.is_named() ? arrays.ordered(names, what, num_optional) : arrays;
    } catch (const Error& error) {
      throw error.said_by(caller);
    }
  };
  const std::vector<std::string> inputs = layer().input_names(), outputs = network().output_names();
  const std::size_t num_optional = layer().num_optional_inputs(), num_needed = inputs.size() - num_optional;
  ArrayData data{in_order(x, inputs, "x", num_optional), in_order(y, outputs, "y"),
                 in_order(sample_weight, outputs, "sample_weight")};
  check_arrays(data, caller);
  if (!inputs.empty() && (data.x.size() < num_needed || data.x.size() > inputs.size()))
    invalid_argument("[{}] model \"{}\" takes {}{} inputs ({}); got {}", caller, network().name(),
                     num_optional == 0 ? "" : fmt::format("{} to ", num_needed), inputs.size(),
                     fmt::join(inputs, ", "), data.x.size());
  return with_wide_floats(data);
}

bool DataAdapter::has_known_outputs() const {
  return options_.loss.is_set() || options_.metrics.is_set() || options_.weighted_metrics.is_set();
}

DataAdapter::KnownOutputs& DataAdapter::known_outputs_for(const ArrayData& data) {
  std::vector<TensorType> inputs;
  for (const Tensor& array : data.x) inputs.push_back(model_type(array.type()));
  for (TensorType& input : inputs) input.dims[0] = kUnknown;
  const auto found = std::find_if(known_outputs_.begin(), known_outputs_.end(),
                                  [&](const KnownOutputs& known) { return known.inputs == inputs; });
  if (found != known_outputs_.end()) {
    std::rotate(found, found + 1, known_outputs_.end());
    return known_outputs_.back();
  }
  std::vector<TensorType> outputs =
      options_.run_eagerly ? concrete_output_types(layer(), data) : output_types(layer(), inputs);
  if (known_outputs_.size() == kKnownOutputs) known_outputs_.erase(known_outputs_.begin());
  known_outputs_.push_back({.inputs = std::move(inputs), .types = std::move(outputs)});
  return known_outputs_.back();
}

const std::vector<TensorType>& DataAdapter::outputs_for(const ArrayData& data) {
  static const auto& kNone = *new std::vector<TensorType>;
  return has_known_outputs() ? known_outputs_for(data).types : kNone;
}

bool DataAdapter::has_mask(const ArrayData& data, std::size_t output) {
  KnownOutputs& known = known_outputs_for(data);
  if (!known.have_masks.has_value()) known.have_masks = masked_outputs(layer(), data, options_.run_eagerly);
  return output < known.have_masks->size() && (*known.have_masks)[output];
}

void DataAdapter::build_for_inputs(const ArrayData& data, const char* caller) {
  std::vector<Dims> shapes;
  for (const Tensor& array : data.x) {
    shapes.push_back(array.shape());
    shapes.back()[0] = kUnknown;
  }
  with_shapes_of(data, caller, [&] { layer().build_once_for(shapes); });
}

void DataAdapter::prepare(ArrayData& data, const char* caller, const char* labels_name,
                          const ClassWeight& class_weight, RowsGiven given) {
  const detail::HostScope on_host;  // for initial values
  if (has_known_outputs())
    build_for_inputs(data, caller);  // else the first step builds the layers that it calls
  with_shapes_of(data, caller, [&] { outputs_for(data); });
  if (!parts_made_) {
    parts_.outputs.assign(outputs_for(data).size(), {});
    parts_.metrics = {{"loss", parts_.loss_tracker}};
  }
  spread_over_outputs(data, caller, labels_name);
  if (!parts_made_) make_parts_for(data);
  apply_class_weight(data, class_weight, given, caller);  // a class of weight 0 may have any id
  check_data(data, caller, labels_name);
}

void DataAdapter::make_parts_for(const ArrayData& data) {
  const std::vector<TensorType> outputs = outputs_for(data);
  std::vector<TensorType> labels(outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const bool given = i < data.y.size() && data.y[i].defined();
    labels[i] = given ? data.y[i].type() : outputs[i];
    if (!labels[i].dims.empty()) labels[i].dims[0] = kUnknown;
  }
  make_parts(parts_, options_, labels, outputs, network().output_names());
  parts_.trainable = network().trainable_weights();
  parts_made_ = true;
}

void DataAdapter::spread_over_outputs(ArrayData& data, const char* caller, const char* labels_name) const {
  const std::size_t n = parts_.outputs.size();
  if (n == 0) return;  // the network's own step handles its outputs
  if (data.y.empty()) {
    if (options_.loss.is_set())
      invalid_argument("[{}] {} is missing: the loss compares the model's output with it", caller,
                       labels_name);
  } else if (data.y.size() != n) {
    const std::vector<bool> has_loss = outputs_with_loss(options_, n, network().output_names());
    const auto num_losses = static_cast<std::size_t>(std::count(has_loss.begin(), has_loss.end(), true));
    if (data.y.size() != num_losses)
      invalid_argument("[{}] {} must hold a tensor for each of the {} outputs of model \"{}\"; got {}",
                       caller, labels_name, n, network().name(), data.y.size());
    std::vector<Tensor> labels(n);
    for (std::size_t i = 0, next = 0; i < n; ++i)
      if (has_loss[i]) labels[i] = data.y[next++];
    data.y = Tensors(std::move(labels));
  }
  if (data.sample_weight.empty() || data.sample_weight.size() == n) return;
  if (data.sample_weight.size() != 1)
    invalid_argument("[{}] sample_weight must hold one tensor, or one for each of the {} outputs; got {}",
                     caller, n, data.sample_weight.size());
  const Tensor& weight = data.sample_weight[0];
  if (weight.num_elements() != weight.num_rows()) {
    invalid_argument("[{}] one sample_weight for all of several outputs must have one weight a row; got {}",
                     caller, ir::shape_str(weight.shape()));
  }
  data.sample_weight = Tensors(std::vector<Tensor>(n, weight));
}

// Labels without weight may be any number: padding is often labelled -1. The labels that an output's mask
// excludes are only known in the step, where check_ids finds wrong ones among the others.
void DataAdapter::check_output_labels(const ArrayData& data, std::size_t output, const TensorType& type,
                                      const char* caller, const char* labels_name) {
  const Loss& loss = *parts_.outputs[output].loss;
  Tensor labels = data.y[output];
  TensorType labels_type = labels.type();
  labels_type.dims[0] = kUnknown;
  loss.check_types(labels_type, type);
  std::optional<WrongId> wrong = first_wrong_id(labels, loss, type);
  if (!wrong.has_value()) return;
  if (output < data.sample_weight.size() && data.sample_weight[output].defined()) {
    const detail::HostScope on_host;
    labels = counted_labels(labels, data.sample_weight[output], 0);
    wrong = first_wrong_id(labels, loss, type);
    if (!wrong.has_value()) return;
  }
  if (!has_mask(data, output)) check_labels(labels, loss, type, caller, labels_name);  // throws
  const bool may_be_padding = wrong->value < 0;
  if (may_be_padding || options_.check_ids || options_.run_eagerly ||
      std::exchange(warned_of_masked_ids_, true))
    return;
  log_warning(
      "[{}] label {} in row {} of {} is not a class id in [0, {}). The output has a mask, and labels of "
      "steps that it leaves out may be any number; .check_ids = true of compile() looks at the steps that "
      "count",
      caller, wrong->value, wrong->row, labels_name, wrong->num_classes);
}

void DataAdapter::check_data(const ArrayData& data, const char* caller, const char* labels_name) {
  if (parts_.outputs.empty()) return;
  const std::vector<TensorType>& outputs = outputs_for(data);
  const std::vector<std::string> names = network().output_names();
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const std::shared_ptr<Loss>& loss = parts_.outputs[i].loss;
    if (loss != nullptr && i < data.y.size() && data.y[i].defined()) {
      try {
        check_output_labels(data, i, outputs[i], caller, labels_name);
      } catch (const Error& error) {
        const std::string output_layer = names.empty() ? output_layer_name(layer()) : names[i];
        const std::string labels =
            outputs.size() == 1 ? std::string(labels_name) : fmt::format("{}[{}]", labels_name, i);
        throw error.with({.argument = labels_name,
                          .layer = output_layer,
                          .model = network().name(),
                          .notes = fmt::format("{} has shape {}", labels, ir::shape_str(data.y[i].shape()))});
      }
    }
    if (i < data.sample_weight.size() && data.sample_weight[i].defined())
      check_sample_weight(data.sample_weight[i], array_name("sample_weight", data.sample_weight, i),
                          outputs[i], caller);
  }
}

void DataAdapter::apply_class_weight(ArrayData& data, const ClassWeight& class_weight, RowsGiven given,
                                     const char* caller) {
  if (class_weight.empty()) return;
  if (!data.sample_weight.empty())
    invalid_argument("[{}] class_weight and sample_weight exclude each other", caller);
  if (data.y.size() != 1 || parts_.outputs.size() > 1)
    invalid_argument("[{}] class_weight is for models of one output; this one has {}", caller,
                     std::max(data.y.size(), parts_.outputs.size()));
  const TensorType output =
      parts_.outputs.empty() ? TensorType{DType::kF32, {kUnknown}} : outputs_for(data)[0];
  data.sample_weight = weights_of_classes(class_weight, data.y[0], output, given, caller);
}

DataAdapter::Guard::Guard(DataAdapter& data_adapter)
    : data_adapter_(data_adapter),
      layer_(data_adapter.layer()),
      parts_made_(data_adapter.parts_made_),
      optimizer_built_(data_adapter.parts_.optimizer == nullptr || data_adapter.parts_.optimizer->built()) {}

DataAdapter::Guard::~Guard() {
  if (kept_) return;
  ModelParts& parts = data_adapter_.parts_;
  if (!optimizer_built_) parts.optimizer->forget_variables();
  if (parts_made_) return;
  data_adapter_.forget();
  parts.outputs.clear();
  parts.metrics = {{"loss", parts.loss_tracker}};
  parts.trainable.clear();
}

}  // namespace cornu::inline v0::keras
