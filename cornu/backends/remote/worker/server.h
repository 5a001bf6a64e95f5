#pragma once

#include "cornu/backends/remote/worker/options.h"

namespace cornu::inline v0::backends::remote {

/// See run_worker in backend.h.
void serve(const WorkerOptions& options);

}  // namespace cornu::inline v0::backends::remote
