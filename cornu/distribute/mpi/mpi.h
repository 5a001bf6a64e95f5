#pragma once

#include <memory>

#include "cornu/runtime/collective.h"

namespace cornu::inline v0::distribute {

/// The processes started together by `mpirun` (or Slurm's srun); without it this process alone. The first
/// call joins them; they stay joined until the process ends. It then announces its end to the others, and
/// waits until they end, too.
/// Errors: kUnavailable if Cornu was built without MPI, or MPI cannot be started; FailedPrecondition if ranks
///         have different versions of Cornu.
const std::shared_ptr<runtime::Collective>& mpi_processes();

}  // namespace cornu::inline v0::distribute
