#include "cornu/backends/remote/backend.h"

#include <dlfcn.h>

#include <filesystem>

#include "cornu/backends/remote/module.h"
#include "cornu/base/check.h"

namespace cornu::inline v0::backends::remote {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& why) {
  fail(ErrorCode::kUnavailable, "[grpc] the module that speaks gRPC cannot be used: {}", why);
}

const Module& load_module() {
  Dl_info info{};
  std::error_code ignored;
  fs::path folder;
  if (dladdr(reinterpret_cast<const void*>(&load_module), &info) != 0 && info.dli_fname != nullptr)
    folder = fs::absolute(info.dli_fname, ignored).parent_path();
  const fs::path path = folder / kModuleName;
  if (!fs::exists(path, ignored)) refuse(fmt::format("there is no {}", path.string()));
  void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) refuse(dlerror());
  const auto function = reinterpret_cast<ModuleFunction>(dlsym(handle, kModuleSymbol));
  if (function == nullptr) refuse(fmt::format("{} has no {}", path.string(), kModuleSymbol));
  const Module& module = *function();
  if (module.libcornu != reinterpret_cast<const void*>(&runtime::backend_entries))
    refuse("this program has Cornu linked in statically: link the shared library, cornu::cornu");
  return module;
}

const Module& module() {
  static const Module& loaded = load_module();
  return loaded;
}

}  // namespace

std::shared_ptr<runtime::Client> make_client(const std::string& argument, const runtime::ClientOptions&) {
  return module().make_client(argument);
}

void run_worker(const WorkerOptions& options) { module().run_worker(options); }

std::string worker_status(const std::string& address) { return module().worker_status(address); }

}  // namespace cornu::inline v0::backends::remote
