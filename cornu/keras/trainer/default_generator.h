#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "cornu/keras/base/state.h"

namespace cornu::inline v0::keras {

/// What random numbers without a seed follow from in a step: the process's generator,
/// default_seed_generator(), with the seed that the step was made with.
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

/// The entry that gives the process's generator the seed of a state; nothing for a state without one. Its
/// value is undefined while the process has no generator; loading a seed makes one, loading an undefined
/// value takes it away.
std::optional<StateEntry> default_seed_to_load(const StateValues& values);

/// Values with the counter under its path of today. States that were saved before they held the seed have it
/// among the other variables that a step carries ("step/seed_generator_state"); they get the seed that the
/// step was made with, and a warning says so. Other values stay as they are. `known`: as for other_state(),
/// without the counter.
/// Errors: InvalidArgument when what stands at the older path is no counter.
StateValues with_older_counter(StateValues values, const DefaultGenerator& generator,
                               std::span<const Variable> carried, std::span<const Variable> known);

}  // namespace cornu::inline v0::keras
