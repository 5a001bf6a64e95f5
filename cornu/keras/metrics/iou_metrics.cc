#include "cornu/keras/metrics/iou_metrics.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/keras/base/align.h"
#include "cornu/keras/base/names.h"
#include "cornu/keras/config/described_options_support.h"
#include "cornu/keras/metrics/support.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/ops/epsilon.h"

namespace cornu::inline v0::keras::metrics {
namespace {

/// Counts pairs of label (row) and prediction (column) in a matrix.
class IoUMetric : public Metric {
 public:
  IoUMetric(std::string kind, const IoUOptions& options)
      : Metric(options.name.empty() ? unique_name(kind) : options.name,
               CountDType{options.dtype.value_or(DType::kI64)}),
        kind_(std::move(kind)),
        options_(options) {
    set_direction(Direction::kUp);
    if (options.num_classes < 1)
      invalid_argument({.argument = "num_classes"}, "[{}] num_classes must be positive; got num_classes = {}",
                       kind_, options.num_classes);
    if (options.target_class_ids.empty())
      invalid_argument({.argument = "target_class_ids"}, "[{}] target_class_ids must name a class", kind_);
    for (const std::int64_t id : options.target_class_ids)
      if (id < 0 || id >= options.num_classes)
        invalid_argument({.argument = "target_class_ids"},
                         "[{}] target_class_ids must be in [0, num_classes), which is [0, {}); got {}", kind_,
                         options.num_classes, id);
    counts_ = add_variable("total_confusion_matrix", {options.num_classes, options.num_classes});
  }

  using Metric::update_state;
  void update_state(const Tensor& y_true, const Tensor& y_pred, const SampleWeights& weights) override {
    try {
      const Tensor labels = options_.sparse_y_true ? y_true : ops::argmax(y_true, {.axis = options_.axis});
      const Tensor classes = options_.sparse_y_pred ? y_pred : ops::argmax(y_pred, {.axis = options_.axis});
      const AlignedPair pair = align_ranks(labels, classes);
      if (pair.y_true.shape() != pair.y_pred.shape()) labels_do_not_fit(y_true, y_pred);
      add_counts(pair.y_true, class_ids(pair.y_pred, options_.num_classes), weights);
    } catch (const Error& error) {
      rethrow_named(error, kind_, this->name());
    }
  }

  Tensor result() const override {
    const Tensor of_predictions = ops::sum(counts_, {.axis = 0}), of_labels = ops::sum(counts_, {.axis = 1});
    const Tensor both = ops::diag(counts_);
    const Tensor chosen = Tensor::from(Dims{static_cast<std::int64_t>(options_.target_class_ids.size())},
                                       std::span<const std::int64_t>(options_.target_class_ids));
    const auto of_targets = [&](const Tensor& x) { return ops::cast(ops::take(x, chosen), DType::kF32); };
    const Tensor either = of_targets(of_predictions + of_labels - both);
    const Tensor occurs = ops::greater(either, 1e-9);
    const Tensor iou = ops::where(occurs, of_targets(both) / (either + cornu::detail::small_number()), 0);
    return ops::sum(iou) / (ops::sum(ops::cast(occurs, DType::kF32)) + cornu::detail::small_number());
  }

 private:
  void add_counts(const Tensor& y_true, const Tensor& classes, const SampleWeights& weights) {
    const std::int64_t n = options_.num_classes;
    const Tensor labels = class_ids(y_true, n);
    Tensor weight = weights.sample_weight.defined() ? ops::cast(weights.sample_weight, dtype())
                                                    : Tensor(ir::Literal::scalar(dtype(), 1));
    while (weight.rank() > 0 && weight.rank() < labels.rank()) weight = ops::expand_dims(weight, -1);
    if (weight.rank() == labels.rank() + 1 && weight.shape().back() == 1) weight = ops::squeeze(weight, -1);
    weight = weights.rows.zero_padding(ops::broadcast_to(weight, labels.shape()));
    const auto is_class = [&](const Tensor& x) {
      return ops::logical_and(ops::greater_equal(x, 0), ops::less(x, n));
    };
    Tensor is_counted = ops::logical_and(is_class(labels), is_class(classes));
    if (options_.ignore_class)
      is_counted = ops::logical_and(is_counted, ops::not_equal(labels, *options_.ignore_class));
    const Tensor pair = ops::where(is_counted, labels * n + classes, -1);
    const Tensor counts = ops::segment_sum(ops::ravel(weight), ops::ravel(pair), {.num_segments = n * n});
    counts_.assign(counts_ + ops::reshape(counts, {n, n}));
  }

