#pragma once

#include <string>

#include "cornu/backends/cpu/onednn/module_interface.h"
#include "cornu/base/cpu_info.h"

/// The module libcornu_onednn.so, loaded on first use (see base/module_loader.h), so that programs without it
/// start faster.
namespace cornu::inline v0::backends::cpu::onednn {

struct Module {
  const ConvolutionFunctions* convolutions = nullptr;  // null: the module is missing
  LimitFunction limit = nullptr;
  std::string reason;  // the reason if it is missing
};

/// Loads the module at the first call. Threads: safe. Errors: ResourceExhausted if memory is short; a later
/// call tries again.
const Module& loaded_module();

/// True if code for this level may use oneDNN: the module is present, and oneDNN uses instructions of this
/// level.
///
/// oneDNN chooses its code by the CPU, and can be limited to a lower level once in a process, before its
/// first use. The first level that is queried here sets the limit; code for another level in the same process
/// does not use oneDNN. The baseline (sse2) never does.
/// Threads: safe.
bool serves(IsaLevel level);

}  // namespace cornu::inline v0::backends::cpu::onednn
