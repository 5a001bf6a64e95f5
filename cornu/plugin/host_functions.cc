#include "cornu/plugin/host_functions.h"

#include <cstring>

#include "cornu/base/error.h"

namespace cornu::inline v0::plugin {
namespace {

int add_function(uint64_t id, ops::HostFunction function) {
  try {
    ops::add_host_function(id, function);
    return 1;
  } catch (const Error&) {
    return 0;
  }
}

int remove_function(uint64_t id) { return ops::remove_host_function(id) ? 1 : 0; }

Cornu_HostFunctions_Extension make_host_functions() {
  Cornu_HostFunctions_Extension extension = {};
  extension.base.struct_size = sizeof extension;
  // The number is beyond the enumerators of the header's type.
  static_assert(sizeof extension.base.type == sizeof kHostFunctionsExtension);
  std::memcpy(&extension.base.type, &kHostFunctionsExtension, sizeof kHostFunctionsExtension);
  extension.add = add_function;
  extension.remove = remove_function;
  extension.close = ops::close_host_functions;
  return extension;
}

}  // namespace

PJRT_Extension_Base* host_functions_extension() {
  static auto& extension = *new Cornu_HostFunctions_Extension(make_host_functions());
  return &extension.base;
}

}  // namespace cornu::inline v0::plugin
