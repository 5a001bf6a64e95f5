#include "cornu/distribute/strategy/losses.h"

#include "cornu/base/check.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/trace/replicas.h"

namespace cornu::inline v0::nn {
namespace {

/// Adapts weights to the losses' axes: removes or adds a last axis of extent 1.
Tensor with_axes_of_losses(const Tensor& sample_weight, const Tensor& losses) {
  const std::int64_t too_many = sample_weight.rank() - losses.rank();
  if (too_many == 1) return ops::squeeze(sample_weight, -1);
  return sample_weight.rank() > 0 && too_many == -1 ? ops::expand_dims(sample_weight, -1) : sample_weight;
}

}  // namespace

Tensor compute_average_loss(const Tensor& per_example_loss, const AverageLossOptions& options) {
  if (per_example_loss.rank() == 0)
    invalid_argument(
        {.argument = "per_example_loss"},
        "[compute_average_loss] per_example_loss must have one loss a row; got a scalar: use a loss with "
        "reduction \"none\"");
  const std::int64_t own = per_example_loss.shape()[0];
  const std::int64_t rows = options.global_batch_size.value_or(own * detail::num_replicas_in_sync());
  if (rows < 1)
    invalid_argument({.argument = "global_batch_size"},
                     "[compute_average_loss] global_batch_size must be positive; got {}", rows);
  Tensor losses = per_example_loss;
  if (options.sample_weight.defined()) {
    const Tensor weight = with_axes_of_losses(ops::cast(options.sample_weight, losses.dtype()), losses);
    losses = ops::where(ops::not_equal(weight, 0), losses * weight, 0);  // also where a loss is NaN
  }
  return ops::sum(losses) / static_cast<double>(rows);
}

Tensor scale_regularization_loss(const Tensor& regularization_loss) {
  const Tensor sum = regularization_loss.rank() == 0 ? regularization_loss : ops::sum(regularization_loss);
  return sum / static_cast<double>(detail::num_replicas_in_sync());
}

}  // namespace cornu::inline v0::nn
