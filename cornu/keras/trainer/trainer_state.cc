#include "cornu/keras/trainer/trainer_state.h"

#include <algorithm>

#include "cornu/keras/trainer/default_generator.h"
#include "cornu/keras/trainer/model_state.h"
#include "cornu/tensor/random.h"

namespace cornu::inline v0::keras {

StateList trainer_state(TrainerParts& parts) {
  const ModelParts& compiled = parts.data_adapter.parts();
  StateList list = network_state(*compiled.network);
  append_state(list, "", seed_state(*compiled.network));
  append_state(list, "", optimizer_state(*compiled.optimizer));
  append_state(list, "", metrics_state(compiled.metrics));
  append_state(list, "trainer/",
               {state_of("seed", parts.seed), state_of("steps_trained", parts.steps_trained),
                parts.tuners.train.state("train_steps_per_execution"),
                parts.tuners.test.state("test_steps_per_execution"),
                parts.tuners.predict.state("predict_steps_per_execution")});
  return list;
}

SeedsResumed::SeedsResumed(TrainerParts& parts, const StateValues& values)
    : parts_(parts), kept_(values.empty()) {
  if (kept_) return;
  list_ = seed_state(parts.network());
  if (std::optional<StateEntry> entry = default_seed_to_load(values)) {
    list_.push_back(std::move(*entry));
    has_default_ = true;
    makes_default_ = !current_default_generator().has_value();
  }
  before_ = save_state(list_);
  StateValues seeds;
  for (const StateEntry& entry : list_)
    if (const auto found = values.find(entry.path); found != values.end()) seeds.insert(*found);
  check_state(list_, seeds, "fit");
  load(seeds);
}

SeedsResumed::~SeedsResumed() {
  if (!kept_) load(before_);
}

void SeedsResumed::keep() {
  kept_ = true;
  if (makes_default_) (void)next_seed();
}

void SeedsResumed::load(const StateValues& values) {
  const auto same = [](const auto& a, const auto& b) { return a.second.literal() == b.second.literal(); };
  const StateValues now = save_state(list_);
  const bool are_same = std::equal(now.begin(), now.end(), values.begin(), values.end(), same);
  // Seeds are constants of programs. The seed of the process's generator may have been set by others since,
  // so its present value does not show with which seed a program was compiled.
  if (are_same && !has_default_) return;
  load_state(list_, values);
  parts_.programs.forget();
}

}  // namespace cornu::inline v0::keras
