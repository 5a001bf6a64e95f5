#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cornu/keras/handle.h"
#include "cornu/keras/row_mask.h"
#include "cornu/tensor/tensor.h"
#include "cornu/tensor/variable.h"

namespace cornu::keras {

/// A figure that is gathered over batches in variables.
class Metric {
 public:
  explicit Metric(std::string name);
  virtual ~Metric() = default;
  Metric(const Metric&) = delete;
  Metric& operator=(const Metric&) = delete;

  const std::string& name() const { return name_; }
  /// Logs use this name; a trainer keeps the spelling that the user gave ("acc").
  void set_name(std::string name) { name_ = std::move(name); }

  virtual void update_state(const Tensor& y_true, const Tensor& y_pred, const SampleWeights& weights) = 0;
  void update_state(const Tensor& y_true, const Tensor& y_pred) { update_state(y_true, y_pred, SampleWeights{}); }
  /// Scalar: symbolic inside a trace, else computed from the variables.
  virtual Tensor result() const = 0;
  /// All variables back to zero.
  virtual void reset_state();
  std::span<const Variable> variables() const { return variables_; }

  /// Keras's spellings; every loss's name is one too. Errors: InvalidArgument with the nearest known name.
  /// "accuracy" needs shapes: see metrics::make_metric.
  static std::shared_ptr<Metric> from_name(const std::string& name);

 protected:
  /// An f32 scalar, zero.
  Variable add_variable(const std::string& name);

 private:
  std::string name_;
  std::vector<Variable> variables_;
};
using MetricSpec = Spec<Metric>;
using MetricHandle = Handle<Metric>;

}  // namespace cornu::keras
