#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "cornu/keras/base/state.h"

namespace cornu::inline v0::keras {

/// What random numbers without a seed follow from in a step: the process's generator, default_seed_generator(),
/// with the seed that the step was made with.
struct DefaultGenerator {
  std::uint64_t seed = 0;
  Variable counter;
};

/// The generator as it is now; nothing before somebody has drawn from it.
std::optional<DefaultGenerator> current_default_generator();
/// The same for a step that assigns these variables; nothing where it draws no such numbers.
std::optional<DefaultGenerator> default_generator_of_step(std::span<const Variable> assigned);

/// "step/default_seed_generator/counter" and ".../seed". The seed is part of programs: it is loaded by
/// default_seed_to_load() before they are made, and here it must be what it is. `is_optional`: whether the
/// step draws is not known yet.
StateList default_generator_state(const DefaultGenerator& generator, bool is_optional);

/// The entry that gives the process's generator the seed of a state; nothing for a state without one.
std::optional<StateEntry> default_seed_to_load(const StateValues& values);

}  // namespace cornu::inline v0::keras
