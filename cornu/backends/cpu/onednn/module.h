#pragma once

#include <string>

#include "cornu/backends/cpu/onednn/module_interface.h"

/// The module libcornu_onednn.so, loaded on first use: a program that needs nothing of it does not pay for starting it. It is looked for
/// beside the file that holds this code (program or shared library) and in the folder ../lib from there.
namespace cornu::inline v0::backends::cpu::onednn {

struct Module {
  SgemmFunction sgemm = nullptr;  // null: the module is missing
  const ConvolutionFunctions* convolutions = nullptr;
  std::string reason;  // why it is missing
};

/// Loads it at the first call. Threads: safe.
const Module& loaded_module();

}  // namespace cornu::inline v0::backends::cpu::onednn
