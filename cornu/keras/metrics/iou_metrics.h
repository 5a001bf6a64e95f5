#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cornu/keras/config/fields.h"
#include "cornu/keras/metrics/metric.h"

/// Metrics of segmentation: counts of pairs of label and prediction.
namespace cornu::inline v0::keras::metrics {

struct IoUOptions {  // options/metrics.toml
  /// Number of classes; required, positive. Labels and predictions outside [0, num_classes) do not count.
  std::int64_t num_classes = 0;
  /// Classes whose mean is the result, in [0, num_classes); required.
  Dims target_class_ids = {};
  /// Name in logs; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// Dtype of the counts and of weights, an integer or a float; unset: int64.
  std::optional<DType> dtype = {};
  /// Label whose samples do not count; unset: all count.
  std::optional<std::int64_t> ignore_class = {};
  /// True: labels are class ids; false: one-hot rows along axis.
  bool sparse_y_true = true;
  /// True: predictions are class ids; false: scores, whose largest along axis is the class.
  bool sparse_y_pred = true;
  /// Axis of the classes; negative: from the end.
  std::int64_t axis = -1;
};
CORNU_FIELDS(IoUOptions, num_classes, target_class_ids, name, dtype, ignore_class, sparse_y_true,
             sparse_y_pred, axis)
/// Intersection over union of labels and predictions: true positives over true positives, false positives and
/// false negatives, the mean of the classes in `target_class_ids`.
///
/// Classes that neither labels nor predictions have do not count. Labels and predictions have one shape, of any
/// rank (after their classes are taken, if they are not class ids); weights apply to a row or to a value.
/// Errors: InvalidArgument for num_classes that is not positive and for target_class_ids outside [0, num_classes);
///         when updated, for shapes that do not fit.
class IoU : public MetricHandle {
 public:
  explicit IoU(IoUOptions options);
};

struct MeanIoUOptions {  // options/metrics.toml
  /// Number of classes; required, positive. Labels and predictions outside [0, num_classes) do not count.
  std::int64_t num_classes = 0;
  /// Name in logs; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// Dtype of the counts and of weights, an integer or a float; unset: int64.
  std::optional<DType> dtype = {};
  /// Label whose samples do not count; unset: all count.
  std::optional<std::int64_t> ignore_class = {};
  /// True: labels are class ids; false: one-hot rows along axis.
  bool sparse_y_true = true;
  /// True: predictions are class ids; false: scores, whose largest along axis is the class.
  bool sparse_y_pred = true;
  /// Axis of the classes; negative: from the end.
  std::int64_t axis = -1;
};
CORNU_FIELDS(MeanIoUOptions, num_classes, name, dtype, ignore_class, sparse_y_true, sparse_y_pred, axis)
/// IoU with all classes as target_class_ids.
class MeanIoU : public MetricHandle {
 public:
  explicit MeanIoU(MeanIoUOptions options);
};

struct BinaryIoUOptions {  // options/metrics.toml
  /// Classes whose mean is the result: 0, 1 or both.
  Dims target_class_ids = {0, 1};
  /// Outputs that are at least equal to it are of class 1.
  double threshold = 0.5;
  /// Name in logs; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// Dtype of the counts and of weights, an integer or a float; unset: int64.
  std::optional<DType> dtype = {};
};
CORNU_FIELDS(BinaryIoUOptions, target_class_ids, threshold, name, dtype)
/// IoU of two classes: 1 where an output is at least equal to `threshold`, else 0.
class BinaryIoU : public MetricHandle {
 public:
  explicit BinaryIoU(BinaryIoUOptions options = {});
  explicit BinaryIoU(NoOptions) : BinaryIoU() {}
};

struct OneHotIoUOptions {  // options/metrics.toml
  /// Number of classes; required, positive. Labels and predictions outside [0, num_classes) do not count.
  std::int64_t num_classes = 0;
  /// Classes whose mean is the result, in [0, num_classes); required.
  Dims target_class_ids = {};
  /// Name in logs; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// Dtype of the counts and of weights, an integer or a float; unset: int64.
  std::optional<DType> dtype = {};
  /// Label whose samples do not count; unset: all count.
  std::optional<std::int64_t> ignore_class = {};
  /// True: predictions are class ids; false: scores, whose largest along axis is the class.
  bool sparse_y_pred = false;
  /// Axis of the classes; negative: from the end.
  std::int64_t axis = -1;
};
CORNU_FIELDS(OneHotIoUOptions, num_classes, target_class_ids, name, dtype, ignore_class, sparse_y_pred, axis)
/// IoU of labels that are one-hot, and of predictions that are scores of the classes.
class OneHotIoU : public MetricHandle {
 public:
  explicit OneHotIoU(OneHotIoUOptions options);
};

struct OneHotMeanIoUOptions {  // options/metrics.toml
  /// Number of classes; required, positive. Labels and predictions outside [0, num_classes) do not count.
  std::int64_t num_classes = 0;
  /// Name in logs; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// Dtype of the counts and of weights, an integer or a float; unset: int64.
  std::optional<DType> dtype = {};
  /// Label whose samples do not count; unset: all count.
  std::optional<std::int64_t> ignore_class = {};
  /// True: predictions are class ids; false: scores, whose largest along axis is the class.
  bool sparse_y_pred = false;
  /// Axis of the classes; negative: from the end.
  std::int64_t axis = -1;
};
CORNU_FIELDS(OneHotMeanIoUOptions, num_classes, name, dtype, ignore_class, sparse_y_pred, axis)
/// OneHotIoU with all classes as target_class_ids.
class OneHotMeanIoU : public MetricHandle {
 public:
  explicit OneHotMeanIoU(OneHotMeanIoUOptions options);
};

}  // namespace cornu::inline v0::keras::metrics
