#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/keras/base/handle.h"
#include "cornu/keras/base/row_mask.h"
#include "cornu/keras/config/configurable.h"
#include "cornu/tensor/tensor.h"
#include "cornu/tensor/variable.h"

namespace cornu::inline v0::keras {

class LossHandle;

/// A value accumulated over batches in variables; updated inside a trace, or at once outside.
///
/// For custom metrics derive a class, or pass a callable of labels and predictions as MetricSpec: the mean of
/// its values.
class Metric : public Configurable {
 public:
  static constexpr const char* kHandleKind = "metric";  // see Handle

  /// `dtype`: the dtype of the variables and of the computation; unset: config::floatx(), f32.
  explicit Metric(StringArgument name, std::optional<DType> dtype = {});
  Metric(const Metric&) = delete;
  Metric& operator=(const Metric&) = delete;

  const std::string& name() const { return name_; }
  /// Sets the name in logs; a trainer keeps the spelling that the user gave ("acc").
  /// Errors: InvalidArgument if it contains "/".
  void set_name(StringArgument name);

  /// The direction of improvement, for callbacks that monitor the metric.
  enum class Direction { kNone, kUp, kDown };
  Direction direction() const { return direction_; }
  void set_direction(Direction direction) { direction_ = direction; }

  virtual void update_state(const Tensor& y_true, const Tensor& y_pred, const SampleWeights& weights) = 0;
  /// `sample_weight` undefined: every value has weight 1.
  void update_state(const Tensor& y_true, const Tensor& y_pred, const Tensor& sample_weight = {}) {
    update_state(y_true, y_pred, SampleWeights{.sample_weight = sample_weight});
  }
  void update_state(const Tensor& y_true, const Tensor& y_pred, std::initializer_list<double> sample_weight) {
    update_state(y_true, y_pred, literal_weights(sample_weight));
  }
  /// Symbolic inside a trace, else computed from the variables. A scalar, unless the metric's documentation
  /// states another shape.
  virtual Tensor result() const = 0;
  /// Resets all variables to zero.
  virtual void reset_state();
  /// Keras's old spelling.
  void reset_states() { reset_state(); }
  /// Adds the accumulated values of other metrics of this kind. Errors, before anything changes:
  /// InvalidArgument if their variables differ, FailedPrecondition for a null one.
  void merge_state(std::span<const std::shared_ptr<Metric>> metrics);
  DType dtype() const { return dtype_; }
  Config get_config() const override;
  std::span<const Variable> variables() const { return {variables_.data(), variables_.size()}; }

  /// Accepts Keras's spellings, including every loss's name. "accuracy" needs shapes: see
  /// metrics::make_metric.
  /// Errors: InvalidArgument, suggesting the nearest name.
  static std::shared_ptr<Metric> from_name(const StringArgument& name,
                                           const ArgumentName& argument = {"metrics.get", "name"});
  /// The mean of a loss over batches, as in Keras; its direction is down.
  static std::shared_ptr<Metric> from_function(const LossHandle& loss);
  /// The mean of a function that returns a value for each sample, or one number for a batch. Its name is that
  /// of the function's class, in Keras's style: "top_gap" for an object of class TopGap, "lambda" for a
  /// lambda; "function" for a pointer to a function, whose name is not in the program. Logs of a model with
  /// several have "lambda_1" and so on; metrics::MeanMetricWrapper sets another name. The direction is not
  /// known: set it in callbacks (`mode`).
  static std::shared_ptr<Metric> from_function(
      std::function<Tensor(const Tensor& y_true, const Tensor& y_pred)> function);

 protected:
  /// The dtype of a metric whose variables may be integers.
  struct CountDType {
    DType dtype;
  };
  Metric(StringArgument name, CountDType counts);
  /// Adds a variable of zeros of dtype().
  Variable add_variable(const StringArgument& name, const Dims& shape = {});

 private:
  std::string name_;
  DType dtype_;
  Direction direction_ = Direction::kNone;
  std::vector<Variable> variables_;
};
using MetricSpec = Spec<Metric>;

/// A shared handle to a metric, for users.
class MetricHandle : public Handle<Metric> {
 public:
  using Handle<Metric>::Handle;
  // `update_state(y_true, y_pred, w)`, `{.sample_weight = w}` or `{1, 0.5, 2}`.
  void update_state(const Tensor& y_true, const Tensor& y_pred, const Tensor& sample_weight = {}) const {
    (*this)->update_state(y_true, y_pred, sample_weight);
  }
  void update_state(const Tensor& y_true, const Tensor& y_pred, const SampleWeights& weights) const {
    (*this)->update_state(y_true, y_pred, weights);
  }
  void update_state(const Tensor& y_true, const Tensor& y_pred,
                    std::initializer_list<double> sample_weight) const {
    (*this)->update_state(y_true, y_pred, sample_weight);
  }
  const std::string& name() const { return (*this)->name(); }
  Config get_config() const;
  std::span<const Variable> variables() const { return (*this)->variables(); }
  Tensor result() const { return (*this)->result(); }
  void reset_state() const { (*this)->reset_state(); }
  void reset_states() const { (*this)->reset_state(); }
};

}  // namespace cornu::inline v0::keras
