// The source of libcornu_onednn.so: the one file that includes oneDNN.
#include <oneapi/dnnl/dnnl.h>

#include <type_traits>

#include "cornu/backends/cpu/onednn/module_interface.h"
#include "cornu/backends/cpu/onednn/use_module.h"

// The OpenMP runtime that oneDNN is linked to; our own code uses no OpenMP, so its header and compiler flag stay away.
extern "C" void omp_set_num_threads(int num_threads);
extern "C" int omp_get_max_threads();

extern "C" __attribute__((visibility("default"))) int cornu_onednn_sgemm(int transpose_a, int transpose_b, std::int64_t m, std::int64_t n,
                                                                         std::int64_t k, const float* a, std::int64_t lda, const float* b,
                                                                         std::int64_t ldb, float beta, float* c, std::int64_t ldc) {
  namespace onednn = cornu::backends::cpu::onednn;
  const onednn::Use<onednn::UseKind::kProducts> use;
  if (use.is_refused()) return onednn::kEnded;
  // The setting belongs to the calling thread. It costs 3 ns; a caller with OpenMP code of its own finds it unchanged.
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  const dnnl_status_t status =
      dnnl_sgemm(transpose_a != 0 ? 'T' : 'N', transpose_b != 0 ? 'T' : 'N', m, n, k, 1.0f, a, lda, b, ldb, beta, c, ldc);
  omp_set_num_threads(before);
  return static_cast<int>(status);
}

extern "C" __attribute__((visibility("default"))) int cornu_onednn_limit(int level) {
  return static_cast<int>(dnnl_set_max_cpu_isa(level == 1 ? dnnl_cpu_isa_avx2 : dnnl_cpu_isa_avx512_core));
}

static_assert(std::is_same_v<decltype(&cornu_onednn_limit), cornu::backends::cpu::onednn::LimitFunction>);
static_assert(std::is_same_v<decltype(&cornu_onednn_sgemm), cornu::backends::cpu::onednn::SgemmFunction>);
