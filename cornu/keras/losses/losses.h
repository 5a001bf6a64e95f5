#pragma once

#include "cornu/keras/losses/loss.h"

namespace cornu::keras::losses {

struct CrossentropyOptions {
  bool from_logits = false;
  double label_smoothing = 0.0;  // not for the sparse one
  std::int64_t axis = -1;
};

// Per-sample values, [batch, ..., n] -> [batch, ...].
Tensor mean_squared_error(const Tensor& y_true, const Tensor& y_pred);
Tensor mean_absolute_error(const Tensor& y_true, const Tensor& y_pred);
/// log(cosh(y_pred - y_true)), stable for large differences.
Tensor log_cosh(const Tensor& y_true, const Tensor& y_pred);
Tensor huber(const Tensor& y_true, const Tensor& y_pred, double delta = 1.0);
Tensor categorical_crossentropy(const Tensor& y_true, const Tensor& y_pred, const CrossentropyOptions& options = {});
/// Labels are class ids [batch, ...] or [batch, ..., 1] in [0, classes), which a trainer checks before; the result for others is
/// unspecified.
Tensor sparse_categorical_crossentropy(const Tensor& y_true, const Tensor& y_pred, const CrossentropyOptions& options = {});
Tensor binary_crossentropy(const Tensor& y_true, const Tensor& y_pred, const CrossentropyOptions& options = {});

struct LossOptions {
  std::string reduction = "sum_over_batch_size";
  std::string name = {};
};
class MeanSquaredError : public LossHandle {
 public:
  explicit MeanSquaredError(LossOptions options = {});
};
class MeanAbsoluteError : public LossHandle {
 public:
  explicit MeanAbsoluteError(LossOptions options = {});
};
class LogCosh : public LossHandle {
 public:
  explicit LogCosh(LossOptions options = {});
};
struct HuberOptions {
  double delta = 1.0;
  std::string reduction = "sum_over_batch_size";
  std::string name = {};
};
class Huber : public LossHandle {
 public:
  explicit Huber(HuberOptions options = {});
};
struct CategoricalCrossentropyOptions {
  bool from_logits = false;
  double label_smoothing = 0.0;
  std::int64_t axis = -1;
  std::string reduction = "sum_over_batch_size";
  std::string name = {};
};
class CategoricalCrossentropy : public LossHandle {
 public:
  explicit CategoricalCrossentropy(CategoricalCrossentropyOptions options = {});
};
class BinaryCrossentropy : public LossHandle {
 public:
  explicit BinaryCrossentropy(CategoricalCrossentropyOptions options = {});
};
struct SparseCategoricalCrossentropyOptions {
  bool from_logits = false;
  std::string reduction = "sum_over_batch_size";
  std::string name = {};
};
class SparseCategoricalCrossentropy : public LossHandle {
 public:
  explicit SparseCategoricalCrossentropy(SparseCategoricalCrossentropyOptions options = {});
};

}  // namespace cornu::keras::losses
