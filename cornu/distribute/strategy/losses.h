#pragma once

#include <cstdint>
#include <optional>

#include "cornu/tensor/value/tensor.h"

/// What a step of several replicas makes of its losses: gradients are added over the replicas, so that
/// each divides by what all have.
namespace cornu::inline v0::nn {

struct AverageLossOptions {
  /// Broadcastable to the losses [batch, ...]; undefined: 1. As TensorFlow has it, weights of one axis
  /// less get a last one ([batch] weighs the rows of losses [batch, d]), and those of one more lose
  /// their last one, of extent 1.
  Tensor sample_weight = {};
  /// Rows of all replicas together; unset: the rows here times the number of replicas.
  std::optional<std::int64_t> global_batch_size = {};
};
/// The sum of losses, one a row, over the number of rows of all replicas.
/// Shapes:  per_example_loss: [batch, ...]; a scalar.
/// Errors:  InvalidArgument for a scalar, a sample_weight that does not fit, and a global_batch_size
///          that is not positive.
Tensor compute_average_loss(const Tensor& per_example_loss, const AverageLossOptions& options = {});

/// The sum of a loss that does not depend on rows, over the number of replicas.
Tensor scale_regularization_loss(const Tensor& regularization_loss);

}  // namespace cornu::inline v0::nn
