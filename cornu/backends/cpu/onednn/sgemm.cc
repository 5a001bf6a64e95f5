#include "cornu/backends/cpu/onednn/sgemm.h"

#include "cornu/backends/cpu/onednn/module.h"
#include "cornu/base/check.h"

namespace cornu::inline v0::backends::cpu::onednn {
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

bool sgemm(bool transpose_a, bool transpose_b, std::int64_t m, std::int64_t n, std::int64_t k, const float* a, std::int64_t lda,
           const float* b, std::int64_t ldb, float beta, float* c, std::int64_t ldc) {
  const Module& module = loaded_module();
  CORNU_CHECK(module.sgemm != nullptr, "{}", module.reason);
  if (m == 0 || n == 0) return true;
  const int status = module.sgemm(transpose_a ? 1 : 0, transpose_b ? 1 : 0, m, n, k, a, lda, b, ldb, beta, c, ldc);
  CORNU_CHECK(status == 0 || status == kEnded, "oneDNN status {}; m = {}, n = {}, k = {}, lda = {}, ldb = {}, ldc = {}", status, m, n, k,
              lda, ldb, ldc);
  return status == 0;
}

}  // namespace cornu::inline v0::backends::cpu::onednn
