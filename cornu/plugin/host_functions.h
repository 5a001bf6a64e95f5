#pragma once

#include <pjrt_c_api.h>

#include "cornu/ops/custom_call/host_functions.h"

/// An extension of Cornu's: functions of the process that programs call back by the custom call
/// "cornu_host_call". The wheel's Python package finds it in the list of extensions by its type.
extern "C" {
typedef struct Cornu_HostFunctions_Extension {
  PJRT_Extension_Base base;
  /// Adds a function; returns 0 if its number is in use.
  int (*add)(uint64_t id, cornu::ops::HostFunction function);
  /// Removes a function; returns 0 while a program refers to it.
  int (*remove)(uint64_t id);
  /// Waits for the calls that run, and lets later ones fail.
  void (*close)();
} Cornu_HostFunctions_Extension;
}

namespace cornu::inline v0::plugin {

/// The extension's type, a number that PJRT does not use.
inline constexpr int kHostFunctionsExtension = 0x436f726e;

PJRT_Extension_Base* host_functions_extension();

}  // namespace cornu::inline v0::plugin
