#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cornu/data/element.h"
#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"
#include "cornu/keras/layers/preprocessing/vocabulary.h"
#include "cornu/tensor/ops/types.h"

namespace cornu::inline v0::keras::layers {

struct HashingOptions {  // options/layers.toml
  /// Number of bins; must be positive.
  std::int64_t num_bins = 0;
  /// Number or text that gets bin 0, to which nothing else is then mapped; unset: none.
  MaskValue mask_value = {};
  /// Key of SipHash, one number or two; unset: FarmHash without a key.
  ops::OptionalIntOrInts salt = {};
  /// "int", "one_hot", "multi_hot" or "count".
  std::string output_mode = "int";
  /// Name of the layer, unique in a model; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// False: the weights are frozen.
  bool trainable = true;
  /// Dtype of the output: int64 or int32 with output_mode "int", else a floating-point one; unset: int64 or
  /// float32.
  std::optional<DType> dtype = {};
};
CORNU_FIELDS(HashingOptions, num_bins, mask_value, salt, output_mode, name, trainable, dtype)

/// Maps texts or integers to bins by a hash: FarmHash, or SipHash with a salt. The bins equal TensorFlow's.
///
///     layers::Hashing bins({.num_bins = 3});
///     bins(data::Strings{"A", "B", "C"});
///
/// Semantics: inputs have any shape, or are ragged rows; the output modes are StringLookup's. Integers are
///            hashed as decimal digits, floating-point numbers as truncated integers; numbers that equal
///            mask_value before that are masked. It cannot be part of compiled programs; use it in a data
///            set's map, as with Keras's JAX backend.
/// Errors:    InvalidArgument unless num_bins is positive, for types other than texts and numbers, and for a
///            mask value of the wrong type; Unimplemented for a call inside a program.
class Hashing : public LayerHandle {
 public:
  explicit Hashing(HashingOptions options);

  Tensor operator()(const data::Strings& texts) const { return (*this)(data::Element(texts)).tensor(); }
  Tensor operator()(const std::same_as<std::vector<std::string>> auto& texts) const {
    return (*this)(data::Strings(texts));
  }
  /// Takes texts, numbers, or ragged rows of them.
  data::Element operator()(const data::Element& input) const;
};

struct HashedCrossingOptions {  // options/layers.toml
  /// Number of bins; must be positive.
  std::int64_t num_bins = 0;
  /// "int": the bin; "one_hot": a vector with 1 at the bin.
  std::string output_mode = "int";
  /// Name of the layer, unique in a model; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// False: the weights are frozen.
  bool trainable = true;
  /// Dtype of the output: int64 or int32 with output_mode "int", else a floating-point one; unset: int64 or
  /// float32.
  std::optional<DType> dtype = {};
};
CORNU_FIELDS(HashedCrossingOptions, num_bins, output_mode, name, trainable, dtype)

/// Combines several features into one by a hash of their values: `hash(features) % num_bins`. The bins equal
/// TensorFlow's.
///
///     layers::HashedCrossing cross({.num_bins = 5});
///     cross({data::Strings{"A", "B"}, std::vector{101, 102}});
///
/// Shapes:  two or more of texts or integers, all (), [batch] or [batch, 1] -> that shape ("int"), or [batch,
///          num_bins].
/// Errors:  InvalidArgument unless num_bins is positive, for fewer than two inputs, and for other shapes and
///          types.
class HashedCrossing : public LayerHandle {
 public:
  explicit HashedCrossing(HashedCrossingOptions options);

  /// Takes a tuple of features, as in a data set's element.
  Tensor operator()(const data::Element& features) const;
};

}  // namespace cornu::inline v0::keras::layers
