#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/losses/functions.h"
#include "cornu/keras/losses/loss.h"

/// Keras's losses as objects, its arguments and defaults; errors of all: InvalidArgument for another
/// reduction, a label_smoothing outside [0, 1], a dtype that is no floating-point one.
namespace cornu::inline v0::keras::losses {

struct LossOptions {
  std::string reduction = "sum_over_batch_size";
  std::string name = {};
  std::optional<DType> dtype = {};
};
CORNU_FIELDS(LossOptions, reduction, name, dtype)
class MeanSquaredError : public LossHandle {
 public:
  explicit MeanSquaredError(LossOptions options = {});
  explicit MeanSquaredError(NoOptions) : MeanSquaredError() {}
};
class MeanAbsoluteError : public LossHandle {
 public:
  explicit MeanAbsoluteError(LossOptions options = {});
  explicit MeanAbsoluteError(NoOptions) : MeanAbsoluteError() {}
};
class MeanAbsolutePercentageError : public LossHandle {
 public:
  explicit MeanAbsolutePercentageError(LossOptions options = {});
  explicit MeanAbsolutePercentageError(NoOptions) : MeanAbsolutePercentageError() {}
};
class MeanSquaredLogarithmicError : public LossHandle {
 public:
  explicit MeanSquaredLogarithmicError(LossOptions options = {});
  explicit MeanSquaredLogarithmicError(NoOptions) : MeanSquaredLogarithmicError() {}
};
class LogCosh : public LossHandle {
 public:
  explicit LogCosh(LossOptions options = {});
  explicit LogCosh(NoOptions) : LogCosh() {}
};
class KLDivergence : public LossHandle {
 public:
  explicit KLDivergence(LossOptions options = {});
  explicit KLDivergence(NoOptions) : KLDivergence() {}
};
class Poisson : public LossHandle {
 public:
  explicit Poisson(LossOptions options = {});
  explicit Poisson(NoOptions) : Poisson() {}
};
class Hinge : public LossHandle {
 public:
  explicit Hinge(LossOptions options = {});
  explicit Hinge(NoOptions) : Hinge() {}
};
class SquaredHinge : public LossHandle {
 public:
  explicit SquaredHinge(LossOptions options = {});
  explicit SquaredHinge(NoOptions) : SquaredHinge() {}
};
class CategoricalHinge : public LossHandle {
 public:
  explicit CategoricalHinge(LossOptions options = {});
  explicit CategoricalHinge(NoOptions) : CategoricalHinge() {}
};

struct CosineSimilarityOptions {
  std::int64_t axis = -1;
  std::string reduction = "sum_over_batch_size";
  std::string name = {};
  std::optional<DType> dtype = {};
};
CORNU_FIELDS(CosineSimilarityOptions, axis, reduction, name, dtype)
class CosineSimilarity : public LossHandle {
 public:
  explicit CosineSimilarity(CosineSimilarityOptions options = {});
  explicit CosineSimilarity(NoOptions) : CosineSimilarity() {}
};

struct HuberOptions {
  double delta = 1.0;
  std::string reduction = "sum_over_batch_size";
  std::string name = {};
  std::optional<DType> dtype = {};
};
CORNU_FIELDS(HuberOptions, delta, reduction, name, dtype)
class Huber : public LossHandle {
 public:
  explicit Huber(HuberOptions options = {});
  explicit Huber(NoOptions) : Huber() {}
};

struct CategoricalCrossentropyOptions {
  bool from_logits = false;
  double label_smoothing = 0.0;
  std::int64_t axis = -1;
  std::string reduction = "sum_over_batch_size";
  std::string name = {};
  std::optional<DType> dtype = {};
};
CORNU_FIELDS(CategoricalCrossentropyOptions, from_logits, label_smoothing, axis, reduction, name, dtype)
class CategoricalCrossentropy : public LossHandle {
 public:
  explicit CategoricalCrossentropy(CategoricalCrossentropyOptions options = {});
  explicit CategoricalCrossentropy(NoOptions) : CategoricalCrossentropy() {}
};
using BinaryCrossentropyOptions = CategoricalCrossentropyOptions;
class BinaryCrossentropy : public LossHandle {
 public:
  explicit BinaryCrossentropy(BinaryCrossentropyOptions options = {});
  explicit BinaryCrossentropy(NoOptions) : BinaryCrossentropy() {}
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
CORNU_FIELDS(BinaryFocalCrossentropyOptions, apply_class_balancing, alpha, gamma, from_logits,
             label_smoothing, axis, reduction, name, dtype)
class BinaryFocalCrossentropy : public LossHandle {
 public:
  explicit BinaryFocalCrossentropy(BinaryFocalCrossentropyOptions options = {});
  explicit BinaryFocalCrossentropy(NoOptions) : BinaryFocalCrossentropy() {}
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
CORNU_FIELDS(CategoricalFocalCrossentropyOptions, alpha, gamma, from_logits, label_smoothing, axis, reduction,
             name, dtype)
class CategoricalFocalCrossentropy : public LossHandle {
 public:
  explicit CategoricalFocalCrossentropy(CategoricalFocalCrossentropyOptions options = {});
  explicit CategoricalFocalCrossentropy(NoOptions) : CategoricalFocalCrossentropy() {}
};

struct SparseCategoricalCrossentropyOptions {
  bool from_logits = false;
  std::optional<std::int64_t> ignore_class = {};  // samples with this label do not count
  std::string reduction = "sum_over_batch_size";
  std::int64_t axis = -1;
  std::string name = {};
  std::optional<DType> dtype = {};
};
CORNU_FIELDS(SparseCategoricalCrossentropyOptions, from_logits, ignore_class, reduction, axis, name, dtype)
class SparseCategoricalCrossentropy : public LossHandle {
 public:
  explicit SparseCategoricalCrossentropy(SparseCategoricalCrossentropyOptions options = {});
  explicit SparseCategoricalCrossentropy(NoOptions) : SparseCategoricalCrossentropy() {}
};

struct CategoricalGeneralizedCrossEntropyOptions {
  double q = 0.5;
  std::string reduction = "sum_over_batch_size";
  std::string name = {};
  std::optional<DType> dtype = {};
};
CORNU_FIELDS(CategoricalGeneralizedCrossEntropyOptions, q, reduction, name, dtype)
/// Errors: InvalidArgument unless 0 < q < 1.
class CategoricalGeneralizedCrossEntropy : public LossHandle {
 public:
  explicit CategoricalGeneralizedCrossEntropy(CategoricalGeneralizedCrossEntropyOptions options = {});
  explicit CategoricalGeneralizedCrossEntropy(NoOptions) : CategoricalGeneralizedCrossEntropy() {}
};

}  // namespace cornu::inline v0::keras::losses
