#include "cornu/backends/cpu/onednn/module.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>

#include "cornu/backends/cpu/memory/memory_reserve.h"

namespace cornu::inline v0::backends::cpu::onednn {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kReserve = std::size_t{64} << 20;  // bytes: oneDNN 2.6 maps 40 MB

// The program or shared library that this code is linked into; empty where that cannot be told.
fs::path find_own_file() {
  Dl_info info{};
  std::error_code error;
  if (dladdr(reinterpret_cast<const void*>(&find_own_file), &info) != 0 && info.dli_fname != nullptr) {
    // For the program itself this is argv[0], which need not be a path.
    const fs::path file = info.dli_fname;
    if (file.filename().string().find(".so") != std::string::npos) return fs::canonical(file, error);
  }
  return fs::read_symlink("/proc/self/exe", error);
}

const fs::path& own_file() {
  static const auto& file = *new fs::path(find_own_file());
  return file;
}
// A path relative to the working directory, as the loader was given it, is right only as long as the program
// does not change that.
[[maybe_unused]] const fs::path& found_while_loading = own_file();

Module load_module() {
  Module module;
  const fs::path folder = own_file().parent_path();
  if (!folder.is_absolute()) {
    module.reason =
        fmt::format("where this code was loaded from cannot be told, so {} is not looked for", kModuleName);
    return module;
  }
  for (const fs::path& candidate : {folder / kModuleName, folder / ".." / "lib" / kModuleName}) {
    std::error_code ignored;
    if (!fs::exists(candidate, ignored)) continue;
    MemoryReserve("loading oneDNN", kReserve).release_all();  // its static objects cannot be without
    // Never unloaded: oneDNN keeps generated code and per-thread state.
    void* handle = dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
      module.reason = dlerror();
      return module;
    }
    const auto convolutions = reinterpret_cast<ConvolutionsFunction>(dlsym(handle, kConvolutionsSymbol));
    const auto limit = reinterpret_cast<LimitFunction>(dlsym(handle, kLimitSymbol));
    if (convolutions == nullptr || limit == nullptr) {
      module.reason = fmt::format("{} has no {}", candidate.string(),
                                  convolutions == nullptr ? kConvolutionsSymbol : kLimitSymbol);
      return module;
    }
    module.limit = limit;
    module.convolutions = convolutions();
    return module;
  }
  module.reason = fmt::format("{} is neither in {} nor in its sibling lib", kModuleName, folder.string());
  return module;
}

}  // namespace

const Module& loaded_module() {
  static const auto& module = *new Module(load_module());
  return module;
}

bool serves(IsaLevel level) {
  if (level == IsaLevel::kSse2 || loaded_module().convolutions == nullptr) return false;
  static const IsaLevel served = [&] {
    const IsaLevel best = cpu_isa_level();
    const bool is_limited = level < best && loaded_module().limit(static_cast<int>(level)) == 0;
    return is_limited ? level : best;
  }();
  return level == served;
}

}  // namespace cornu::inline v0::backends::cpu::onednn
