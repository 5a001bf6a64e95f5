#include "cornu/keras/trainer/default_generator.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/base/log_formatted.h"
#include "cornu/keras/trainer/model_state.h"
#include "cornu/tensor/random.h"
#include "cornu/tensor/seed_source.h"

namespace cornu::inline v0::keras {
namespace {

constexpr const char* kSeedPath = "step/default_seed_generator/seed";
constexpr const char* kCounterPath = "step/default_seed_generator/counter";

TensorType seed_type() { return {DType::kU64, {1}}; }

}  // namespace

std::optional<DefaultGenerator> current_default_generator() {
  const std::shared_ptr<const SeedGenerator> known = detail::known_default_seed_generator();
  if (known == nullptr) return std::nullopt;
  return DefaultGenerator{.seed = known->seed(), .counter = known->counter()};
}

std::optional<DefaultGenerator> default_generator_of_step(std::span<const Variable> assigned) {
  std::optional<DefaultGenerator> found = current_default_generator();
  if (found.has_value() && std::find(assigned.begin(), assigned.end(), found->counter) == assigned.end())
    found.reset();
  return found;
}

StateList default_generator_state(const DefaultGenerator& generator, bool is_optional) {
  StateEntry counter = state_of(kCounterPath, generator.counter);
  counter.is_optional = is_optional;
  StateEntry seed{.path = kSeedPath,
                  .type = seed_type(),
                  .save = [seed = generator.seed] { return state_words(std::span(&seed, 1)); },
                  .load = [](const Tensor&) {},
                  .is_optional = is_optional,
                  .check = [seed = generator.seed](const Tensor& saved) -> std::string {
                    const auto found = saved.data<std::uint64_t>()[0];
                    return found == seed
                               ? std::string()
                               : fmt::format("the step was made with {}; the state was of {}", seed, found);
                  }};
  return {std::move(counter), std::move(seed)};
}

std::optional<StateEntry> default_seed_to_load(const StateValues& values) {
  if (!values.contains(kSeedPath)) return std::nullopt;
  return StateEntry{.path = kSeedPath,
                    .type = seed_type(),
                    .save =
                        [] {
                          const std::optional<DefaultGenerator> known = current_default_generator();
                          return known.has_value() ? state_words(std::span(&known->seed, 1)) : Tensor();
                        },
                    .load =
                        [](const Tensor& value) {
                          detail::set_default_generator_seed(
                              value.defined() ? std::optional(value.data<std::uint64_t>()[0]) : std::nullopt);
                        },
                    .is_optional = true};
}

StateValues with_older_counter(StateValues values, const DefaultGenerator& generator,
                               std::span<const Variable> carried, std::span<const Variable> known) {
  if (values.contains(kCounterPath) || values.contains(kSeedPath)) return values;
  std::vector<Variable> others;
  std::copy_if(carried.begin(), carried.end(), std::back_inserter(others), [&](const Variable& variable) {
    return std::find(known.begin(), known.end(), variable) == known.end();
  });
  const StateList older = other_state(others, {});
  const auto has_value = [&](const StateEntry& entry) { return values.contains(entry.path); };
  if (!std::all_of(older.begin(), older.end(), has_value)) return values;
  const StateList newer = other_state(others, std::span(&generator.counter, 1));
  StateValues renamed;
  auto next = newer.begin();
  for (std::size_t i = 0; i < others.size(); ++i) {
    auto value = values.extract(older[i].path);
    if (others[i] != generator.counter) {
      renamed.emplace((next++)->path, std::move(value.mapped()));
      continue;
    }
    const Tensor& counter = value.mapped();
    const bool is_counter = counter.defined() && counter.type() == generator.counter.type();
    if (!is_counter)
      invalid_argument(
          "[fit] \"{}\" of the state to resume from, which was saved before states held the seed of random "
          "numbers without one, should be their counter, {}; found {}",
          older[i].path, type_str(generator.counter.type()),
          counter.defined() ? type_str(counter.type()) : "nothing");
    renamed.emplace(kCounterPath, counter);
    renamed.emplace(kSeedPath, state_words(std::span(&generator.seed, 1)));
    log_warning(
        "[fit] the state to resume from was saved before states held the seed of random numbers without one: "
        "they go on at its count, \"{}\", with the seed of this process. They are those of the saved run if "
        "both programs begin with the same set_random_seed",
        older[i].path);
  }
  values.merge(renamed);
  return values;
}

}  // namespace cornu::inline v0::keras