  std::string kind_;
  IoUOptions options_;
  Variable counts_;
};

/// Outputs are compared with a threshold.
class BinaryIoUMetric : public IoUMetric {
 public:
  BinaryIoUMetric(const BinaryIoUOptions& options, const IoUOptions& general)
      : IoUMetric("binary_io_u", general), threshold_(options.threshold) {}
  using Metric::update_state;
  void update_state(const Tensor& y_true, const Tensor& y_pred, const SampleWeights& weights) override {
    const Tensor is_one = ops::greater_equal(ops::cast(y_pred, DType::kF32), threshold_);
    IoUMetric::update_state(y_true, ops::cast(is_one, DType::kI32), weights);
  }

 private:
  double threshold_;
};

Dims all_classes(std::int64_t num_classes) {
  Dims ids(static_cast<std::size_t>(std::max<std::int64_t>(num_classes, 0)));
  std::iota(ids.begin(), ids.end(), 0);
  return ids;
}

/// The metric, which describes itself as Keras does: with the dtype in which it counts.
template <typename Options>
void describe_iou(const MetricHandle& metric, const char* class_name, Options options) {
  options.dtype = metric->dtype();
  saving::describe(metric, class_name, options);
}

}  // namespace

IoU::IoU(IoUOptions options) : MetricHandle(std::make_shared<IoUMetric>("io_u", options)) {
  describe_iou(*this, "IoU", options);
}
MeanIoU::MeanIoU(MeanIoUOptions options)
    : MetricHandle(std::make_shared<IoUMetric>(
          "mean_io_u", IoUOptions{.num_classes = options.num_classes,
                                  .target_class_ids = all_classes(options.num_classes),
                                  .name = options.name,
                                  .dtype = options.dtype,
                                  .ignore_class = options.ignore_class,
                                  .sparse_y_true = options.sparse_y_true,
                                  .sparse_y_pred = options.sparse_y_pred,
                                  .axis = options.axis})) {
  describe_iou(*this, "MeanIoU", options);
}
BinaryIoU::BinaryIoU(BinaryIoUOptions options)
    : MetricHandle(
          std::make_shared<BinaryIoUMetric>(options, IoUOptions{.num_classes = 2,
                                                                .target_class_ids = options.target_class_ids,
                                                                .name = options.name,
                                                                .dtype = options.dtype})) {
  describe_iou(*this, "BinaryIoU", options);
}
OneHotIoU::OneHotIoU(OneHotIoUOptions options)
    : MetricHandle(
          std::make_shared<IoUMetric>("one_hot_io_u", IoUOptions{.num_classes = options.num_classes,
                                                                 .target_class_ids = options.target_class_ids,
                                                                 .name = options.name,
                                                                 .dtype = options.dtype,
                                                                 .ignore_class = options.ignore_class,
                                                                 .sparse_y_true = false,
                                                                 .sparse_y_pred = options.sparse_y_pred,
                                                                 .axis = options.axis})) {
  describe_iou(*this, "OneHotIoU", options);
}
OneHotMeanIoU::OneHotMeanIoU(OneHotMeanIoUOptions options)
    : MetricHandle(std::make_shared<IoUMetric>(
          "one_hot_mean_io_u", IoUOptions{.num_classes = options.num_classes,
                                          .target_class_ids = all_classes(options.num_classes),
                                          .name = options.name,
                                          .dtype = options.dtype,
                                          .ignore_class = options.ignore_class,
                                          .sparse_y_true = false,
                                          .sparse_y_pred = options.sparse_y_pred,
                                          .axis = options.axis})) {
  describe_iou(*this, "OneHotMeanIoU", options);
}

}  // namespace cornu::inline v0::keras::metrics
