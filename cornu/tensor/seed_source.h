#pragma once

#include <cstdint>
#include <memory>
#include <optional>

namespace cornu::inline v0 {
class SeedGenerator;
}

namespace cornu::inline v0::detail {

/// What the seeds of this process that nobody names follow from (set_random_seed).
struct SeedSourceState {
  bool is_set = false;  // false: the first that is asked for is drawn
  std::uint64_t next = 0;
};
SeedSourceState seed_source_state();

/// What default_seed_generator() gives, if somebody has asked for it since set_random_seed; else null.
std::shared_ptr<const SeedGenerator> known_default_seed_generator();

/// Gives default_seed_generator() a seed. Where nobody has asked for it yet it is made with this one, and no
/// default seed is drawn; nullopt: nobody has asked for it yet. Threads: safe.
void set_default_generator_seed(std::optional<std::uint64_t> seed);

}  // namespace cornu::inline v0::detail
