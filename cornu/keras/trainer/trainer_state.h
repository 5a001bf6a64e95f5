#pragma once

#include "cornu/keras/base/state.h"
#include "cornu/keras/trainer/trainer_parts.h"

namespace cornu::inline v0::keras {

/// What a compiled model keeps between runs: layers, seeds, optimizer, metrics, and the trainer's own
/// ("trainer/seed"). Lifetime of the entries: that of `parts`.
StateList trainer_state(TrainerParts& parts);

/// Loads the seeds of random numbers before programs are made of them, those of layers and, where the state
/// has it, that of the process's generator. Unless keep() is called they are again what they were, and a
/// process that had no generator has none. Where one was made keep() draws a default seed, as the run that
/// was saved did for its own. What the trace of a program draws beside that (the generator where the state
/// has no seed) stays drawn, as in every run that fails.
/// Errors: InvalidArgument, with nothing changed, when one is missing or is no seed.
class SeedsResumed {
 public:
  SeedsResumed(TrainerParts& parts, const StateValues& values);
  ~SeedsResumed();
  SeedsResumed(const SeedsResumed&) = delete;
  SeedsResumed& operator=(const SeedsResumed&) = delete;
  void keep();

 private:
  void load(const StateValues& values);

  TrainerParts& parts_;
  StateList list_;
  StateValues before_;
  bool has_default_ = false;    // the process's generator is among them
  bool makes_default_ = false;  // and there was none
  bool kept_ = false;
};

}  // namespace cornu::inline v0::keras
