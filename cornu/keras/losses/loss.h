#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cornu/keras/handle.h"
#include "cornu/keras/row_mask.h"
#include "cornu/tensor/tensor.h"

namespace cornu::keras {

/// A loss: values for each sample, and how they are reduced to the number that training minimizes.
///
/// Custom losses derive and implement call().
class Loss {
 public:
  /// `reduction`: "sum_over_batch_size" (alias "mean"), "sum", "mean_with_sample_weight" or "none".
  explicit Loss(std::string name, std::string reduction = "sum_over_batch_size");
  virtual ~Loss() = default;

  const std::string& name() const { return name_; }
  const std::string& reduction() const { return reduction_; }

  /// [batch, ..., n] twice (labels may be fewer for sparse losses) -> per-sample values [batch, ...].
  virtual Tensor call(const Tensor& y_true, const Tensor& y_pred) const = 0;

  /// The reduced loss: padding rows count nowhere, not even in the number of values. "none" gives the values.
  Tensor operator()(const Tensor& y_true, const Tensor& y_pred, const SampleWeights& weights = {}) const;

  /// Checks shapes and dtype of labels against the model's output (first extents are the batch; kUnknown matches any), before training.
  /// Errors: InvalidArgument that says what to change (one-hot labels or a sparse loss, ...).
  virtual void check_types(const TensorType& labels, const TensorType& output) const;

  /// For losses of class ids: the number of classes, so that labels must be in [0, classes). Else nothing.
  virtual std::optional<std::int64_t> num_label_classes(const Dims& output_shape) const;

  /// Keras's spellings: "log_cosh", "logcosh", "mse", "MeanSquaredError", "sparse_categorical_crossentropy", ...
  /// Errors: InvalidArgument with the nearest known name.
  static std::shared_ptr<Loss> from_name(const std::string& name);
  static std::vector<std::string> names();

 private:
  std::string name_;
  std::string reduction_;
};
using LossSpec = Spec<Loss>;
using LossHandle = Handle<Loss>;

}  // namespace cornu::keras
