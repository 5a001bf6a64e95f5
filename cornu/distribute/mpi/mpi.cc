#include "cornu/distribute/mpi/mpi.h"

#include <cstdlib>
#include <functional>
#include <string_view>

#include "cornu/base/module_loader.h"
#include "cornu/distribute/mpi/module.h"
#include "cornu/distribute/processes/process_group.h"
#include "cornu/version.h"

namespace cornu::inline v0::distribute {

const std::shared_ptr<runtime::Collective>& mpi_processes() {
  if (runtime::joined_processes() != nullptr) return runtime::joined_processes();
  const auto& module = *static_cast<const MpiModule*>(
      load_own_module({.tag = "MultiWorkerMirroredStrategy",
                       .does = "speaks MPI (it is built where libopenmpi-dev is installed)",
                       .file = "libcornu_mpi.so",
                       .symbol = "cornu_mpi_module"}));
  auto group = std::make_shared<ProcessGroup>(module.join());
  group->require_same("the version of Cornu (" CORNU_VERSION_STRING ")",
                      std::hash<std::string_view>()(CORNU_VERSION_STRING));
  runtime::join_processes(std::move(group));
  return runtime::joined_processes();
}

}  // namespace cornu::inline v0::distribute
