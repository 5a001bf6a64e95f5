#include "cornu/keras/losses/loss.h"

#include <algorithm>
#include <array>

#include "cornu/base/check.h"
#include "cornu/keras/base/align.h"
#include "cornu/keras/base/floatx.h"
#include "cornu/keras/base/names.h"
#include "cornu/keras/base/shapes.h"
#include "cornu/keras/config/config.h"
#include "cornu/keras/losses/batch_labels_support.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras {
namespace {

bool extents_match(std::int64_t x, std::int64_t y) { return x == y || x == kUnknown || y == kUnknown; }

bool shapes_match(std::span<const std::int64_t> x, std::span<const std::int64_t> y) {
  return x.size() == y.size() && std::equal(x.begin(), x.end(), y.begin(), &extents_match);
}

/// True for one label where the output has several values: the labels are probably class ids.
bool looks_like_class_ids(const Dims& labels, const Dims& output) {
  if (output.size() < 2 || output.back() < 2) return false;
  return labels.size() + 1 == output.size() || (labels.size() == output.size() && labels.back() == 1);
}

}  // namespace

namespace {

/// Adds axes to a weight of smaller rank than the values: each weight then applies to a whole row.
Tensor with_rank_of(Tensor weight, const Tensor& values) {
  if (weight.rank() == values.rank() + 1 && weight.shape().back() == 1) weight = ops::squeeze(weight, -1);
  while (weight.rank() < values.rank()) weight = ops::expand_dims(weight, -1);
  return weight;
}

/// The weights of a mask: 1 where it is true. For means they are scaled up, since masked values must not
/// count in the divisor.
Tensor mask_weights(const Tensor& mask, const std::string& reduction, const RowMask& rows, DType dtype) {
  Tensor ones = rows.zero_padding(ops::cast(mask, dtype));
  if (reduction != "mean" && reduction != "sum_over_batch_size") return ones;
  const std::int64_t values_a_row =
      mask.num_elements() / std::max<std::int64_t>(mask.rank() == 0 ? 1 : mask.shape()[0], 1);
  const Tensor total = rows.defined()
                           ? ops::cast(rows.num_counted(), dtype) * static_cast<double>(values_a_row)
                           : Tensor(ir::Literal::scalar(dtype, static_cast<double>(ops::size(mask))));
  return ones * ops::divide_no_nan(total, rows.over_replicas(ops::sum(ones)));
}

/// True if `part` broadcasts to `whole` without a change of rank.
bool broadcasts_to(const Dims& part, const Dims& whole) {
  const auto fits = [](std::int64_t x, std::int64_t y) { return x == y || x == 1; };
  return part.size() == whole.size() && std::equal(part.begin(), part.end(), whole.begin(), fits);
}

}  // namespace

Loss::Loss(StringArgument name, StringArgument reduction, std::optional<DType> dtype)
    : name_(std::move(name)), reduction_(std::move(reduction)), dtype_(dtype.value_or(current_floatx())) {
  const std::array<std::string, 5> known = {"sum_over_batch_size", "mean", "sum", "mean_with_sample_weight",
                                            "none"};
  if (std::find(known.begin(), known.end(), reduction_) == known.end())
    unknown_name({name_, "reduction"}, reduction_, known);
  if (!ir::is_float(dtype_))
    invalid_argument({.argument = "dtype"}, "[{}] dtype must be a floating-point one; got dtype = {}", name_,
                     ir::numpy_name(dtype_));
}

Config Loss::get_config() const {
  return described_config("keras.losses", "loss", name_, Config::dict({{"name", name_}}));
}

Config LossHandle::get_config() const { return (*this)->get_config(); }

Tensor Loss::values_of(const Tensor& y_true, const Tensor& y_pred) const {
  try {
    const bool are_counts = ir::is_integer(y_true.dtype()) || y_true.dtype() == DType::kI1;
    const bool converts = are_counts && !keeps_label_dtype(y_pred.shape());
    return call(converts ? ops::cast(y_true, dtype_) : y_true, ops::cast(y_pred, dtype_));
  } catch (const Error& error) {
    throw error.said_by(name_).with(
        {.notes = fmt::format("y_true has shape {}, y_pred has shape {}", ir::shape_str(y_true.shape()),
                              ir::shape_str(y_pred.shape()))});
  }
}

// The values are selected again after call(). Both selections are needed: that of values keeps NaN out of the
// loss, that of predictions keeps 0 * infinity out of the gradient (docs/adr/0113).
Tensor Loss::counted_predictions(const Tensor& y_true, const Tensor& y_pred, const Tensor& weight) const {
  const std::optional<std::int64_t> given = sample_axis();
  if (!given || y_pred.rank() < 2) return y_pred;
  const std::int64_t axis = *given < 0 ? *given + y_pred.rank() : *given;
  Tensor counts = ops::not_equal(weight, 0);
  while (counts.rank() > 1 && counts.shape().back() == 1) counts = ops::squeeze(counts, -1);
  if (counts.rank() > 1 || axis == 0) {
    // There is a weight for each value. If call() first drops an axis of extent 1, the values have other
    // axes.
    const bool drops_axis = y_pred.shape().back() == 1 && y_true.rank() + 1 == y_pred.rank();
    if (drops_axis || counts.rank() + 1 != y_pred.rank()) return y_pred;
    counts = ops::expand_dims(counts, axis);
  }
  while (counts.rank() < y_pred.rank()) counts = ops::expand_dims(counts, -1);
  if (!broadcasts_to(counts.shape(), y_pred.shape())) return y_pred;
  return ops::where(counts, y_pred, 1);
}

