#include "cornu/keras/distillation/distillation_loss.h"

#include <algorithm>
#include <cmath>

#include "cornu/base/check.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::distillation {
namespace {

std::vector<std::shared_ptr<Loss>> made(const char* caller, const std::vector<LossSpec>& specs) {
  std::vector<std::shared_ptr<Loss>> losses;
  for (const LossSpec& spec : specs) losses.push_back(spec.get({caller, "loss"}));
  if (std::all_of(losses.begin(), losses.end(), [](const auto& loss) { return loss == nullptr; }))
    invalid_argument({.argument = "loss"}, "[{}] at least one loss must be set", caller);
  return losses;
}

void check_counts(const char* caller, std::size_t losses, std::size_t teacher, std::size_t student) {
  if (losses != teacher || losses != student)
    invalid_argument(
        {.argument = "loss"},
        "[{}] give a loss for each output: there are {} losses, {} outputs of the teacher and {} of "
        "the student",
        caller, losses, teacher, student);
}

/// The sum over the outputs; value(loss, i) is that of one output.
template <typename Value>
Tensor sum_of(const std::vector<std::shared_ptr<Loss>>& losses, const Value& value) {
  Tensor sum;
  for (std::size_t i = 0; i < losses.size(); ++i) {
    if (losses[i] == nullptr) continue;
    const Tensor own = value(*losses[i], i);
    sum = sum.defined() ? sum + own : own;
  }
  return sum;
}

bool is_divergence(const Loss& loss) { return loss.description().class_name == "KLDivergence"; }

}  // namespace

void DistillationLoss::validate_outputs(std::size_t num_teacher_outputs,
                                        std::size_t num_student_outputs) const {
  if (num_teacher_outputs != num_student_outputs)
    invalid_argument("[distillation_loss] the teacher has {} outputs and the student {}", num_teacher_outputs,
                     num_student_outputs);
}

LogitsDistillation::LogitsDistillation(LogitsDistillationOptions options)
    : temperature_(options.temperature), losses_(made("logits_distillation", options.loss)) {
  if (!(temperature_ > 0) || !std::isfinite(temperature_))
    invalid_argument({.argument = "temperature"},
                     "[logits_distillation] temperature must be positive; got temperature = {}",
                     temperature_);
}

void LogitsDistillation::validate_outputs(std::size_t num_teacher_outputs,
                                          std::size_t num_student_outputs) const {
  check_counts("logits_distillation", losses_.size(), num_teacher_outputs, num_student_outputs);
}

Tensor LogitsDistillation::compute_loss(const Tensors& teacher_outputs, const Tensors& student_outputs,
                                        const RowMask& rows) const {
  validate_outputs(teacher_outputs.size(), student_outputs.size());
  return sum_of(losses_, [&](const Loss& loss, std::size_t i) {
    const Tensor teacher = teacher_outputs[i] / temperature_, student = student_outputs[i] / temperature_;
    if (!is_divergence(loss)) return ops::mean(loss(teacher, student, SampleWeights{.rows = rows}));
    const Tensor divergence = loss(ops::softmax(teacher), ops::softmax(student), SampleWeights{.rows = rows});
    return ops::mean(divergence) * (temperature_ * temperature_);
  });
}

FeatureDistillation::FeatureDistillation(FeatureDistillationOptions options)
    : teacher_layer_name_(std::move(options.teacher_layer_name)),
      student_layer_name_(std::move(options.student_layer_name)),
      losses_(made("feature_distillation", options.loss)) {}

void FeatureDistillation::validate_outputs(std::size_t num_teacher_outputs,
                                           std::size_t num_student_outputs) const {
  check_counts("feature_distillation", losses_.size(), num_teacher_outputs, num_student_outputs);
}

Tensor FeatureDistillation::compute_loss(const Tensors& teacher_outputs, const Tensors& student_outputs,
                                         const RowMask& rows) const {
  validate_outputs(teacher_outputs.size(), student_outputs.size());
  return sum_of(losses_, [&](const Loss& loss, std::size_t i) {
    return ops::mean(loss(teacher_outputs[i], student_outputs[i], SampleWeights{.rows = rows}));
  });
}

}  // namespace cornu::inline v0::keras::distillation
