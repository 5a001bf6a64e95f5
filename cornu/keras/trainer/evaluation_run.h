#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "cornu/keras/callbacks/callback_list.h"
#include "cornu/keras/trainer/batch_source.h"
#include "cornu/keras/trainer/trainer_parts.h"

namespace cornu::inline v0::keras {

/// Evaluates a model: runs its test step over a source, with metrics that begin at zero. evaluate() does
/// that, and fit() for validation.
class EvaluationRun {
 public:
  /// `num_steps` is the most steps that the run has; without it, it goes through the whole pass. `caller`
  /// ("evaluate") stands in errors.
  /// Lifetime: that of `parts` and `source`, which it refers to.
  EvaluationRun(TrainerParts& parts, std::shared_ptr<StepRunner> test, BatchSource& source,
                std::optional<std::int64_t> num_steps, const char* caller)
      : parts_(parts), test_(std::move(test)), source_(source), wanted_steps_(num_steps), caller_(caller) {}

  /// Begins to compile what the run will need beside what there is.
  void expect();
  /// The values of the metrics; none, with a warning, where the source gives no batch. `runs_after`: how many
  /// more such runs are planned, for which "auto" may compile a program.
  Logs run(callbacks::CallbackList& callbacks, runtime::Progress& progress, std::int64_t runs_after = 0);

 private:
  void warn_of_no_batch();
  /// The steps of the pass that has begun; nothing where only its end tells.
  std::optional<std::int64_t> num_steps() const;
  void check_fault(const Batches& batches, std::int64_t first_step) const;

  TrainerParts& parts_;
  std::shared_ptr<StepRunner> test_;
  BatchSource& source_;
  std::optional<std::int64_t> wanted_steps_;
  const char* caller_;
  bool warned_ = false;
};

}  // namespace cornu::inline v0::keras
