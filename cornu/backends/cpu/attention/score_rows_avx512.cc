// Compiled for AVX-512 (CMakeLists.txt); see score_rows_level.inc.
#define CORNU_ATTENTION_LEVEL avx512
#include "cornu/backends/cpu/attention/score_rows_level.inc"