namespace {

/// The values that both the predictions' mask and the values' own mask include; undefined if neither exists.
Tensor common_mask(const Tensor& y_pred, const Tensor& values) {
  Tensor mask;
  for (const Tensor* each : {y_pred.mask(), values.mask()}) {
    if (each == nullptr) continue;
    const Tensor fitted = with_rank_of(*each, values);
    mask = mask.defined() ? ops::logical_and(mask, fitted) : fitted;
  }
  return mask;
}

/// The sum or mean of weighted values, which are 0 in padded rows.
Tensor reduced_values(const Tensor& values, const Tensor& weight, const std::string& reduction,
                      const RowMask& rows) {
  const Tensor sum = ops::sum(values);
  if (reduction == "sum") return sum;
  if (reduction == "mean_with_sample_weight" && weight.defined())
    return ops::divide_no_nan(sum, rows.over_replicas(ops::sum(rows.zero_padding(weight))));
  if (!rows.defined()) return sum / static_cast<double>(ops::size(values));
  const std::int64_t values_a_row = values.num_elements() / std::max<std::int64_t>(values.shape()[0], 1);
  const Tensor num_rows = ops::cast(rows.num_counted(), values.dtype());
  return sum / (values_a_row == 1 ? num_rows : num_rows * static_cast<double>(values_a_row));
}

}  // namespace

Tensor Loss::operator()(const Tensor& y_true, const Tensor& y_pred, const SampleWeights& weights) const {
  Tensor counted = y_pred, labels = y_true;
  const bool reads_all_labels = dynamic_cast<const losses::ReadsAllLabels*>(this) != nullptr;
  for (const Tensor* each : {&weights.sample_weight, y_pred.mask()}) {
    if (each == nullptr || !each->defined()) continue;
    counted = counted_predictions(y_true, counted, *each);
    if (reads_all_labels) labels = counted_labels(labels, *each, losses::kUncountedLabel);
  }
  const auto* compares = dynamic_cast<const losses::ComparesRows*>(this);
  if (compares != nullptr && compares->compares_rows(y_pred.rank()))
    weights.rows.require_exact(fmt::format("loss \"{}\" compares the rows of a batch", name_));
  Tensor values = values_of(labels, counted);
  const Tensor mask = common_mask(y_pred, values);
  values = ops::cast(values, dtype_);
  if (values.rank() == 0)
    weights.rows.require_exact(fmt::format("loss \"{}\" gives one number for a batch", name_));
  Tensor weight;
  if (weights.sample_weight.defined())
    weight = with_rank_of(ops::cast(weights.sample_weight, values.dtype()), values);
  if (mask.defined()) {
    const Tensor of_mask = mask_weights(mask, reduction_, weights.rows, values.dtype());
    weight = weight.defined() ? weighted_values(weight, of_mask) : of_mask;
  }
  if (weight.defined()) values = weighted_values(values, weight);
  if (reduction_ == "none" || values.rank() == 0)
    return values.rank() == 0 ? values : weights.rows.zero_padding(values);
  return reduced_values(weights.rows.zero_padding(values), weight, reduction_, weights.rows);
}

void Loss::check_types(const TensorType& labels, const TensorType& output) const {
  const auto without_last = [](const Dims& dims) { return std::span(dims).first(dims.size() - 1); };
  if (shapes_match(labels.dims, output.dims)) return;
  // A last extent of 1 broadcasts, as in Keras. Labels of shape (n,) do not, because that is nearly always a
  // mistake.
  if (labels.dims.size() == output.dims.size() && labels.dims.size() >= 2 && labels.dims.back() == 1 &&
      shapes_match(without_last(labels.dims), without_last(output.dims)))
    return;
  // Keras drops or adds a last extent of 1.
  if (labels.dims.size() == output.dims.size() + 1 && labels.dims.back() == 1 &&
      shapes_match(without_last(labels.dims), output.dims))
    return;
  if (output.dims.size() == labels.dims.size() + 1 && output.dims.back() == 1 &&
      shapes_match(labels.dims, without_last(output.dims)))
    return;
  const std::string shapes = fmt::format("labels of shape {} do not fit the output of shape {}",
                                         shape_with_none_str(labels.dims), shape_with_none_str(output.dims));
  if (looks_like_class_ids(labels.dims, output.dims))
    invalid_argument(
        "[{}] {}: if the labels are class ids, pass them one-hot encoded, as {}, or use the loss "
        "\"sparse_categorical_crossentropy\"",
        name_, shapes, shape_with_none_str(output.dims));
  invalid_argument("[{}] {}", name_, shapes);
}

std::optional<std::int64_t> Loss::num_label_classes(const Dims& output_shape) const {
  (void)output_shape;
  return std::nullopt;
}

}  // namespace cornu::inline v0::keras
