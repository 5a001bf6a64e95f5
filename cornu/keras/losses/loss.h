#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/keras/base/handle.h"
#include "cornu/keras/base/row_mask.h"
#include "cornu/keras/config/configurable.h"
#include "cornu/tensor/tensor.h"

namespace cornu::inline v0::keras {

/// A loss: values for each sample, and how they are reduced to the number that training minimizes.
///
/// Custom losses derive and implement call(), or are a callable given to a LossSpec.
class Loss : public Configurable {
 public:
  static constexpr const char* kHandleKind = "loss";  // see Handle

  /// `reduction`: "sum_over_batch_size" (alias "mean"), "sum", "mean_with_sample_weight" or "none".
  /// `dtype`: what predictions are converted to first; unset: f32, as Keras's floatx.
  explicit Loss(StringArgument name, StringArgument reduction = "sum_over_batch_size",
                std::optional<DType> dtype = {});

  const std::string& name() const { return name_; }
  const std::string& reduction() const { return reduction_; }
  DType dtype() const { return dtype_; }
  Config get_config() const override;

  /// [batch, ..., n] twice (labels may be fewer for sparse losses) -> per-sample values [batch, ...].
  virtual Tensor call(const Tensor& y_true, const Tensor& y_pred) const = 0;

  /// The reduced loss: padding rows count nowhere, not even in the number of values. "none" gives the values.
  /// A value of weight 0, or that a mask leaves out, adds 0 even if it is infinite or NaN.
  /// Where y_pred carries a Keras mask, only the values that it marks count; a mean is over those. Where
  /// call() gives one number for a batch with padding rows, it asks for a batch without
  /// (RowMask::require_exact).
  Tensor operator()(const Tensor& y_true, const Tensor& y_pred, const SampleWeights& weights) const;
  Tensor operator()(const Tensor& y_true, const Tensor& y_pred, const Tensor& sample_weight = {}) const {
    return (*this)(y_true, y_pred, SampleWeights{.sample_weight = sample_weight});
  }

  /// Checks shapes and dtype of labels against the model's output (first extents are the batch; kUnknown
  /// matches any), before training.
  /// Errors: InvalidArgument that says what to change (one-hot labels or a sparse loss, ...).
  virtual void check_types(const TensorType& labels, const TensorType& output) const;

  /// For losses of class ids: the number of classes, so that labels must be in [0, classes). Nothing for
  /// other losses, and where that extent is kUnknown. Labels for an unknown number are not checked before
  /// training: steps check them with run_eagerly, and compiled ones with check_ids. Compiled steps without
  /// check_ids do not refuse a label that is out of range.
  virtual std::optional<std::int64_t> num_label_classes(const Dims& output_shape) const;
  /// The label outside that range which marks a sample that does not count, if there is one.
  virtual std::optional<std::int64_t> ignored_class() const { return std::nullopt; }

  /// Keras's spellings: "log_cosh", "logcosh", "mse", "MeanSquaredError", "sparse_categorical_crossentropy",
  /// ...
  /// Errors: InvalidArgument with the nearest known name.
  static std::shared_ptr<Loss> from_name(const StringArgument& name,
                                         const ArgumentName& argument = {"losses.get", "name"});
  static std::vector<std::string> names();
  /// A loss of values a sample, or of one number a batch, with the mean as reduction. The labels' shape is
  /// not checked; where ranks differ by one, an extent of 1 at the end is added or dropped first, as in
  /// Keras.
  static std::shared_ptr<Loss> from_function(
      std::function<Tensor(const Tensor& y_true, const Tensor& y_pred)> function);

 protected:
  /// The axis of y_pred along which call() computes one value, for losses of which each value depends on one
  /// slice along that axis only. Such a loss trains on where predictions of a weight of 0 are infinite or NaN:
  /// it gets 1 in their place. Nothing, the default, for other losses, which get y_pred as it is: their
  /// values of weight 0 do not count, but a gradient through them is NaN where a slope is infinite or NaN.
  virtual std::optional<std::int64_t> sample_axis() const { return std::nullopt; }

 private:
  /// y_pred with 1 where `weight` is 0, if sample_axis() says that nothing else depends on that.
  Tensor counted_predictions(const Tensor& y_true, const Tensor& y_pred, const Tensor& weight) const;
  /// call(), with errors that name the loss and both shapes.
  Tensor values_of(const Tensor& y_true, const Tensor& y_pred) const;

  std::string name_;
  std::string reduction_;
  DType dtype_;
};
using LossSpec = Spec<Loss>;

/// What users hold and pass; callable.
class LossHandle : public Handle<Loss> {
 public:
  using Handle<Loss>::Handle;
  const std::string& name() const { return (*this)->name(); }
  Config get_config() const;
  // `loss(y_true, y_pred, w)`, `{.sample_weight = w}` or `{1, 0.5, 2}`.
  Tensor operator()(const Tensor& y_true, const Tensor& y_pred, const Tensor& sample_weight = {}) const {
    return (**this)(y_true, y_pred, sample_weight);
  }
  Tensor operator()(const Tensor& y_true, const Tensor& y_pred, const SampleWeights& weights) const {
    return (**this)(y_true, y_pred, weights);
  }
  Tensor operator()(const Tensor& y_true, const Tensor& y_pred,
                    std::initializer_list<double> sample_weight) const {
    return (**this)(y_true, y_pred, literal_weights(sample_weight));
  }
};

}  // namespace cornu::inline v0::keras
