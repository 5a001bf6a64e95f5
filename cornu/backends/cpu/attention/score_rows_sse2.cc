// Compiled for the baseline (CMakeLists.txt); see score_rows_level.inc.
#define CORNU_ATTENTION_LEVEL sse2
#include "cornu/backends/cpu/attention/score_rows_level.inc"
