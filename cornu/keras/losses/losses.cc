#include "cornu/keras/losses/losses.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <utility>

#include "cornu/base/callable.h"
#include "cornu/base/check.h"
#include "cornu/base/log_formatted.h"
#include "cornu/keras/base/align.h"
#include "cornu/keras/base/name_table.h"
#include "cornu/keras/base/shapes.h"
#include "cornu/keras/config/described_options_support.h"
#include "cornu/keras/losses/batch_labels_support.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras {
namespace losses {
namespace {

using LossFunction = std::function<Tensor(const Tensor&, const Tensor&)>;

class FunctionLoss : public Loss {
 public:
  template <typename Options>
  FunctionLoss(const char* default_name, const Options& options, LossFunction function)
      : Loss(options.name.empty() ? default_name : options.name, options.reduction, options.dtype),
        function_(std::move(function)) {
    if constexpr (requires { options.label_smoothing; }) {
      if (!(options.label_smoothing >= 0 && options.label_smoothing <= 1))
        invalid_argument({.argument = "label_smoothing"},
                         "[{}] label_smoothing must be in [0, 1]; got label_smoothing = {}", name(),
                         options.label_smoothing);
    }
    if constexpr (requires { options.axis; }) axis_ = options.axis;
  }
  FunctionLoss(const char* default_name, const std::string& reduction, const std::string& name,
               std::optional<DType> dtype, LossFunction function)
      : Loss(name.empty() ? default_name : name, reduction, dtype), function_(std::move(function)) {}
  Tensor call(const Tensor& y_true, const Tensor& y_pred) const override { return function_(y_true, y_pred); }

 protected:
  std::optional<std::int64_t> sample_axis() const override { return axis_; }
  bool keeps_label_dtype(const Dims&) const override { return true; }  // the functions convert labels

 private:
  LossFunction function_;
  std::int64_t axis_ = -1;
};

/// A loss that broadcasts labels, like the difference of labels and outputs. Labels of shape (N,) for outputs
/// of shape (N, n) are (N, 1), as in Keras 2 (Keras 3 refuses them, or treats them as (1, N)).
class BroadcastingLoss : public FunctionLoss {
 public:
  using FunctionLoss::FunctionLoss;

  void check_types(const TensorType& labels, const TensorType& output) const override {
    if (!is_column_of_labels(labels.dims, output.dims)) return FunctionLoss::check_types(labels, output);
    if (has_warned_.exchange(true)) return;
    log_warning(
        "[{}] the labels have one value a row, the output has {}: each label is compared with all of them, "
        "as in Keras 2. If the labels are class ids, use the loss \"sparse_categorical_crossentropy\" or "
        "one-hot labels of shape {}; if the comparison is meant, pass labels of shape (None, 1)",
        name(), output.dims[1], shape_with_none_str(output.dims));
  }
  Tensor call(const Tensor& y_true, const Tensor& y_pred) const override {
    const AlignedPair pair = align_labels(y_true, y_pred);
    return FunctionLoss::call(pair.y_true, pair.y_pred);
  }

 private:
  mutable std::atomic<bool> has_warned_ = false;
};

/// Labels 0 and 1 are converted to -1 and 1 in a batch that has no other labels.
class HingeLoss : public BroadcastingLoss, public ReadsAllLabels {
 public:
  using BroadcastingLoss::BroadcastingLoss;
};

/// Cross entropies do not broadcast labels.
class CrossentropyLoss : public FunctionLoss {
 public:
  using FunctionLoss::FunctionLoss;

  void check_types(const TensorType& labels, const TensorType& output) const override {
    if (labels.dims.size() == output.dims.size() && labels.dims.back() == 1 && output.dims.back() > 1)
      invalid_argument(
          "[{}] labels of shape {} do not fit the output of shape {}: if the labels are class ids, pass them "
          "one-hot encoded, as {}, or use the loss \"sparse_categorical_crossentropy\"",
          name(), shape_with_none_str(labels.dims), shape_with_none_str(output.dims),
          shape_with_none_str(output.dims));
    FunctionLoss::check_types(labels, output);
  }
};

class SparseLoss : public FunctionLoss {
 public:
  template <typename Options>
  SparseLoss(const char* default_name, const Options& options, LossFunction function)
      : FunctionLoss(default_name, options, std::move(function)) {
    if constexpr (requires { options.ignore_class; }) ignored_class_ = options.ignore_class;
    if constexpr (requires { options.axis; }) axis_ = options.axis;
  }

