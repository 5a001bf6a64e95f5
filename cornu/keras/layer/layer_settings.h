#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cornu/keras/base/dtype_policy.h"
#include "cornu/keras/config/configurable.h"
#include "cornu/keras/constraints/constraints.h"
#include "cornu/keras/initializers/initializers.h"
#include "cornu/keras/regularizers/regularizers.h"
#include "cornu/tensor/tensor.h"
#include "cornu/tensor/variable.h"

namespace cornu::inline v0::keras {

struct WeightOptions {  // options/layers.toml
  /// Name of the weight in the layer, as files have it; required.
  std::string name;
  /// Shape of the weight; required.
  Dims shape;
  /// Initializer of the values.
  InitializerSpec initializer = "glorot_uniform";
  /// False: gradients do not change the weight.
  bool trainable = true;
  /// Dtype of the weight; unset: variable_dtype() of the layer.
  std::optional<DType> dtype = {};
  /// True: call() gets the weight in compute_dtype(); false: in its own dtype, also under a mixed policy.
  bool autocast = true;
  /// Penalty that is added to the loss; empty: none.
  RegularizerSpec regularizer = {};
  /// Projection after each update; empty: none.
  ConstraintSpec constraint = {};
  /// Treatment of values that the replicas of a strategy assign.
  VariableAggregation aggregation = VariableAggregation::kNone;
  /// True: an embedding table, whose rows (axis 0) keep their values in an optimizer's step without a
  /// gradient if the optimizer has lazy_rows.
  bool is_table = false;
};

/// The key of an inner layer in files: the name of the attribute that holds it, and true if the attribute is
/// a list.
struct HeldAs {
  std::string attribute = {};  // empty: a list "layers"
  bool in_list = true;
};

/// The settings that all layers have.
struct LayerSettings {
  std::string class_name;
  std::string name = {};  // empty: the next automatic name of the class ("dense_1")
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};  // unset: dtype_policy()
  OptionalDims input_shape = {};  // of one row; a Sequential that begins with the layer is built at once
  RegularizerSpec activity_regularizer = {};
  /// For Cornu's own layers: the options from which get_config() is written.
  std::shared_ptr<const saving::DescribedOptions> described = {};
};

/// The rule by which a layer's output types follow from its input types without a call. With kComputed, kCast
/// and kKept, compute_output_shape() gives the shape for one input, and the rule the dtype.
enum class TypeRule : std::uint8_t {
  kNone,        // no rule: calls are traced
  kComputed,    // compute_dtype() for an input of that dtype; calls on other inputs are traced
  kCast,        // compute_dtype() for any input
  kKept,        // the input's dtype as call() sees it
  kOverridden,  // compute_output_types() is overridden; if it calls Layer's, the call is traced
};

/// The requirements on an input's shape. Unset members require nothing; kUnknown extents of the input fit
/// anything.
struct InputSpec {
  std::optional<std::int64_t> ndim = {};
  std::optional<std::int64_t> min_ndim = {};
  std::optional<std::int64_t> max_ndim = {};
  std::vector<std::pair<std::int64_t, std::int64_t>> axes = {};  // axis (negative: from the end), extent
  std::optional<DType> dtype = {};
  std::optional<Dims> shape = {};        // kUnknown: any extent
  bool allow_last_axis_squeeze = false;  // `shape` may also have a last axis of extent 1 more or less

  /// Errors: InvalidArgument with `what` ("the input"), the requirement, and the shape.
  void check(const Dims& shape, const std::string& what) const;
  /// The same with the dtype.
  void check(const TensorType& type, const std::string& what) const;

 private:
  void check_shape(Dims got, const std::string& what) const;
};

}  // namespace cornu::inline v0::keras
