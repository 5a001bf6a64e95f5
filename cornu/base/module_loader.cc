#include "cornu/base/module_loader.h"

#include <dlfcn.h>

#include <filesystem>

#include "cornu/base/check.h"

namespace cornu::inline v0 {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const OwnModule& module, const std::string& why) {
  fail(ErrorCode::kUnavailable, "[{}] the module that {} cannot be used: {}", module.tag, module.does, why);
}

}  // namespace

const void* own_module_mark() {
  static const char mark = 0;
  return &mark;
}

const void* load_own_module(const OwnModule& module) {
  Dl_info info{};
  std::error_code ignored;
  fs::path folder;
  if (dladdr(reinterpret_cast<const void*>(&load_own_module), &info) != 0 && info.dli_fname != nullptr)
    folder = fs::absolute(info.dli_fname, ignored).parent_path();
  const fs::path path = folder / module.file;
  if (!fs::exists(path, ignored)) refuse(module, fmt::format("there is no {}", path.string()));
  void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) refuse(module, dlerror());
  const auto function = reinterpret_cast<const void* (*)()>(dlsym(handle, module.symbol));
  if (function == nullptr) refuse(module, fmt::format("{} has no {}", path.string(), module.symbol));
  const void* const table = function();
  if (*static_cast<const void* const*>(table) != own_module_mark())
    refuse(module, "this program has Cornu linked in statically: link the shared library, cornu::cornu");
  return table;
}

}  // namespace cornu::inline v0
