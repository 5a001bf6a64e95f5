#include <utility>

#include "cornu/base/check.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/ops/image_support.h"
#include "cornu/tensor/ops/support.h"
#include "cornu/tensor/random.h"

namespace cornu::inline v0::ops {

using namespace internal;

Tensor internal::elastically_moved(const Tensor& images, const ElasticMoves& moves,
                                   const Sampling& sampling) {
  const Tensor at = arange(moves.filter_size, DType::kF32) - static_cast<double>(moves.filter_size - 1) / 2;
  const Tensor density = exp(square(at / moves.sigma) * -0.5);
  const Tensor line = density / sum(density);
  // The filter is a product of two lines.
  const Tensor by_rows = filtered_along_rows(moves.normals * moves.sigma, line, "same");
  const Tensor smooth =
      swapaxes(filtered_along_rows(swapaxes(by_rows, 1, 2), line, "same"), 1, 2) * moves.alpha;
  const Dims grid = {1, images.shape()[1], images.shape()[2]};
  const Tensor rows = broadcast_to(reshape(arange(grid[1], DType::kF32), {1, -1, 1}), grid);
  const Tensor columns = broadcast_to(reshape(arange(grid[2], DType::kF32), {1, 1, -1}), grid);
  return sampled("elastic_transform", images, moveaxis(smooth, 3, 0) + stack({rows, columns}, 0), sampling);
}

Tensor elastic_transform(const Tensor& images, const ElasticTransformOptions& options) {
  const ImageBatch batch("elastic_transform", images, options.data_format);
  if (!(options.sigma > 0))
    invalid_argument({.argument = "sigma"}, "[elastic_transform] sigma must be positive; got sigma = {}",
                     options.sigma);
  const std::int64_t size = static_cast<std::int64_t>(6 * options.sigma) | 1;
  const random::Seed seed =
      options.seed ? random::Seed(static_cast<std::uint64_t>(*options.seed)) : random::Seed();
  const Tensor normals =
      random::normal({batch.batch(), batch.rows(), batch.columns(), 2}, {.dtype = DType::kF32, .seed = seed});
  return batch.restored(elastically_moved(
      batch.images(),
      {.normals = normals, .alpha = options.alpha, .sigma = options.sigma, .filter_size = size},
      {.order = interpolation_order("elastic_transform", options.interpolation),
       .fill_mode = options.fill_mode,
       .fill_value = options.fill_value}));
}

}  // namespace cornu::inline v0::ops
