#pragma once

#include <cstdint>
#include <optional>

#include "cornu/keras/losses/loss.h"
#include "cornu/tensor/tensor.h"

namespace cornu::inline v0::keras {

/// A label that is not a class id.
struct WrongId {
  double value;
  std::int64_t row;
  std::int64_t num_classes;
};

/// Returns the first label that is not a class id in [0, classes), if the loss takes class ids for such an
/// output. Labels that are too large are reported before negative ones, which are often padding. Requires:
/// the labels' type fits the loss.
std::optional<WrongId> first_wrong_id(const Tensor& labels, const Loss& loss, const TensorType& output);

}  // namespace cornu::inline v0::keras
