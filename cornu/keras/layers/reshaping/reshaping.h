#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"

namespace cornu::inline v0::keras::layers {

struct ReshapeOptions {
  Dims target_shape = {};  // without the batch; at most one -1: what is left over
  RegularizerSpec activity_regularizer = {};
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
  OptionalDims input_shape = {};
};
CORNU_FIELDS(ReshapeOptions, target_shape, activity_regularizer, name, trainable, dtype, input_shape)
/// [batch, ...] -> [batch, target_shape...], row-major.
/// Errors: InvalidArgument for an extent below -1, several -1, and when the elements of a row do not fit.
class Reshape : public LayerHandle {
 public:
  explicit Reshape(ReshapeOptions options);
};

struct PermuteOptions {
  Dims dims = {};  // a permutation of 1, 2, ...; the batch stays
  RegularizerSpec activity_regularizer = {};
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
  OptionalDims input_shape = {};
};
CORNU_FIELDS(PermuteOptions, dims, activity_regularizer, name, trainable, dtype, input_shape)
/// Output axis i is input axis dims[i - 1]. Errors: InvalidArgument unless dims is a permutation of 1, 2, ...
/// and fits the input's rank.
class Permute : public LayerHandle {
 public:
  explicit Permute(PermuteOptions options);
};

struct RepeatVectorOptions {
  std::int64_t n = 0;
  RegularizerSpec activity_regularizer = {};
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
  OptionalDims input_shape = {};
};
CORNU_FIELDS(RepeatVectorOptions, n, activity_regularizer, name, trainable, dtype, input_shape)
/// [batch, features] -> [batch, n, features]. Errors: InvalidArgument unless n is positive and the input has
/// two dimensions.
class RepeatVector : public LayerHandle {
 public:
  explicit RepeatVector(RepeatVectorOptions options);
};

}  // namespace cornu::inline v0::keras::layers
