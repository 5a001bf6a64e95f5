#pragma once

#include <string>

#include "cornu/backends/cpu/onednn/module_interface.h"
#include "cornu/base/cpu_info.h"

/// The module libcornu_onednn.so, loaded on first use (see base/module_loader.h): a program that needs
/// nothing of it does not pay for starting it.
namespace cornu::inline v0::backends::cpu::onednn {

struct Module {
  const ConvolutionFunctions* convolutions = nullptr;  // null: the module is missing
  LimitFunction limit = nullptr;
  std::string reason;  // why it is missing
};

/// Loads it at the first call. Threads: safe. Errors: ResourceExhausted without the memory for it; a later
/// call tries again.
const Module& loaded_module();

/// Whether code for this level may use oneDNN: the module is there, and oneDNN uses instructions of this
/// level.
///
/// oneDNN chooses its code by the CPU, and can be told a lower level once in a process, before it is used:
/// the first level that asks here gets it, code for another level in the same process runs without. The
/// baseline (sse2) never does.
/// Threads: safe.
bool serves(IsaLevel level);

}  // namespace cornu::inline v0::backends::cpu::onednn
