#pragma once

#include <cstdint>

#include "cornu/keras/network/network.h"
#include "cornu/keras/trainer/execution_tuner.h"
#include "cornu/keras/trainer/options.h"
#include "cornu/keras/trainer/step_runner.h"

/// Actions that runs of a model must do alike in all processes. With a strategy of one process they do
/// nothing.
namespace cornu::inline v0::keras {

/// The number of steps of the next execution. Processes measure different times, so all use the number of the
/// first process.
std::int64_t steps_of_execution(const StepRunner& step, const ExecutionTuner& tuner);

/// The verbosity of a run in this process: only the first of several processes prints.
int shown_level(const Verbose& verbose);

/// Checks before an epoch that all processes start alike.
/// Errors: FailedPrecondition, on all processes, if weights, positions in the data or seeds of shuffles
///         differ.
void require_same_start(const Network& network, const EpochStart& start);

}  // namespace cornu::inline v0::keras