  void check_types(const TensorType& labels, const TensorType& output) const override {
    if (axis_ != -1 && axis_ != output.rank() - 1) {
      (void)class_axis(output.dims);
      return;
    }
    if (output.dims.size() < 2 || (output.dims.back() < 2 && output.dims.back() != kUnknown))
      invalid_argument(
          "[{}] needs an output of [batch, ..., classes] with at least 2 classes; its shape is {}. For two "
          "classes in one output use \"binary_crossentropy\"",
          name(), shape_with_none_str(output.dims));
    Dims expected(output.dims.begin(), output.dims.end() - 1);
    Dims dims = labels.dims;
    if (dims.size() == output.dims.size() && dims.back() == 1) dims.pop_back();
    bool fits = dims.size() == expected.size();
    for (std::size_t i = 0; fits && i < dims.size(); ++i)
      fits = dims[i] == expected[i] || dims[i] == kUnknown || expected[i] == kUnknown;
    if (fits) return;
    const bool is_one_hot =
        labels.dims.size() == output.dims.size() && labels.dims.back() == output.dims.back();
    invalid_argument(
        "[{}] labels of shape {} do not fit the output of shape {}: expected class ids of shape {}{}", name(),
        shape_with_none_str(labels.dims), shape_with_none_str(output.dims), shape_with_none_str(expected),
        is_one_hot ? "; for one-hot labels use \"categorical_crossentropy\"" : "");
  }

  std::optional<std::int64_t> num_label_classes(const Dims& output_shape) const override {
    const std::int64_t classes = output_shape[class_axis(output_shape)];
    return classes == kUnknown ? std::nullopt : std::optional(classes);
  }
  std::optional<std::int64_t> ignored_class() const override { return ignored_class_; }

 private:
  std::size_t class_axis(const Dims& output_shape) const {
    const auto rank = static_cast<std::int64_t>(output_shape.size());
    const std::int64_t axis = axis_ < 0 ? axis_ + rank : axis_;
    if (axis < 0 || axis >= rank)
      invalid_argument({.argument = "axis"},
                       "[{}] axis is outside the {} axes of the output {}; got axis = {}", name(), rank,
                       shape_with_none_str(output_shape), axis_);
    return static_cast<std::size_t>(axis);
  }

  std::optional<std::int64_t> ignored_class_;
  std::int64_t axis_ = -1;
};

/// Overlaps of labels and outputs, summed over given axes.
class OverlapLoss : public FunctionLoss, public ComparesRows {
 public:
  template <typename Options>
  OverlapLoss(const char* default_name, const Options& options, LossFunction function)
      : FunctionLoss(default_name, options.reduction, options.name, options.dtype, std::move(function)),
        axes_(options.axis) {}
  bool compares_rows(std::int64_t rank) const override {
    if (axes_.all()) return true;
    const Dims axes = axes_.normalized(rank, name().c_str());
    return std::find(axes.begin(), axes.end(), 0) != axes.end();
  }
  Tensor call(const Tensor& y_true, const Tensor& y_pred) const override {
    const AlignedPair pair = align_ranks(y_true, y_pred);
    return FunctionLoss::call(pair.y_true, pair.y_pred);
  }

 protected:
  std::optional<std::int64_t> sample_axis() const override { return std::nullopt; }

 private:
  ops::Axes axes_;
};

/// Labels are class ids, outputs are embeddings, which are compared with each other.
class CircleLoss : public FunctionLoss, public ComparesRows {
 public:
  using FunctionLoss::FunctionLoss;
  bool compares_rows(std::int64_t) const override { return true; }
  void check_types(const TensorType& labels, const TensorType& output) const override {
    if (is_class_ids(labels.dims) && output.rank() == 2) return;
    invalid_argument(
        "[{}] labels of shape {} do not fit the output of shape {}: expected class ids of shape (None,) or "
        "(None, 1), and embeddings of shape (None, features)",
        name(), shape_with_none_str(labels.dims), shape_with_none_str(output.dims));
  }

 protected:
  std::optional<std::int64_t> sample_axis() const override { return std::nullopt; }

