#include "cornu/backends/cpu/onednn/sgemm.h"

#include <dlfcn.h>

#include <filesystem>

#include "cornu/backends/cpu/onednn/module_interface.h"
#include "cornu/base/check.h"

namespace cornu::inline v0::backends::cpu::onednn {
namespace {

namespace fs = std::filesystem;

struct Module {
  SgemmFunction sgemm = nullptr;
  std::string reason;  // why it is missing
};

// The program or shared library that this code is linked into.
fs::path own_file() {
  Dl_info info{};
  std::error_code error;
  if (dladdr(reinterpret_cast<const void*>(&own_file), &info) != 0 && info.dli_fname != nullptr) {
    // For the program itself this is argv[0], which need not be a path.
    const fs::path file = info.dli_fname;
    if (file.filename().string().find(".so") != std::string::npos) return fs::canonical(file, error);
  }
  return fs::read_symlink("/proc/self/exe", error);
}

Module load_module() {
  Module module;
  const fs::path folder = own_file().parent_path();
  for (const fs::path& candidate : {folder / kModuleName, folder / ".." / "lib" / kModuleName}) {
    std::error_code ignored;
    if (!fs::exists(candidate, ignored)) continue;
    // Never unloaded: oneDNN keeps generated code and per-thread state.
    void* handle = dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
      module.reason = dlerror();
      return module;
    }
    module.sgemm = reinterpret_cast<SgemmFunction>(dlsym(handle, kSgemmSymbol));
    if (module.sgemm == nullptr) module.reason = fmt::format("{} has no {}", candidate.string(), kSgemmSymbol);
    return module;
  }
  module.reason = fmt::format("{} is neither in {} nor in its sibling lib", kModuleName, folder.string());
  return module;
}

const Module& loaded_module() {
  static const Module module = load_module();
  return module;
}

}  // namespace

bool try_load(std::string* reason) {
  const Module& module = loaded_module();
  if (module.sgemm == nullptr && reason != nullptr) *reason = module.reason;
  return module.sgemm != nullptr;
}

void load() {
  std::string reason;
  if (!try_load(&reason)) fail(ErrorCode::kNotFound, "[onednn] cannot load oneDNN for matrix products: {}", reason);
  static const bool warm = [] {
    const float a = 1, b = 1;
    float c = 0;
    for (const bool transpose_a : {false, true}) sgemm(transpose_a, false, 1, 1, 1, &a, 1, &b, 1, 0, &c, 1);
    return true;
  }();
  static_cast<void>(warm);
}

void sgemm(bool transpose_a, bool transpose_b, std::int64_t m, std::int64_t n, std::int64_t k, const float* a, std::int64_t lda,
           const float* b, std::int64_t ldb, float beta, float* c, std::int64_t ldc) {
  const Module& module = loaded_module();
  CORNU_CHECK(module.sgemm != nullptr, "{}", module.reason);
  if (m == 0 || n == 0) return;
  const int status = module.sgemm(transpose_a ? 1 : 0, transpose_b ? 1 : 0, m, n, k, a, lda, b, ldb, beta, c, ldc);
  CORNU_CHECK(status == 0, "oneDNN status {}; m = {}, n = {}, k = {}, lda = {}, ldb = {}, ldc = {}", status, m, n, k, lda, ldb, ldc);
}

}  // namespace cornu::inline v0::backends::cpu::onednn
