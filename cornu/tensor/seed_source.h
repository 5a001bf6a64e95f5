#pragma once

#include <cstdint>
#include <memory>
#include <optional>

namespace cornu::inline v0 {
class SeedGenerator;
}

namespace cornu::inline v0::detail {

/// State of this process's default seeds (set_random_seed).
struct SeedSourceState {
  bool is_set = false;  // false: the first default seed is drawn from the system
  std::uint64_t next = 0;
};
SeedSourceState seed_source_state();

/// The default_seed_generator() if it has been used since set_random_seed; else null.
std::shared_ptr<const SeedGenerator> known_default_seed_generator();

/// Sets the seed of default_seed_generator(). If the generator has not been used yet, it is made with this
/// seed, and no default seed is drawn. nullopt: resets it to unused. Threads: safe.
void set_default_generator_seed(std::optional<std::uint64_t> seed);

}  // namespace cornu::inline v0::detail
