#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "cornu/base/one_or_more.h"
#include "cornu/keras/base/row_mask.h"
#include "cornu/keras/base/tensors.h"
#include "cornu/keras/losses/loss.h"
#include "cornu/keras/models/model.h"

namespace cornu::inline v0::keras::distillation {

/// A measure of how far a student's outputs, or features inside of it, are from the teacher's.
///
/// For losses of your own derive a class and implement compute_loss().
class DistillationLoss {
 public:
  virtual ~DistillationLoss() = default;

  /// The names of the layers whose outputs are compared; empty: the models' outputs.
  virtual std::string teacher_layer_name() const { return {}; }
  virtual std::string student_layer_name() const { return {}; }
  /// The loss, a scalar: the mean over the rows of the batch that are data.
  virtual Tensor compute_loss(const Tensors& teacher_outputs, const Tensors& student_outputs,
                              const RowMask& rows = {}) const = 0;
  /// Checks the numbers of outputs before the first step. Errors: InvalidArgument if they do not fit.
  virtual void validate_outputs(std::size_t num_teacher_outputs, std::size_t num_student_outputs) const;
};

/// A loss by value, or by shared pointer, as an argument of Distiller.
class DistillationLossSpec {
 public:
  template <typename T>
    requires std::is_base_of_v<DistillationLoss, T>
  DistillationLossSpec(T loss) : loss_(std::make_shared<T>(std::move(loss))) {}
  DistillationLossSpec(std::shared_ptr<const DistillationLoss> loss) : loss_(std::move(loss)) {}
  /// Null for a null pointer.
  const std::shared_ptr<const DistillationLoss>& get() const { return loss_; }

 private:
  std::shared_ptr<const DistillationLoss> loss_;
};

struct LogitsDistillationOptions {  // options/distillation.toml
  /// Divisor of the logits; must be positive.
  double temperature = 3.0;
  /// Loss of each output; a default-constructed one leaves its output out.
  OneOrMore<LossSpec> loss = {"kl_divergence"};
};

/// Compares logits, divided by the temperature. KLDivergence gets their softmax, and is multiplied by the
/// square of the temperature; other losses get the quotients. In Keras that holds for an object KLDivergence;
/// its name, Keras's default, there means the function on quotients, which are no probabilities.
/// Errors: InvalidArgument unless the temperature is positive and a loss is set.
class LogitsDistillation : public DistillationLoss {
 public:
  explicit LogitsDistillation(LogitsDistillationOptions options = {});
  explicit LogitsDistillation(NoOptions) : LogitsDistillation() {}
  Tensor compute_loss(const Tensors& teacher_outputs, const Tensors& student_outputs,
                      const RowMask& rows = {}) const override;
  void validate_outputs(std::size_t num_teacher_outputs, std::size_t num_student_outputs) const override;

 private:
  double temperature_;
  std::vector<std::shared_ptr<Loss>> losses_;
};

struct FeatureDistillationOptions {  // options/distillation.toml
  /// Loss of each output; a default-constructed one leaves its output out.
  OneOrMore<LossSpec> loss = {"mse"};
  /// Layer of the teacher whose output is compared; empty: the model's outputs.
  std::string teacher_layer_name = {};
  /// Layer of the student whose output is compared; empty: the model's outputs.
  std::string student_layer_name = {};
};

/// Compares outputs of layers inside of the models.
/// Errors: InvalidArgument if no loss is set.
class FeatureDistillation : public DistillationLoss {
 public:
  explicit FeatureDistillation(FeatureDistillationOptions options = {});
  explicit FeatureDistillation(NoOptions) : FeatureDistillation() {}
  std::string teacher_layer_name() const override { return teacher_layer_name_; }
  std::string student_layer_name() const override { return student_layer_name_; }
  Tensor compute_loss(const Tensors& teacher_outputs, const Tensors& student_outputs,
                      const RowMask& rows = {}) const override;
  void validate_outputs(std::size_t num_teacher_outputs, std::size_t num_student_outputs) const override;

 private:
  std::string teacher_layer_name_, student_layer_name_;
  std::vector<std::shared_ptr<Loss>> losses_;
};

}  // namespace cornu::inline v0::keras::distillation
