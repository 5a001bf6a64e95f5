#pragma once

#include <cstdint>
#include <string>

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"

namespace cornu::inline v0::keras::layers {

struct CategoryEncodingOptions {  // options/layers.toml
  /// Number of categories: values are in [0, num_tokens); must be positive.
  std::int64_t num_tokens = 0;
  /// "one_hot": a vector for each value; "multi_hot": one for a row, 1 for each category in it; "count":
  /// their numbers.
  std::string output_mode = "multi_hot";
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
CORNU_FIELDS(CategoryEncodingOptions, num_tokens, output_mode, name, trainable, dtype, input_shape)

/// Encodes integers below num_tokens as vectors: one for each integer ("one_hot"), or one for each row, with
/// 1 for the integers that occur in it ("multi_hot") or their counts ("count"). With "count" a second input
/// may weight them. Integers outside [0, num_tokens) give zeros.
///
/// Shapes:  [batch, n] -> [batch, n, num_tokens] or [batch, num_tokens]; [batch, 1] -> [batch, num_tokens].
/// Errors:  InvalidArgument unless num_tokens is positive, and for an unknown mode.
class CategoryEncoding : public LayerHandle {
 public:
  explicit CategoryEncoding(CategoryEncodingOptions options);
};

}  // namespace cornu::inline v0::keras::layers