 private:
  static bool is_class_ids(const Dims& dims) {
    return dims.size() == 1 || (dims.size() == 2 && (dims[1] == 1 || dims[1] == kUnknown));
  }
};

/// Labels are sequences of class ids, outputs are sequences of logits.
class CtcLoss : public FunctionLoss {
 public:
  using FunctionLoss::FunctionLoss;
  void check_types(const TensorType& labels, const TensorType& output) const override {
    if (labels.rank() == 2 && output.rank() == 3) return;
    invalid_argument(
        "[{}] labels of shape {} do not fit the output of shape {}: expected class ids of shape (None, "
        "labels) "
        "and logits of shape (None, steps, classes)",
        name(), shape_with_none_str(labels.dims), shape_with_none_str(output.dims));
  }
};

/// A user's function. Its shapes are not checked, but labels get the loss's dtype and ranks are aligned
/// first, as Keras's wrapper of functions does.
class UserLoss : public FunctionLoss {
 public:
  explicit UserLoss(LossFunction function)
      : FunctionLoss("function", losses::LossOptions{}, std::move(function)) {}
  void check_types(const TensorType&, const TensorType&) const override {}
  Tensor call(const Tensor& y_true, const Tensor& y_pred) const override {
    const AlignedPair pair = align_ranks(y_true, y_pred);
    return FunctionLoss::call(pair.y_true, pair.y_pred);
  }

