#pragma once

#include <cstdint>

namespace cornu::inline v0::detail {

/// What the seeds of this process that nobody names follow from (set_random_seed).
struct SeedSourceState {
  bool is_set = false;  // false: the first that is asked for is drawn
  std::uint64_t next = 0;
};
SeedSourceState seed_source_state();

}  // namespace cornu::inline v0::detail
