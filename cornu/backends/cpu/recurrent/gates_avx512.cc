// Compiled for AVX-512 (CMakeLists.txt); see gates_level.inc.
#define CORNU_RECURRENT_LEVEL avx512
#include "cornu/backends/cpu/recurrent/gates_level.inc"
