#include "cornu/keras/losses/losses.h"

#include <array>
#include <functional>

#include "cornu/base/check.h"
#include "cornu/keras/align.h"
#include "cornu/keras/layer.h"
#include "cornu/keras/name_table.h"
#include "cornu/tensor/ops.h"

namespace cornu::keras {
namespace losses {
namespace {

constexpr double kEpsilon = 1e-7;  // Keras's backend.epsilon()

Tensor difference(const Tensor& y_true, const Tensor& y_pred) {
  const AlignedPair pair = align_ranks(ops::cast(y_true, y_pred.dtype()), y_pred);
  return pair.y_pred - pair.y_true;
}

Tensor mean_of_last(const Tensor& x) { return x.rank() == 0 ? x : ops::mean(x, {.axis = -1}); }

}  // namespace

Tensor mean_squared_error(const Tensor& y_true, const Tensor& y_pred) { return mean_of_last(ops::square(difference(y_true, y_pred))); }
Tensor mean_absolute_error(const Tensor& y_true, const Tensor& y_pred) { return mean_of_last(ops::abs(difference(y_true, y_pred))); }
Tensor log_cosh(const Tensor& y_true, const Tensor& y_pred) { return mean_of_last(ops::log_cosh(difference(y_true, y_pred))); }

Tensor huber(const Tensor& y_true, const Tensor& y_pred, double delta) {
  const Tensor error = difference(y_true, y_pred);
  const Tensor size = ops::abs(error);
  return mean_of_last(ops::where(ops::less_equal(size, delta), ops::square(error) * 0.5, size * delta - 0.5 * delta * delta));
}

Tensor categorical_crossentropy(const Tensor& y_true, const Tensor& y_pred, const CrossentropyOptions& options) {
  const auto axis = static_cast<int>(options.axis);
  Tensor target = ops::cast(y_true, y_pred.dtype());
  if (options.label_smoothing != 0) {
    const auto classes = static_cast<double>(target.shape().back());
    target = target * (1 - options.label_smoothing) + options.label_smoothing / classes;
  }
  const Tensor log_probability =
      options.from_logits ? ops::log_softmax(y_pred, options.axis)
                          : ops::log(ops::clip(y_pred / ops::sum(y_pred, {.axis = axis, .keepdims = true}), kEpsilon, 1 - kEpsilon));
  return -ops::sum(target * log_probability, {.axis = axis});
}

// The label's probability is picked before it is normalized, clipped and its logarithm taken: the same value as Keras's sum over one-hot
// rows with one logarithm a sample instead of one a class.
Tensor sparse_categorical_crossentropy(const Tensor& y_true, const Tensor& y_pred, const CrossentropyOptions& options) {
  if (options.axis != -1 && options.axis != y_pred.rank() - 1)
    fail(ErrorCode::kUnimplemented, "[sparse_categorical_crossentropy] the classes must be the last axis; got axis {}", options.axis);
  Tensor labels = ops::cast(y_true, DType::kI32);
  if (labels.rank() == y_pred.rank() && labels.shape().back() == 1) labels = ops::squeeze(labels, -1);
  const Tensor is_label = ops::equal(ops::expand_dims(labels, -1), ops::arange(y_pred.shape().back()));
  const auto at_label = [&](const Tensor& x) { return ops::sum(ops::where(is_label, x, 0), {.axis = -1}); };
  if (options.from_logits) return -at_label(ops::log_softmax(y_pred));
  const Tensor probability = at_label(y_pred) / ops::sum(y_pred, {.axis = -1});
  return -ops::log(ops::clip(probability, kEpsilon, 1 - kEpsilon));
}

Tensor binary_crossentropy(const Tensor& y_true, const Tensor& y_pred, const CrossentropyOptions& options) {
  AlignedPair pair = align_ranks(ops::cast(y_true, y_pred.dtype()), y_pred);
  if (options.label_smoothing != 0) pair.y_true = pair.y_true * (1 - options.label_smoothing) + 0.5 * options.label_smoothing;
  Tensor values;
  if (options.from_logits) {
    values = pair.y_true * ops::softplus(-pair.y_pred) + (1 - pair.y_true) * ops::softplus(pair.y_pred);
  } else {
    const Tensor probability = ops::clip(pair.y_pred, kEpsilon, 1 - kEpsilon);
    values = -(pair.y_true * ops::log(probability) + (1 - pair.y_true) * ops::log(1 - probability));
  }
  return ops::mean(values, {.axis = static_cast<int>(options.axis)});
}

namespace {

using LossFunction = std::function<Tensor(const Tensor&, const Tensor&)>;

class FunctionLoss : public Loss {
 public:
  FunctionLoss(const char* default_name, std::string name, std::string reduction, LossFunction function)
      : Loss(name.empty() ? default_name : std::move(name), std::move(reduction)), function_(std::move(function)) {}
  Tensor call(const Tensor& y_true, const Tensor& y_pred) const override { return function_(y_true, y_pred); }

 private:
  LossFunction function_;
};

/// Cross entropies do not broadcast labels.
class CrossentropyLoss : public FunctionLoss {
 public:
  using FunctionLoss::FunctionLoss;

