#include "cornu/keras/config/registry_support.h"
#include "cornu/keras/constraints/constraints.h"
#include "cornu/keras/initializers/initializers.h"
#include "cornu/keras/losses/losses.h"
#include "cornu/keras/metrics/metrics.h"
#include "cornu/keras/optimizers/loss_scale_optimizer.h"
#include "cornu/keras/optimizers/multi_optimizer.h"
#include "cornu/keras/optimizers/optimizers.h"
#include "cornu/keras/optimizers/schedules/schedules.h"
#include "cornu/keras/regularizers/regularizers.h"

namespace cornu::inline v0::keras::saving {

#define CORNU_CLASS(family, name, options) row_of<FamilyBase, family::name, options>(#name),

template <>
std::span<const ClassRow<Loss>> class_rows<Loss>() {
  using FamilyBase = Loss;
  static const ClassRow<Loss> rows[] = {
#define CORNU_CLASSES_LOSSES
#include "cornu/keras/saving/classes.inc"
#undef CORNU_CLASSES_LOSSES
  };
  return rows;
}

template <>
std::span<const ClassRow<Metric>> class_rows<Metric>() {
  using FamilyBase = Metric;
  static const ClassRow<Metric> rows[] = {
#define CORNU_CLASSES_METRICS
#include "cornu/keras/saving/classes.inc"
#undef CORNU_CLASSES_METRICS
  };
  return rows;
}

template <>
std::span<const ClassRow<Optimizer>> class_rows<Optimizer>() {
  using FamilyBase = Optimizer;
  static const ClassRow<Optimizer> rows[] = {
#define CORNU_CLASSES_OPTIMIZERS
#include "cornu/keras/saving/classes.inc"
#undef CORNU_CLASSES_OPTIMIZERS
  };
  return rows;
}

template <>
std::span<const ClassRow<LearningRateSchedule>> class_rows<LearningRateSchedule>() {
  using FamilyBase = LearningRateSchedule;
  static const ClassRow<LearningRateSchedule> rows[] = {
#define CORNU_CLASSES_OPTIMIZERS_SCHEDULES
#include "cornu/keras/saving/classes.inc"
#undef CORNU_CLASSES_OPTIMIZERS_SCHEDULES
  };
  return rows;
}

template <>
std::span<const ClassRow<Initializer>> class_rows<Initializer>() {
  using FamilyBase = Initializer;
  static const ClassRow<Initializer> rows[] = {
#define CORNU_CLASSES_INITIALIZERS
#include "cornu/keras/saving/classes.inc"
#undef CORNU_CLASSES_INITIALIZERS
  };
  return rows;
}

template <>
std::span<const ClassRow<Regularizer>> class_rows<Regularizer>() {
  using FamilyBase = Regularizer;
  static const ClassRow<Regularizer> rows[] = {
#define CORNU_CLASSES_REGULARIZERS
#include "cornu/keras/saving/classes.inc"
#undef CORNU_CLASSES_REGULARIZERS
  };
  return rows;
}

template <>
std::span<const ClassRow<Constraint>> class_rows<Constraint>() {
  using FamilyBase = Constraint;
  static const ClassRow<Constraint> rows[] = {
#define CORNU_CLASSES_CONSTRAINTS
#include "cornu/keras/saving/classes.inc"
#undef CORNU_CLASSES_CONSTRAINTS
  };
  return rows;
}

#undef CORNU_CLASS

}  // namespace cornu::inline v0::keras::saving
