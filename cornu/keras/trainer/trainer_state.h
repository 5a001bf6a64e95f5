#pragma once

#include "cornu/keras/base/state.h"
#include "cornu/keras/trainer/trainer_parts.h"

namespace cornu::inline v0::keras {

/// The state of a compiled model between runs: layers, seeds, optimizer, metrics, and the trainer's own
/// entries ("trainer/seed"). Lifetime of the entries: that of `parts`.
StateList trainer_state(TrainerParts& parts);

/// Loads the seeds of random numbers before programs are compiled with them: those of layers and, if the
/// state has it, that of the process's generator. Unless keep() is called, the destructor restores the
/// earlier seeds and removes a generator that was made. If one was made, keep() draws a default seed, as the
/// saved run did for its own. Draws made by the trace of a program (from the process's generator, if the
/// state has no seed for it) are not undone, as in every run that fails.
/// Errors: InvalidArgument, with nothing changed, if a seed is missing or invalid.
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
  bool has_default_ = false;    // true if the state has the process's generator
  bool makes_default_ = false;  // true if the process had no generator
  bool kept_ = false;
};

}  // namespace cornu::inline v0::keras
