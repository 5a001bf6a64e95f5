#pragma once

#include <algorithm>
#include <cmath>

#include "cornu/base/check.h"
#include "cornu/keras/layer/layer.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/random.h"

/// Code shared by the layers of random noise; not part of the interface.
namespace cornu::inline v0::keras::layers::noise {

/// The seed of one call. Its counter is the step's if there is one, otherwise the layer's next.
inline random::Seed call_seed(const SeedGenerator& generator, const CallContext& context) {
  return {generator.seed(), context.random_counter.defined() ? context.random_counter : generator.next()};
}

/// True with probability `keep`, depending only on (seed, counter, row-major index): additional rows do not
/// change it.
inline Tensor kept(const SeedGenerator& generator, const CallContext& context, double keep,
                   const Dims& shape) {
  const Tensor counter = context.random_counter.defined() ? context.random_counter : generator.next();
  // Comparing the bits themselves needs no conversion to floating point.
  const auto threshold = static_cast<std::uint32_t>(std::min(std::round(keep * 0x1p32), 0x1p32 - 1));
  const Tensor bits = ops::random_bits(generator.key0(), generator.key1(), counter, shape);
  return ops::less(bits, Tensor::of<std::uint32_t>({}, {threshold}));
}

/// Dropout's formula: 0 where the mask of `noise_shape` drops elements, else input / (1 - rate).
inline Tensor dropped_out(const Tensor& input, double rate, const Dims& noise_shape,
                          const SeedGenerator& generator, const CallContext& context) {
  if (rate == 1) return input * 0.0;
  return ops::where(kept(generator, context, 1 - rate, noise_shape), input * (1 / (1 - rate)), 0);
}

/// The noise shape of an option for an input's shape; kUnknown extents become the input's. Errors:
/// InvalidArgument naming the layer.
inline Dims noise_shape_for(const char* layer, const Dims& input, const std::optional<Dims>& option) {
  if (!option.has_value()) return input;
  Dims shape = *option;
  bool fits = shape.size() == input.size();
  for (std::size_t i = 0; fits && i < shape.size(); ++i) {
    if (shape[i] == kUnknown) shape[i] = input[i];
    fits = shape[i] == 1 || shape[i] == input[i] || input[i] == kUnknown;
  }
  if (!fits)
    invalid_argument(
        {.argument = "noise_shape"},
        "[{}] noise_shape must have the input's extents, 1 or unknown ones; got noise_shape = {} for an "
        "input of shape {}",
        layer, shape_with_none_str(*option), shape_with_none_str(input));
  return shape;
}

/// True if an option's noise shape fixes the batch's extent.
inline bool has_batch_extent(const std::optional<Dims>& option) {
  return option.has_value() && !option->empty() && option->front() != kUnknown;
}

/// The error in an option noise_shape, or an empty string.
inline std::string noise_shape_error(const std::optional<Dims>& option) {
  for (const std::int64_t extent : option.value_or(Dims{}))
    if (extent < 1 && extent != kUnknown)
      return fmt::format("noise_shape must have positive or unknown extents; got noise_shape = {}",
                         shape_with_none_str(*option));
  return {};
}

}  // namespace cornu::inline v0::keras::layers::noise