 protected:
  std::optional<std::int64_t> sample_axis() const override { return std::nullopt; }
  bool keeps_label_dtype(const Dims&) const override { return false; }
};

template <typename L = BroadcastingLoss, typename Options>
LossHandle make_loss(const char* default_name, const Options& options, LossFunction function) {
  return std::shared_ptr<Loss>(std::make_shared<L>(default_name, options, std::move(function)));
}

}  // namespace

MeanSquaredError::MeanSquaredError(LossOptions options)
    : LossHandle(make_loss("mean_squared_error", options, &mean_squared_error)) {
  saving::describe(*this, "MeanSquaredError", options);
}
MeanAbsoluteError::MeanAbsoluteError(LossOptions options)
    : LossHandle(make_loss("mean_absolute_error", options, &mean_absolute_error)) {
  saving::describe(*this, "MeanAbsoluteError", options);
}
MeanAbsolutePercentageError::MeanAbsolutePercentageError(LossOptions options)
    : LossHandle(make_loss("mean_absolute_percentage_error", options, &mean_absolute_percentage_error)) {
  saving::describe(*this, "MeanAbsolutePercentageError", options);
}
MeanSquaredLogarithmicError::MeanSquaredLogarithmicError(LossOptions options)
    : LossHandle(make_loss("mean_squared_logarithmic_error", options, &mean_squared_logarithmic_error)) {
  saving::describe(*this, "MeanSquaredLogarithmicError", options);
}
LogCosh::LogCosh(LossOptions options) : LossHandle(make_loss("log_cosh", options, &log_cosh)) {
  saving::describe(*this, "LogCosh", options);
}
KLDivergence::KLDivergence(LossOptions options)
    : LossHandle(make_loss("kl_divergence", options, &kl_divergence)) {
  saving::describe(*this, "KLDivergence", options);
}
Poisson::Poisson(LossOptions options) : LossHandle(make_loss("poisson", options, &poisson)) {
  saving::describe(*this, "Poisson", options);
}
Hinge::Hinge(LossOptions options) : LossHandle(make_loss<HingeLoss>("hinge", options, &hinge)) {
  saving::describe(*this, "Hinge", options);
}
SquaredHinge::SquaredHinge(LossOptions options)
    : LossHandle(make_loss<HingeLoss>("squared_hinge", options, &squared_hinge)) {
  saving::describe(*this, "SquaredHinge", options);
}
CategoricalHinge::CategoricalHinge(LossOptions options)
    : LossHandle(make_loss("categorical_hinge", options, &categorical_hinge)) {
  saving::describe(*this, "CategoricalHinge", options);
}
CosineSimilarity::CosineSimilarity(CosineSimilarityOptions options)
    : LossHandle(make_loss("cosine_similarity", options,
                           [axis = options.axis](const Tensor& y_true, const Tensor& y_pred) {
                             return cosine_similarity(y_true, y_pred, axis);
                           })) {
  saving::describe(*this, "CosineSimilarity", options);
}
Huber::Huber(HuberOptions options)
    : LossHandle(
          make_loss("huber_loss", options,
                    [delta = checked_huber_delta(options.delta)](const Tensor& y_true, const Tensor& y_pred) {
                      return huber(y_true, y_pred, delta);
                    })) {
  saving::describe(*this, "Huber", options);
}
CategoricalCrossentropy::CategoricalCrossentropy(CategoricalCrossentropyOptions options)
    : LossHandle(make_loss<CrossentropyLoss>(
          "categorical_crossentropy", options, [=](const Tensor& y_true, const Tensor& y_pred) {
            return categorical_crossentropy(y_true, y_pred,
                                            {options.from_logits, options.label_smoothing, options.axis});
          })) {
  saving::describe(*this, "CategoricalCrossentropy", options);
}
BinaryCrossentropy::BinaryCrossentropy(BinaryCrossentropyOptions options)
    : LossHandle(make_loss<CrossentropyLoss>(
          "binary_crossentropy", options, [=](const Tensor& y_true, const Tensor& y_pred) {
            return binary_crossentropy(y_true, y_pred,
                                       {options.from_logits, options.label_smoothing, options.axis});
          })) {
  saving::describe(*this, "BinaryCrossentropy", options);
}
BinaryFocalCrossentropy::BinaryFocalCrossentropy(BinaryFocalCrossentropyOptions options)
    : LossHandle(make_loss<CrossentropyLoss>(
          "binary_focal_crossentropy", options, [=](const Tensor& y_true, const Tensor& y_pred) {
            return binary_focal_crossentropy(y_true, y_pred,
                                             {.apply_class_balancing = options.apply_class_balancing,
                                              .alpha = options.alpha,
                                              .gamma = options.gamma,
                                              .from_logits = options.from_logits,
                                              .label_smoothing = options.label_smoothing,
                                              .axis = options.axis});
          })) {
  saving::describe(*this, "BinaryFocalCrossentropy", options);
}
CategoricalFocalCrossentropy::CategoricalFocalCrossentropy(CategoricalFocalCrossentropyOptions options)
    : LossHandle(make_loss<CrossentropyLoss>(
          "categorical_focal_crossentropy", options, [=](const Tensor& y_true, const Tensor& y_pred) {
            return categorical_focal_crossentropy(y_true, y_pred,
                                                  {.alpha = options.alpha,
                                                   .gamma = options.gamma,
                                                   .from_logits = options.from_logits,
                                                   .label_smoothing = options.label_smoothing,
                                                   .axis = options.axis});
          })) {
  saving::describe(*this, "CategoricalFocalCrossentropy", options);
}
SparseCategoricalCrossentropy::SparseCategoricalCrossentropy(SparseCategoricalCrossentropyOptions options)
    : LossHandle(make_loss<SparseLoss>(
          "sparse_categorical_crossentropy", options, [=](const Tensor& y_true, const Tensor& y_pred) {
            return sparse_categorical_crossentropy(y_true, y_pred,
                                                   {.from_logits = options.from_logits,
                                                    .ignore_class = options.ignore_class,
                                                    .axis = options.axis});
          })) {
  saving::describe(*this, "SparseCategoricalCrossentropy", options);
}
CategoricalGeneralizedCrossEntropy::CategoricalGeneralizedCrossEntropy(
    CategoricalGeneralizedCrossEntropyOptions options)
    : LossHandle(make_loss<SparseLoss>("categorical_generalized_cross_entropy", options,
                                       [q = options.q](const Tensor& y_true, const Tensor& y_pred) {
                                         return categorical_generalized_cross_entropy(y_true, y_pred, q);
                                       })) {
  if (!(options.q > 0 && options.q < 1))
    invalid_argument({.argument = "q"},
                     "[categorical_generalized_cross_entropy] q must be in (0, 1); got q = {}", options.q);
  saving::describe(*this, "CategoricalGeneralizedCrossEntropy", options);
}
Dice::Dice(DiceOptions options)
    : LossHandle(make_loss<OverlapLoss>("dice", options,
                                        [axis = options.axis](const Tensor& y_true, const Tensor& y_pred) {
                                          return dice(y_true, y_pred, {.axis = axis});
                                        })) {
  saving::describe(*this, "Dice", options);
}
Tversky::Tversky(TverskyOptions options)
    : LossHandle(make_loss<OverlapLoss>("tversky", options, [=](const Tensor& y_true, const Tensor& y_pred) {
        return tversky(y_true, y_pred, {.alpha = options.alpha, .beta = options.beta, .axis = options.axis});
      })) {
  for (const auto& [argument, value] : {std::pair("alpha", options.alpha), std::pair("beta", options.beta)})
    if (!(value >= 0))
      invalid_argument({.argument = argument}, "[tversky] {0} must not be negative; got {0} = {1}", argument,
                       value);
  saving::describe(*this, "Tversky", options);
}
Circle::Circle(CircleOptions options)
    : LossHandle(make_loss<CircleLoss>("circle", options, [=](const Tensor& y_true, const Tensor& y_pred) {
        return circle(
            y_true, y_pred,
            {.remove_diagonal = options.remove_diagonal, .gamma = options.gamma, .margin = options.margin});
      })) {
  saving::describe(*this, "Circle", options);
}
CTC::CTC(LossOptions options) : LossHandle(make_loss<CtcLoss>("ctc", options, &ctc)) {
  saving::describe(*this, "CTC", options);
}

}  // namespace losses

