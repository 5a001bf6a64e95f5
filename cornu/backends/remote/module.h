#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cornu/backends/remote/backend.h"

/// Interface of libcornu_remote: gRPC and protobuf are 30 MB that most programs never need.
namespace cornu::inline v0::backends::remote {

inline constexpr const char* kModuleName = "libcornu_remote.so";
inline constexpr const char* kModuleSymbol = "cornu_remote_module";

/// The module throws Cornu's errors, so it must be linked with the same libcornu that loads it.
struct Module {
  const void* mark;  // own_module_mark()
  std::shared_ptr<runtime::Client> (*make_client)(const std::string& argument);
  void (*run_worker)(const WorkerOptions& options);
  std::string (*worker_status)(const std::string& address);
  std::vector<runtime::DeviceInfo> (*worker_devices)(const std::string& address);
};

}  // namespace cornu::inline v0::backends::remote
