#include "cornu/keras/distillation/distiller.h"

#include <algorithm>
#include <optional>

#include "cornu/base/check.h"
#include "cornu/keras/metrics/metrics.h"
#include "cornu/keras/network/network.h"
#include "cornu/tensor/gradient_tape.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::distillation {
namespace {

/// The outputs of a model and of some of its layers, in one call.
class FeatureExtractor {
 public:
  /// `role`: "teacher" or "student". Errors: those of Distiller.
  FeatureExtractor(const Model& model, const std::vector<std::string>& layer_names, const char* role)
      : model_(model) {
    for (const std::string& name : layer_names)
      if (!name.empty() && std::find(names_.begin(), names_.end(), name) == names_.end())
        names_.push_back(name);
    if (names_.empty()) return;
    if (model.inputs().empty())
      invalid_argument(
          {.argument = "distillation_losses"},
          "[distiller] layers are found by name in functional and Sequential models that are built; "
          "the {} \"{}\" has no graph",
          role, model.name());
    std::vector<KerasTensor> outputs = model.outputs();
    num_outputs_ = outputs.size();
    for (const std::string& name : names_) outputs.push_back(model.get_layer(name).output());
    extractor_ = Model({.inputs = model.inputs(), .outputs = outputs});
  }

  bool has_layers() const { return !names_.empty(); }

  /// The outputs of a call: of the model, and of each layer.
  struct Features {
    Tensors outputs;
    std::vector<Tensor> of_layers;
  };
  Features operator()(const StepData& data, bool training) const {
    if (!has_layers())
      return {Tensors(model_.call_many(data.x, {.training = training, .rows = data.rows})), {}};
    const std::vector<Tensor> all = extractor_.call_many(data.x, {.training = training, .rows = data.rows});
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(num_outputs_);
    return {Tensors(std::vector<Tensor>(all.begin(), middle)), {middle, all.end()}};
  }
  /// The part of the features that a loss compares.
  Tensors of(const Features& features, const std::string& layer_name) const {
    if (layer_name.empty()) return features.outputs;
    const auto found = std::find(names_.begin(), names_.end(), layer_name);
    return {features.of_layers[static_cast<std::size_t>(found - names_.begin())]};
  }

 private:
  Model model_, extractor_;
  std::vector<std::string> names_;
  std::size_t num_outputs_ = 0;
};

std::vector<std::string> layer_names(const DistillerOptions& options,
                                     std::string (DistillationLoss::*name)() const) {
  std::vector<std::string> names;
  for (const DistillationLossSpec& loss : options.distillation_losses)
    if (loss.get() != nullptr) names.push_back((*loss.get().*name)());
  return names;
}

class DistillerNetwork : public Network {
 public:
  explicit DistillerNetwork(const DistillerOptions& options)
      : Network("Distiller", options.name),
        teacher_(options.teacher, layer_names(options, &DistillationLoss::teacher_layer_name), "teacher"),
        student_(options.student, layer_names(options, &DistillationLoss::student_layer_name), "student"),
        student_model_(track(LayerHandle(options.student), "student")),
        losses_(options.distillation_losses),
        weights_(options.distillation_loss_weights),
        student_weight_(options.student_loss_weight) {
    track(LayerHandle(options.teacher), "teacher");
    weights_.resize(losses_.size(), 1.0);
  }

  std::vector<Tensor> call_for(std::span<const Tensor> inputs, const CallContext& context) override {
    return student_model_.call_many(std::vector<Tensor>(inputs.begin(), inputs.end()),
                                    {.training = context.training, .rows = context.rows});
  }

  StepLogs train_step(StepTools& tools, const StepData& data) override {
    is_training_ = true;
    return Network::train_step(tools, data);
  }
  StepLogs test_step(StepTools& tools, const StepData& data) override {
    is_training_ = false;
    return Network::test_step(tools, data);
  }

  Tensor compute_loss(StepTools& tools, const StepData& data, const Tensors& y_pred) override {
    const Tensor zero = Tensor::zeros({});
    const Tensor of_student = student_weight_ > 0 ? tools.compute_loss(data, y_pred) : zero;
    const Tensor of_teacher = student_weight_ < 1 ? distillation_loss(data, y_pred) : zero;
    const Tensor total = of_student * student_weight_ + of_teacher * (1.0 - student_weight_);
    student_loss_.update_state(of_student);
    distillation_loss_.update_state(of_teacher);
    total_loss_.update_state(total);
    return total;
  }

 private:
  Tensor distillation_loss(const StepData& data, const Tensors& y_pred) const {
    const FeatureExtractor::Features of_teacher = teacher_(data, false);
    FeatureExtractor::Features of_student = {y_pred, {}};
    if (student_.has_layers()) of_student.of_layers = student_(data, is_training_).of_layers;
    Tensor sum = Tensor::zeros({});
    for (std::size_t i = 0; i < losses_.size(); ++i) {
      const DistillationLoss& loss = *losses_[i].get();
      const Tensors teacher = stopped(teacher_.of(of_teacher, loss.teacher_layer_name())),
                    student = student_.of(of_student, loss.student_layer_name());
      loss.validate_outputs(teacher.size(), student.size());
      const Tensor own = loss.compute_loss(teacher, student, data.rows);
      if (own.rank() != 0)
        invalid_argument("[distiller] compute_loss must return a scalar; distillation loss {} has shape {}",
                         i, ir::shape_str(own.shape()));
      sum = sum + own * weights_[i];
    }
    return sum;
  }

  static Tensors stopped(const Tensors& outputs) {
    std::vector<Tensor> constants;
    for (const Tensor& output : outputs) constants.push_back(ops::stop_gradient(output));
    return {std::move(constants)};
  }

  FeatureExtractor teacher_, student_;
  LayerHandle student_model_;
  std::vector<DistillationLossSpec> losses_;
  std::vector<double> weights_;
  double student_weight_;
  bool is_training_ = false;
  metrics::Mean student_loss_ = track(metrics::Mean({.name = "student_loss"}));
  metrics::Mean distillation_loss_ = track(metrics::Mean({.name = "distillation_loss"}));
  metrics::Mean total_loss_ = track(metrics::Mean({.name = "total_loss"}));
};

std::shared_ptr<Layer> made(const DistillerOptions& options) {
  const auto refuse = [](const char* argument, const std::string& problem) {
    invalid_argument({.argument = argument}, "[distiller] {} {}", argument, problem);
  };
  if (options.teacher.shared() == nullptr) refuse("teacher", "must be a model");
  if (options.student.shared() == nullptr) refuse("student", "must be a model");
  if (!(options.student_loss_weight >= 0 && options.student_loss_weight <= 1))
    refuse("student_loss_weight", fmt::format("must be in [0, 1]; got {}", options.student_loss_weight));
  if (options.distillation_losses.empty()) refuse("distillation_losses", "must have at least one loss");
  for (const DistillationLossSpec& loss : options.distillation_losses)
    if (loss.get() == nullptr) refuse("distillation_losses", "must not have a null pointer");
  if (const std::size_t count = options.distillation_loss_weights.size();
      count != 0 && count != options.distillation_losses.size())
    refuse("distillation_loss_weights", fmt::format("must have a weight for each of {} losses; got {}",
                                                    options.distillation_losses.size(), count));
  options.teacher->set_trainable(false);
  return std::make_shared<DistillerNetwork>(options);
}

}  // namespace

Distiller::Distiller(const DistillerOptions& options)
    : Model(made(options)), teacher_(options.teacher), student_(options.student) {}

}  // namespace cornu::inline v0::keras::distillation
