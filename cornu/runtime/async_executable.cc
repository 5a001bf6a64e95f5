#include "cornu/runtime/async_executable.h"

namespace cornu::inline v0::runtime {

AsyncExecutable::~AsyncExecutable() = default;

AsyncExecutable* async_executable(Executable* executable) {
  return dynamic_cast<AsyncExecutable*>(executable);
}

}  // namespace cornu::inline v0::runtime
