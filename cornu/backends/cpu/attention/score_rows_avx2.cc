// Compiled for AVX2 and FMA (CMakeLists.txt); see score_rows_level.inc.
#define CORNU_ATTENTION_LEVEL avx2
#include "cornu/backends/cpu/attention/score_rows_level.inc"
