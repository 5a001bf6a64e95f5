#pragma once

#include <memory>

#include "cornu/runtime/processes.h"

namespace cornu::inline v0::distribute {

/// The processes that `mpirun` (or Slurm's srun) has started together; without it this one alone.
/// The first call joins them, and they stay joined until the process ends: then it says so to the others,
/// and waits until they end, too.
/// Errors: kUnavailable when Cornu was built without MPI, or MPI cannot be started; FailedPrecondition when
///         ranks have different versions of Cornu.
const std::shared_ptr<runtime::Processes>& mpi_processes();

}  // namespace cornu::inline v0::distribute
