#include "cornu/backends/remote/backend.h"

#include "cornu/backends/remote/module.h"
#include "cornu/base/module_loader.h"

namespace cornu::inline v0::backends::remote {
namespace {

const Module& module() {
  static const Module& loaded = *static_cast<const Module*>(
      load_own_module({.tag = "grpc", .does = "speaks gRPC", .file = kModuleName, .symbol = kModuleSymbol}));
  return loaded;
}

}  // namespace

std::shared_ptr<runtime::Client> make_client(const std::string& argument, const runtime::ClientOptions&) {
  return module().make_client(argument);
}

void run_worker(const WorkerOptions& options) { module().run_worker(options); }

std::vector<runtime::DeviceInfo> worker_devices(const std::string& address) {
  return module().worker_devices(address);
}

std::string worker_status(const std::string& address) { return module().worker_status(address); }

}  // namespace cornu::inline v0::backends::remote
