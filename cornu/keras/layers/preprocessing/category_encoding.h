#pragma once

#include <cstdint>
#include <string>

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"

namespace cornu::inline v0::keras::layers {

struct CategoryEncodingOptions {
  std::int64_t num_tokens = 0;
  std::string output_mode = "multi_hot";  // "one_hot" or "count"
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
  OptionalDims input_shape = {};
};
CORNU_FIELDS(CategoryEncodingOptions, num_tokens, output_mode, name, trainable, dtype, input_shape)

/// Integers below num_tokens as vectors: one for each ("one_hot"), or one for a row, with 1 for those that
/// occur in it ("multi_hot") or how often they do ("count"). With "count" a second input may weigh them.
/// Integers outside [0, num_tokens) give zeros.
///
/// Shapes:  [batch, n] -> [batch, n, num_tokens] or [batch, num_tokens];
///          [batch, 1] -> [batch, num_tokens].
/// Errors:  InvalidArgument unless num_tokens is positive, and for an unknown mode.
class CategoryEncoding : public LayerHandle {
 public:
  explicit CategoryEncoding(CategoryEncodingOptions options);
};

}  // namespace cornu::inline v0::keras::layers
