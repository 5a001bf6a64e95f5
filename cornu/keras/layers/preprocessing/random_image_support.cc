#include "cornu/keras/layers/preprocessing/random_image_support.h"

namespace cornu::inline v0::keras::layers {

Tensor inside_of(const Box& box, const Tensor& images) {
  const Tensor x = image::column_numbers(images), y = image::row_numbers(images);
  const auto is_between = [](const Tensor& at, const Tensor& lower, const Tensor& upper) {
    return ops::logical_and(ops::greater_equal(at, lower), ops::less(at, upper));
  };
  return ops::expand_dims(
      ops::logical_and(is_between(x, box.left, box.right), is_between(y, box.top, box.bottom)), -1);
}

Box box_of(const BoxShares& shares, const Dims& images) {
  const auto rows = static_cast<double>(images[1]), columns = static_cast<double>(images[2]);
  const Tensor width = shares.width * columns, height = shares.height * rows;
  const Tensor left = shares.left * (columns - width), top = shares.top * (rows - height);
  return {left, left + width, top, top + height};
}

/// By Marsaglia and Tsang for the shape alpha + 1: of 16 candidates the first that is accepted, which fails
/// for all with a probability below 1e-20. The factor for alpha is a power of a uniform number.
Tensor log_gamma_draws(const Tensor& alpha, std::int64_t count,
                       const std::function<random::Seed()>& next_seed) {
  constexpr std::int64_t kCandidates = 16;
  const Tensor d = alpha + (1.0 - 1.0 / 3.0), c = 1.0 / ops::sqrt(d * 9.0);
  const Tensor x = random::normal({kCandidates, count}, {.dtype = DType::kF32, .seed = next_seed()});
  const Tensor log_u =
      ops::log(1.0 - random::uniform({kCandidates, count}, {.dtype = DType::kF32, .seed = next_seed()}));
  const Tensor root = c * x + 1.0;
  const Tensor is_positive = ops::greater(root, 0);
  const Tensor v = ops::power(ops::where(is_positive, root, 1.0), 3), log_v = ops::log(v);
  const Tensor is_accepted =
      ops::logical_and(is_positive, ops::less(log_u, x * x * 0.5 + d - d * v + d * log_v));
  const Tensor first = ops::argmax(ops::cast(is_accepted, DType::kI32), {.axis = 0, .keepdims = true});
  const Tensor log_of_next = ops::squeeze(ops::take_along_axis(ops::log(d) + log_v, first, {.axis = 0}), 0);
  return log_of_next +
         ops::log(1.0 - random::uniform({count}, {.dtype = DType::kF32, .seed = next_seed()})) / alpha;
}

Tensor symmetric_beta(const Tensor& alpha, std::int64_t count,
                      const std::function<random::Seed()>& next_seed) {
  const Tensor one = log_gamma_draws(alpha, count, next_seed),
               other = log_gamma_draws(alpha, count, next_seed);
  return ops::sigmoid(one - other);
}

}  // namespace cornu::inline v0::keras::layers
