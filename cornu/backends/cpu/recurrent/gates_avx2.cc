// Compiled for AVX2 and FMA (CMakeLists.txt); see gates_level.inc.
#define CORNU_RECURRENT_LEVEL avx2
#include "cornu/backends/cpu/recurrent/gates_level.inc"
