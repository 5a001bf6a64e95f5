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

/// A loss: a value for each sample, and their reduction to the number that training minimizes.
///
/// For custom losses derive a class and implement call(), or pass a callable as LossSpec.
class Loss : public Configurable {
 public:
  static constexpr const char* kHandleKind = "loss";  // see Handle

  /// `reduction`: "sum_over_batch_size" (alias "mean"), "sum", "mean_with_sample_weight" or "none". `dtype`:
  /// the dtype to which predictions are converted; unset: config::floatx(), f32.
  explicit Loss(StringArgument name, StringArgument reduction = "sum_over_batch_size",
                std::optional<DType> dtype = {});

  const std::string& name() const { return name_; }
  const std::string& reduction() const { return reduction_; }
  DType dtype() const { return dtype_; }
  Config get_config() const override;

  /// [batch, ..., n] twice (labels may be fewer for sparse losses) -> per-sample values [batch, ...].
  virtual Tensor call(const Tensor& y_true, const Tensor& y_pred) const = 0;

  /// The reduced loss, without padding rows, which also do not count in the divisor of means; "none" returns
  /// the values. A value of weight 0, or a masked one, adds 0 even if it is infinite or NaN. If y_pred
  /// carries a Keras mask, only unmasked values count, also in the divisor of means. If call() returns one
  /// number for a batch with padding rows, it requests a batch without padding (RowMask::require_exact).
  Tensor operator()(const Tensor& y_true, const Tensor& y_pred, const SampleWeights& weights) const;
  Tensor operator()(const Tensor& y_true, const Tensor& y_pred, const Tensor& sample_weight = {}) const {
    return (*this)(y_true, y_pred, SampleWeights{.sample_weight = sample_weight});
  }

  /// Checks shapes and dtype of labels against the model's output, before training; first extents are the
  /// batch, and kUnknown matches any extent.
  /// Errors: InvalidArgument, with a remedy (one-hot labels or a sparse loss, ...).
  virtual void check_types(const TensorType& labels, const TensorType& output) const;

  /// For losses of class ids: the number of classes, so that labels must be in [0, classes). nullopt for
  /// other losses, and if that extent is kUnknown; labels are then not checked before training, but in steps
  /// with run_eagerly or check_ids. Compiled steps without check_ids do not detect labels that are out of
  /// range.
  virtual std::optional<std::int64_t> num_label_classes(const Dims& output_shape) const;
  /// The label outside that range which marks a sample to be ignored, if there is one.
  virtual std::optional<std::int64_t> ignored_class() const { return std::nullopt; }

  /// Accepts Keras's spellings: "log_cosh", "logcosh", "mse", "MeanSquaredError",
  /// "sparse_categorical_crossentropy", ...
  /// Errors: InvalidArgument, suggesting the nearest name.
  static std::shared_ptr<Loss> from_name(const StringArgument& name,
                                         const ArgumentName& argument = {"losses.get", "name"});
  static std::vector<std::string> names();
  /// A loss made of a function that returns a value for each sample, or one number for a batch; the reduction
  /// is the mean. The labels' shape is not checked. As in Keras, integer and boolean labels are converted to
  /// the loss's dtype first, and if ranks differ by one, a last extent of 1 is added or dropped.
  static std::shared_ptr<Loss> from_function(
      std::function<Tensor(const Tensor& y_true, const Tensor& y_pred)> function);

 protected:
  /// The axis of y_pred along which call() computes one value, for losses whose values each depend on one
  /// slice along that axis only. Such a loss can train where predictions of weight 0 are infinite or NaN: it
  /// gets 1 in their place. nullopt, the default, for other losses, which get y_pred unchanged: their values
  /// of weight 0 do not count, but a gradient through them is NaN where a slope is infinite or NaN.
  virtual std::optional<std::int64_t> sample_axis() const { return std::nullopt; }
  /// True if call() gets integer and boolean labels as they are; by default, losses of class ids
  /// (num_label_classes) do. Other losses get them in dtype(), as in Keras: `2 * y_true - 1` of unsigned labels
  /// would wrap around.
  virtual bool keeps_label_dtype(const Dims& output_shape) const {
    return num_label_classes(output_shape).has_value();
  }

 private:
  /// y_pred with 1 where `weight` is 0, if sample_axis() shows that no other value depends on it.
  Tensor counted_predictions(const Tensor& y_true, const Tensor& y_pred, const Tensor& weight) const;
  /// call(), with errors that name the loss and both shapes.
  Tensor values_of(const Tensor& y_true, const Tensor& y_pred) const;

  std::string name_;
  std::string reduction_;
  DType dtype_;
};
using LossSpec = Spec<Loss>;

/// A shared handle to a loss, for users; callable.
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
