#include "cornu/backends/stacked/stack_sizes.h"

#include <algorithm>
#include <bit>

namespace cornu::inline v0::backends::stacked {

StackSizes::StackSizes(std::size_t step_bytes, const LaunchLimits& limits)
    : small_(kSmallStackBytes / static_cast<std::int64_t>(std::max<std::size_t>(step_bytes, 1))) {
  const std::size_t steps_of_memory = limits.max_bytes / std::max<std::size_t>(step_bytes, 1);
  const std::size_t most =
      std::min(static_cast<std::size_t>(std::max<std::int64_t>(limits.max_steps, 1)), steps_of_memory);
  largest_ = static_cast<std::int64_t>(std::bit_floor(std::max<std::size_t>(most, 1)));
}

std::int64_t StackSizes::choose(std::int64_t num_steps, std::span<const std::int64_t> compiled) const {
  std::int64_t best = 0;
  for (const std::int64_t size : compiled)
    if (size >= num_steps && (size <= small_ || size <= kMostPadding * num_steps) &&
        (best == 0 || size < best))
      best = size;
  return best != 0 ? best : static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(num_steps)));
}

}  // namespace cornu::inline v0::backends::stacked
