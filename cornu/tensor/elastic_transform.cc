#include <utility>

#include "cornu/base/check.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/ops/image_support.h"
#include "cornu/tensor/ops/support.h"
#include "cornu/tensor/random.h"

namespace cornu::inline v0::ops {

using namespace internal;

Tensor elastic_transform(const Tensor& images, const ElasticTransformOptions& options) {
  const ImageBatch batch("elastic_transform", images, options.data_format);
  if (!(options.sigma > 0))
    invalid_argument({.argument = "sigma"}, "[elastic_transform] sigma must be positive; got sigma = {}",
                     options.sigma);
  const std::int64_t size = static_cast<std::int64_t>(6 * options.sigma) | 1;
  const random::Seed seed =
      options.seed ? random::Seed(static_cast<std::uint64_t>(*options.seed)) : random::Seed();
  const Tensor moves = random::normal({batch.batch(), batch.rows(), batch.columns(), 2},
                                      {.stddev = options.sigma, .seed = seed});
  const Tensor smooth =
      gaussian_blur(moves, {.kernel_size = {size, size}, .sigma = {options.sigma, options.sigma}}) *
      options.alpha;
  const std::vector<Tensor> distances = unstack(smooth, 3);
  const Tensor rows = distances[0] + reshape(arange(batch.rows(), DType::kF32), {1, -1, 1});
  const Tensor columns = distances[1] + reshape(arange(batch.columns(), DType::kF32), {1, 1, -1});
  return batch.restored(sampled("elastic_transform", batch.images(), {rows, columns},
                                {.order = interpolation_order("elastic_transform", options.interpolation),
                                 .fill_mode = options.fill_mode,
                                 .fill_value = options.fill_value}));
}

}  // namespace cornu::inline v0::ops
