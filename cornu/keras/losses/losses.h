#pragma once

#include "cornu/keras/losses/functions.h"
#include "cornu/keras/losses/loss.h"

/// Keras's losses as objects, its arguments and defaults; errors of all: InvalidArgument for another reduction, a label_smoothing outside
/// [0, 1], a dtype that is no floating-point one.
namespace cornu::inline v0::keras::losses {

struct LossOptions {
  std::string reduction = "sum_over_batch_size";
  std::string name = {};
  std::optional<DType> dtype = {};
};
class MeanSquaredError : public LossHandle {
 public:
  explicit MeanSquaredError(LossOptions options = {});
};
class MeanAbsoluteError : public LossHandle {
 public:
  explicit MeanAbsoluteError(LossOptions options = {});
};
class MeanAbsolutePercentageError : public LossHandle {
 public:
  explicit MeanAbsolutePercentageError(LossOptions options = {});
};
class MeanSquaredLogarithmicError : public LossHandle {
 public:
  explicit MeanSquaredLogarithmicError(LossOptions options = {});
};
class LogCosh : public LossHandle {
 public:
  explicit LogCosh(LossOptions options = {});
};
class KLDivergence : public LossHandle {
 public:
  explicit KLDivergence(LossOptions options = {});
};
class Poisson : public LossHandle {
 public:
  explicit Poisson(LossOptions options = {});
};
class Hinge : public LossHandle {
 public:
  explicit Hinge(LossOptions options = {});
};
class SquaredHinge : public LossHandle {
 public:
  explicit SquaredHinge(LossOptions options = {});
};
class CategoricalHinge : public LossHandle {
 public:
  explicit CategoricalHinge(LossOptions options = {});
};

struct CosineSimilarityOptions {
  std::int64_t axis = -1;
  std::string reduction = "sum_over_batch_size";
  std::string name = {};
  std::optional<DType> dtype = {};
};
class CosineSimilarity : public LossHandle {
 public:
  explicit CosineSimilarity(CosineSimilarityOptions options = {});
};

struct HuberOptions {
  double delta = 1.0;
  std::string reduction = "sum_over_batch_size";
  std::string name = {};
  std::optional<DType> dtype = {};
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
  std::optional<DType> dtype = {};
};
class CategoricalCrossentropy : public LossHandle {
 public:
  explicit CategoricalCrossentropy(CategoricalCrossentropyOptions options = {});
};
using BinaryCrossentropyOptions = CategoricalCrossentropyOptions;
class BinaryCrossentropy : public LossHandle {
 public:
  explicit BinaryCrossentropy(BinaryCrossentropyOptions options = {});
};

struct BinaryFocalCrossentropyOptions {
  bool apply_class_balancing = false;
  double alpha = 0.25;
  double gamma = 2.0;
  bool from_logits = false;
  double label_smoothing = 0.0;
  std::int64_t axis = -1;
  std::string reduction = "sum_over_batch_size";
  std::string name = {};
  std::optional<DType> dtype = {};
};
class BinaryFocalCrossentropy : public LossHandle {
 public:
  explicit BinaryFocalCrossentropy(BinaryFocalCrossentropyOptions options = {});
};

struct CategoricalFocalCrossentropyOptions {
  double alpha = 0.25;
  double gamma = 2.0;
  bool from_logits = false;
  double label_smoothing = 0.0;
  std::int64_t axis = -1;
  std::string reduction = "sum_over_batch_size";
  std::string name = {};
  std::optional<DType> dtype = {};
};
class CategoricalFocalCrossentropy : public LossHandle {
 public:
  explicit CategoricalFocalCrossentropy(CategoricalFocalCrossentropyOptions options = {});
};

struct SparseCategoricalCrossentropyOptions {
  bool from_logits = false;
  std::optional<std::int64_t> ignore_class = {};  // samples with this label do not count
  std::string reduction = "sum_over_batch_size";
  std::int64_t axis = -1;
  std::string name = {};
  std::optional<DType> dtype = {};
};
class SparseCategoricalCrossentropy : public LossHandle {
 public:
  explicit SparseCategoricalCrossentropy(SparseCategoricalCrossentropyOptions options = {});
};

struct CategoricalGeneralizedCrossEntropyOptions {
  double q = 0.5;
  std::string reduction = "sum_over_batch_size";
  std::string name = {};
  std::optional<DType> dtype = {};
};
/// Errors: InvalidArgument unless 0 < q < 1.
class CategoricalGeneralizedCrossEntropy : public LossHandle {
 public:
  explicit CategoricalGeneralizedCrossEntropy(CategoricalGeneralizedCrossEntropyOptions options = {});
};

}  // namespace cornu::inline v0::keras::losses
