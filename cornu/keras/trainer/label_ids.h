#pragma once

#include <cstdint>
#include <optional>

#include "cornu/keras/losses/loss.h"
#include "cornu/tensor/tensor.h"

namespace cornu::inline v0::keras {

/// A label that is no class id.
struct WrongId {
  double value;
  std::int64_t row;
  std::int64_t num_classes;
};

/// Finds the first label that is not a class id in [0, classes), if the loss needs class ids for such an
/// output. A label that is too large goes before negative ones, which are often padding. The labels' type has
/// to fit the loss.
std::optional<WrongId> first_wrong_id(const Tensor& labels, const Loss& loss, const TensorType& output);

}  // namespace cornu::inline v0::keras
