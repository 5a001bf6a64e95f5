#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "cornu/keras/callbacks/callback_list.h"
#include "cornu/keras/callbacks/history.h"
#include "cornu/keras/trainer/batch_source.h"
#include "cornu/keras/trainer/slow_callback.h"
#include "cornu/keras/trainer/test_run.h"
#include "cornu/keras/trainer/trainer_parts.h"

namespace cornu::inline v0::keras {

class Model;

/// What a run of fit works on.
struct FitSources {
  std::unique_ptr<BatchSource> train;
  std::unique_ptr<BatchSource> validation = {};  // null: none
};

/// Trains a model over the epochs of one call of fit: shuffles, executes, validates, calls the callbacks.
class FitRun {
 public:
  /// `train` and `test` (null: no validation) are the steps for the sources' batches.
  /// Lifetime: of all that is referred to.
  FitRun(TrainerParts& parts, const FitOptions& options, FitSources& sources, std::shared_ptr<StepRunner> train,
         std::shared_ptr<StepRunner> test);

  /// `compiled_before`: what had been compiled when fit was called.
  struct CompiledBefore {
    int num_compiles;
    int num_from_cache;
    double seconds;
  };
  callbacks::History run(Model* model, const CompiledBefore& compiled_before);

 private:
  std::uint64_t shuffle_position() const;
  /// The logs of the last epoch.
  Logs run_epochs();
  void begin_epoch(std::int64_t epoch);
  void train_epoch(std::int64_t epoch);
  /// Runs the next batches, `max_steps` at most; false when the epoch ends here. Adds the seconds that compiling took.
  bool execute(std::int64_t epoch, std::int64_t max_steps, double& compiling);
  void validate(Logs& logs);
  void check_fault(const Batches& batches, std::int64_t epoch);
  void warn_of_end(std::int64_t epoch, std::int64_t num_steps);

  TrainerParts& parts_;
  const FitOptions& options_;
  BatchSource& source_;
  std::shared_ptr<StepRunner> train_;
  std::optional<TestRun> validation_;
  LazyLogs logs_;
  callbacks::CallbackList* callbacks_ = nullptr;
  std::optional<SlowCallbackWatch> watch_;
  std::optional<std::int64_t> num_steps_;  // of the epoch that runs, where they are known
  std::int64_t step_ = 0;                  // of the epoch that runs
  std::int64_t steps_run_ = 0;
  double train_seconds_ = 0;
  bool warned_ = false;
};

}  // namespace cornu::inline v0::keras
