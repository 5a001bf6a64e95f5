#pragma once

#include <memory>

#include "cornu/distribute/processes/transport.h"

/// Interface of libcornu_mpi.
namespace cornu::inline v0::distribute {

struct MpiModule {
  const void* mark;  // own_module_mark()
  std::shared_ptr<Transport> (*join)();
};

}  // namespace cornu::inline v0::distribute
