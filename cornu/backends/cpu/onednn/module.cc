#include "cornu/backends/cpu/onednn/module.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include "cornu/backends/cpu/memory/memory_reserve.h"
#include "cornu/base/module_loader.h"

namespace cornu::inline v0::backends::cpu::onednn {
namespace {

constexpr std::size_t kLoadingReserve = std::size_t{64} << 20;  // bytes: oneDNN 2.6 maps 40 MB

Module load_module() {
  Module module;
  const OwnModulePath found = find_own_module(kModuleName);
  if (found.path.empty()) {
    module.reason = found.reason;
    return module;
  }
  MemoryReserve("loading oneDNN", kLoadingReserve).release_all();  // its statics need memory
  // Never unloaded: oneDNN keeps generated code and per-thread state.
  void* const handle = dlopen(found.path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    module.reason = dlerror();
    return module;
  }
  const auto convolutions = reinterpret_cast<ConvolutionsFunction>(dlsym(handle, kConvolutionsSymbol));
  const auto limit = reinterpret_cast<LimitFunction>(dlsym(handle, kLimitSymbol));
  if (convolutions == nullptr || limit == nullptr) {
    module.reason = fmt::format("{} has no {}", found.path.string(),
                                convolutions == nullptr ? kConvolutionsSymbol : kLimitSymbol);
    return module;
  }
  module.limit = limit;
  module.convolutions = convolutions();
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