  void check_types(const TensorType& labels, const TensorType& output) const override {
    if (labels.dims.size() == output.dims.size() && labels.dims.back() == 1 && output.dims.back() > 1)
      invalid_argument(
          "[{}] labels of shape {} do not fit the output of shape {}: if the labels are class ids, pass them one-hot encoded, "
          "as {}, or use the loss \"sparse_categorical_crossentropy\"",
          name(), shape_with_none_str(labels.dims), shape_with_none_str(output.dims), shape_with_none_str(output.dims));
    FunctionLoss::check_types(labels, output);
  }
};

class SparseLoss : public FunctionLoss {
 public:
  using FunctionLoss::FunctionLoss;

  void check_types(const TensorType& labels, const TensorType& output) const override {
    if (output.dims.size() < 2 || output.dims.back() < 2)
      invalid_argument(
          "[{}] needs an output of [batch, ..., classes] with at least 2 classes; its shape is {}. For two classes in one "
          "output use \"binary_crossentropy\"",
          name(), shape_with_none_str(output.dims));
    Dims expected(output.dims.begin(), output.dims.end() - 1);
    Dims dims = labels.dims;
    if (dims.size() == output.dims.size() && dims.back() == 1) dims.pop_back();
    bool fits = dims.size() == expected.size();
    for (std::size_t i = 0; fits && i < dims.size(); ++i) fits = dims[i] == expected[i] || dims[i] == kUnknown || expected[i] == kUnknown;
    if (fits) return;
    const bool is_one_hot = labels.dims.size() == output.dims.size() && labels.dims.back() == output.dims.back();
    invalid_argument("[{}] labels of shape {} do not fit the output of shape {}: expected class ids of shape {}{}", name(),
                     shape_with_none_str(labels.dims), shape_with_none_str(output.dims), shape_with_none_str(expected),
                     is_one_hot ? "; for one-hot labels use \"categorical_crossentropy\"" : "");
  }

  std::optional<std::int64_t> num_label_classes(const Dims& output_shape) const override { return output_shape.back(); }
};

}  // namespace

MeanSquaredError::MeanSquaredError(LossOptions options)
    : LossHandle(std::make_shared<FunctionLoss>("mean_squared_error", options.name, options.reduction, &mean_squared_error)) {}
MeanAbsoluteError::MeanAbsoluteError(LossOptions options)
    : LossHandle(std::make_shared<FunctionLoss>("mean_absolute_error", options.name, options.reduction, &mean_absolute_error)) {}
LogCosh::LogCosh(LossOptions options)
    : LossHandle(std::make_shared<FunctionLoss>("log_cosh", options.name, options.reduction, &log_cosh)) {}
Huber::Huber(HuberOptions options)
    : LossHandle(std::make_shared<FunctionLoss>(
          "huber_loss", options.name, options.reduction,
          [delta = options.delta](const Tensor& y_true, const Tensor& y_pred) { return huber(y_true, y_pred, delta); })) {}
CategoricalCrossentropy::CategoricalCrossentropy(CategoricalCrossentropyOptions options)
    : LossHandle(std::make_shared<CrossentropyLoss>(
          "categorical_crossentropy", options.name, options.reduction, [=](const Tensor& y_true, const Tensor& y_pred) {
            return categorical_crossentropy(y_true, y_pred, {options.from_logits, options.label_smoothing, options.axis});
          })) {}
BinaryCrossentropy::BinaryCrossentropy(CategoricalCrossentropyOptions options)
    : LossHandle(std::make_shared<CrossentropyLoss>(
          "binary_crossentropy", options.name, options.reduction, [=](const Tensor& y_true, const Tensor& y_pred) {
            return binary_crossentropy(y_true, y_pred, {options.from_logits, options.label_smoothing, options.axis});
          })) {}
SparseCategoricalCrossentropy::SparseCategoricalCrossentropy(SparseCategoricalCrossentropyOptions options)
    : LossHandle(std::make_shared<SparseLoss>("sparse_categorical_crossentropy", options.name, options.reduction,
                                              [from_logits = options.from_logits](const Tensor& y_true, const Tensor& y_pred) {
                                                return sparse_categorical_crossentropy(y_true, y_pred, {.from_logits = from_logits});
                                              })) {}

}  // namespace losses

namespace {

constexpr std::array<NamedMaker<Loss>, 10> kLosses = {{
    {"mean_squared_error", &make_default<Loss, losses::MeanSquaredError>},
    {"mean_absolute_error", &make_default<Loss, losses::MeanAbsoluteError>},
    {"log_cosh", &make_default<Loss, losses::LogCosh>},
    {"huber", &make_default<Loss, losses::Huber>},
    {"categorical_crossentropy", &make_default<Loss, losses::CategoricalCrossentropy>},
    {"sparse_categorical_crossentropy", &make_default<Loss, losses::SparseCategoricalCrossentropy>},
    {"binary_crossentropy", &make_default<Loss, losses::BinaryCrossentropy>},
    {"mse", &make_default<Loss, losses::MeanSquaredError>},
    {"mae", &make_default<Loss, losses::MeanAbsoluteError>},
    {"bce", &make_default<Loss, losses::BinaryCrossentropy>},
}};

}  // namespace

std::vector<std::string> Loss::names() { return table_names<Loss>(kLosses); }

std::shared_ptr<Loss> Loss::from_name(const std::string& name) {
  if (std::shared_ptr<Loss> loss = make_named<Loss>(kLosses, name)) return loss;
  unknown_name("loss", name, names());
}

}  // namespace cornu::keras
