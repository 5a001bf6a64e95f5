#include "cornu/keras/trainer/default_generator.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

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
  const std::shared_ptr<const SeedGenerator> generator = default_seed_generator();
  return StateEntry{
      .path = kSeedPath,
      .type = seed_type(),
      .save = [generator] { return Tensor::of<std::uint64_t>({1}, {generator->seed()}); },
      .load = [generator](const Tensor& value) { generator->set_seed(value.data<std::uint64_t>()[0]); }};
}

}  // namespace cornu::inline v0::keras
