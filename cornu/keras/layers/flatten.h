#pragma once

#include "cornu/keras/layer.h"

namespace cornu::keras::layers {

struct FlattenOptions {
  std::string name = {};
};

/// [batch, d1, d2, ...] -> [batch, d1 * d2 * ...]; [batch] -> [batch, 1].
class Flatten : public LayerHandle {
 public:
  explicit Flatten(FlattenOptions options = {});
};

}  // namespace cornu::keras::layers
