#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "cornu/keras/base/state.h"

namespace cornu::inline v0::keras {

/// The process's generator, default_seed_generator(), from which a step draws random numbers without a seed,
/// with the seed that the step was compiled with.
struct DefaultGenerator {
  std::uint64_t seed = 0;
  Variable counter;
};

/// The generator's current state; nullopt before the first draw in this process.
std::optional<DefaultGenerator> current_default_generator();
/// The generator of a step that assigns these variables; nullopt if the step does not draw from it.
std::optional<DefaultGenerator> default_generator_of_step(std::span<const Variable> assigned);

/// The state entries "step/default_seed_generator/counter" and ".../seed". The seed is a constant of
/// programs: default_seed_to_load() loads it before they are compiled, and loading another value here is an
/// error. `is_optional`: it is not yet known whether the step draws.
StateList default_generator_state(const DefaultGenerator& generator, bool is_optional);

/// The entry that sets the seed of the process's generator from a state; nullopt for a state without a seed.
/// The entry's value is undefined while the process has no generator; loading a seed makes a generator,
/// loading an undefined value removes it.
std::optional<StateEntry> default_seed_to_load(const StateValues& values);

/// Returns `values` with the counter under its present path. States saved before the seed was part of a state
/// have the counter among the other variables of a step ("step/seed_generator_state"); they get the seed that
/// the step was compiled with, and a warning reports it. Other values stay as they are. `known`: as for
/// other_state(), without the counter.
/// Errors: InvalidArgument if the value under the older path is not a counter.
StateValues with_older_counter(StateValues values, const DefaultGenerator& generator,
                               std::span<const Variable> carried, std::span<const Variable> known);

}  // namespace cornu::inline v0::keras
