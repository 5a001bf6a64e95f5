#pragma once

#include <cstdint>

#include "cornu/keras/network/network.h"
#include "cornu/keras/trainer/execution_tuner.h"
#include "cornu/keras/trainer/options.h"
#include "cornu/keras/trainer/step_runner.h"

/// What runs of a model in several processes must do alike. Where the strategy is of one process these
/// do nothing.
namespace cornu::inline v0::keras {

/// The steps of the next execution. What each process has measured differs, so the first one's number
/// is all processes'.
std::int64_t steps_of_execution(const StepRunner& step, const ExecutionTuner& tuner);

/// What a run shows here: of several processes only the first shows anything.
int shown_level(const Verbose& verbose);

/// Before an epoch.
/// Errors: FailedPrecondition, on all processes, when weights, the place in the data or the seed of
///         shuffles differ.
void require_same_start(const Network& network, const EpochStart& start);

}  // namespace cornu::inline v0::keras
