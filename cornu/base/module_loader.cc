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

/// The program or shared library that contains this code; empty if unknown.
fs::path find_own_file() {
  Dl_info info{};
  std::error_code error;
  if (dladdr(reinterpret_cast<const void*>(&find_own_file), &info) != 0 && info.dli_fname != nullptr) {
    // For the program itself the name is argv[0], which need not be a path.
    const fs::path file = info.dli_fname;
    if (file.filename().string().find(".so") != std::string::npos) return fs::canonical(file, error);
  }
  return fs::read_symlink("/proc/self/exe", error);
}

const fs::path& own_file() {
  static const auto& file = *new fs::path(find_own_file());
  return file;
}
// Resolved during loading: a relative path from the loader is valid only until the program changes its
// working directory.
[[maybe_unused]] const fs::path& found_while_loading = own_file();

}  // namespace

OwnModulePath find_own_module(const char* file) {
  const fs::path folder = own_file().parent_path();
  if (!folder.is_absolute())
    return {{}, fmt::format("where this code was loaded from cannot be told, so {} is not looked for", file)};
  for (const fs::path& candidate : {folder / file, folder / ".." / "lib" / file}) {
    std::error_code ignored;
    if (fs::exists(candidate, ignored)) return {candidate, ""};
  }
  return {{}, fmt::format("{} is neither in {} nor in its sibling lib", file, folder.string())};
}

const void* own_module_mark() {
  static const char mark = 0;
  return &mark;
}

const void* load_own_module(const OwnModule& module) {
  const auto [path, reason] = find_own_module(module.file);
  if (path.empty()) refuse(module, reason);
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
