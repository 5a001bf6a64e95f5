#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"

namespace cornu::inline v0::keras::layers {

struct ReshapeOptions {  // options/layers.toml
  /// Shape of one row of the output without the batch; at most one extent is -1 and follows from the others.
  Dims target_shape = {};
  /// Penalty on the output, averaged over the rows and added to the loss; empty: none.
  RegularizerSpec activity_regularizer = {};
  /// Name of the layer, unique in a model; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// False: the weights are frozen.
  bool trainable = true;
  /// Dtype or policy, such as "mixed_bfloat16"; unset: the global policy.
  std::optional<DTypePolicy> dtype = {};
  /// Shape of one row of the input without the batch, for the first layer of a Sequential; unset: the input
  /// decides.
  OptionalDims input_shape = {};
};
CORNU_FIELDS(ReshapeOptions, target_shape, activity_regularizer, name, trainable, dtype, input_shape)
/// Gives each row another shape; the order of elements is row-major.
///
/// Shapes:  [batch, ...] -> [batch, target_shape...].
/// Errors:  InvalidArgument for an extent below -1, several -1, and if the number of elements of a row differs.
class Reshape : public LayerHandle {
 public:
  explicit Reshape(ReshapeOptions options);
};

struct PermuteOptions {  // options/layers.toml
  /// Permutation of the axes 1, 2, ...; the batch stays first.
  Dims dims = {};
  /// Penalty on the output, averaged over the rows and added to the loss; empty: none.
  RegularizerSpec activity_regularizer = {};
  /// Name of the layer, unique in a model; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// False: the weights are frozen.
  bool trainable = true;
  /// Dtype or policy, such as "mixed_bfloat16"; unset: the global policy.
  std::optional<DTypePolicy> dtype = {};
  /// Shape of one row of the input without the batch, for the first layer of a Sequential; unset: the input
  /// decides.
  OptionalDims input_shape = {};
};
CORNU_FIELDS(PermuteOptions, dims, activity_regularizer, name, trainable, dtype, input_shape)
/// Exchanges the axes of each row.
///
/// Shapes:  [batch, d1, d2, ...] -> [batch, d(dims[0]), d(dims[1]), ...].
/// Errors:  InvalidArgument unless dims is a permutation of 1, 2, ... and fits the input's rank.
class Permute : public LayerHandle {
 public:
  explicit Permute(PermuteOptions options);
};

struct RepeatVectorOptions {  // options/layers.toml
  /// Number of copies; must be positive.
  std::int64_t n = 0;
  /// Penalty on the output, averaged over the rows and added to the loss; empty: none.
  RegularizerSpec activity_regularizer = {};
  /// Name of the layer, unique in a model; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// False: the weights are frozen.
  bool trainable = true;
  /// Dtype or policy, such as "mixed_bfloat16"; unset: the global policy.
  std::optional<DTypePolicy> dtype = {};
  /// Shape of one row of the input without the batch, for the first layer of a Sequential; unset: the input
  /// decides.
  OptionalDims input_shape = {};
};
CORNU_FIELDS(RepeatVectorOptions, n, activity_regularizer, name, trainable, dtype, input_shape)
/// Repeats each row n times.
///
/// Shapes:  [batch, features] -> [batch, n, features].
/// Errors:  InvalidArgument unless n is positive and the input has two dimensions.
class RepeatVector : public LayerHandle {
 public:
  explicit RepeatVector(RepeatVectorOptions options);
};

}  // namespace cornu::inline v0::keras::layers
