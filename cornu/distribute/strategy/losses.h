#pragma once

#include <cstdint>
#include <optional>

#include "cornu/tensor/value/tensor.h"

/// Scaling of losses in a step of several replicas: gradients are summed over the replicas, so each replica
/// divides by the global number.
namespace cornu::inline v0::nn {

struct AverageLossOptions {  // options/distribute.toml
  /// Weights that broadcast to the losses [batch, ...]; undefined: 1. As in TensorFlow, weights of one axis
  /// less get a last axis ([batch] weighs the rows of losses [batch, d]), and weights of one axis more lose
  /// the last one, of extent 1.
  Tensor sample_weight = {};
  /// Rows of all replicas together, positive; unset: this replica's rows times the number of replicas.
  std::optional<std::int64_t> global_batch_size = {};
};
/// The sum of losses, one for each row, divided by the number of rows of all replicas.
/// Shapes:  per_example_loss: [batch, ...]; a scalar.
/// Errors:  InvalidArgument for a scalar, a sample_weight that does not fit, and a global_batch_size that is
///          not positive.
Tensor compute_average_loss(const Tensor& per_example_loss, const AverageLossOptions& options = {});

/// A loss that does not depend on rows, summed and divided by the number of replicas.
Tensor scale_regularization_loss(const Tensor& regularization_loss);

}  // namespace cornu::inline v0::nn
