#pragma once

#include <string>
#include <vector>

#include "cornu/keras/distillation/distillation_loss.h"
#include "cornu/keras/models/model.h"

namespace cornu::inline v0::keras::distillation {

struct DistillerOptions {  // options/distillation.toml
  /// Model that is trained already, and gets frozen; required.
  Model teacher;
  /// Model that is trained; required.
  Model student;
  /// Losses between the teacher's and the student's outputs; at least one.
  std::vector<DistillationLossSpec> distillation_losses;
  /// Factor of each of distillation_losses; empty: 1 each.
  std::vector<double> distillation_loss_weights = {};
  /// Share of the compiled loss, in [0, 1].
  double student_loss_weight = 0.5;
  /// Name of the model.
  std::string name = "distiller";
};

/// A model that trains a student by labels and by the outputs of a frozen teacher.
///
///     distillation::Distiller distiller({.teacher = teacher,
///                                        .student = student,
///                                        .distillation_losses = {distillation::LogitsDistillation()}});
///     distiller.compile({.optimizer = "adam", .loss = "sparse_categorical_crossentropy"});
///     distiller.fit(x, y);
///     student.save("student.keras");
///
/// The loss is student_loss_weight times the compiled loss (with the student's own losses, which Keras leaves
/// out) plus (1 - student_loss_weight) times the weighted sum of the distillation losses. The logs have
/// "student_loss", "distillation_loss" and "total_loss" besides. Its predictions are the student's; there is
/// no configuration: save the student.
/// Errors: InvalidArgument for undefined models, weights outside of [0, 1], other numbers of losses and
///         weights, unknown layer names, and layer names for a model without a graph.
class Distiller : public Model {
 public:
  explicit Distiller(const DistillerOptions& options);
  const Model& teacher() const { return teacher_; }
  const Model& student() const { return student_; }

 private:
  Model teacher_, student_;
};

}  // namespace cornu::inline v0::keras::distillation