namespace {

constexpr std::array<NamedMaker<Loss>, 31> kLosses = {{
    {"mean_squared_error", &make_default<Loss, losses::MeanSquaredError>},
    {"mean_absolute_error", &make_default<Loss, losses::MeanAbsoluteError>},
    {"mean_absolute_percentage_error", &make_default<Loss, losses::MeanAbsolutePercentageError>},
    {"mean_squared_logarithmic_error", &make_default<Loss, losses::MeanSquaredLogarithmicError>},
    {"log_cosh", &make_default<Loss, losses::LogCosh>},
    {"kl_divergence", &make_default<Loss, losses::KLDivergence>},
    {"poisson", &make_default<Loss, losses::Poisson>},
    {"hinge", &make_default<Loss, losses::Hinge>},
    {"squared_hinge", &make_default<Loss, losses::SquaredHinge>},
    {"categorical_hinge", &make_default<Loss, losses::CategoricalHinge>},
    {"huber", &make_default<Loss, losses::Huber>},
    {"cosine_similarity", &make_default<Loss, losses::CosineSimilarity>},
    {"categorical_crossentropy", &make_default<Loss, losses::CategoricalCrossentropy>},
    {"sparse_categorical_crossentropy", &make_default<Loss, losses::SparseCategoricalCrossentropy>},
    {"binary_crossentropy", &make_default<Loss, losses::BinaryCrossentropy>},
    {"binary_focal_crossentropy", &make_default<Loss, losses::BinaryFocalCrossentropy>},
    {"categorical_focal_crossentropy", &make_default<Loss, losses::CategoricalFocalCrossentropy>},
    {"categorical_generalized_cross_entropy",
     &make_default<Loss, losses::CategoricalGeneralizedCrossEntropy>},
    {"dice", &make_default<Loss, losses::Dice>},
    {"tversky", &make_default<Loss, losses::Tversky>},
    {"circle", &make_default<Loss, losses::Circle>},
    {"ctc", &make_default<Loss, losses::CTC>},
    {"mse", &make_default<Loss, losses::MeanSquaredError>},
    {"mae", &make_default<Loss, losses::MeanAbsoluteError>},
    {"mape", &make_default<Loss, losses::MeanAbsolutePercentageError>},
    {"msle", &make_default<Loss, losses::MeanSquaredLogarithmicError>},
    {"bce", &make_default<Loss, losses::BinaryCrossentropy>},
    {"kld", &make_default<Loss, losses::KLDivergence>},
    {"kullback_leibler_divergence", &make_default<Loss, losses::KLDivergence>},
    {"cosine_proximity", &make_default<Loss, losses::CosineSimilarity>},
    {"huber_loss", &make_default<Loss, losses::Huber>},
}};

}  // namespace

std::vector<std::string> Loss::names() { return table_names<Loss>(kLosses); }

std::shared_ptr<Loss> Loss::from_name(const StringArgument& name, const ArgumentName& argument) {
  if (std::shared_ptr<Loss> loss = make_named<Loss>(kLosses, name)) return loss;
  unknown_name(argument, name, names());
}

std::shared_ptr<Loss> Loss::from_function(std::function<Tensor(const Tensor&, const Tensor&)> function) {
  check_callable("losses.get", "loss", function);
  return std::make_shared<losses::UserLoss>(std::move(function));
}

}  // namespace cornu::inline v0::keras
