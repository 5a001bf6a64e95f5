// Compiled for AVX2, FMA and F16C (CMakeLists.txt); see elements/level.inc.
#define CORNU_ELEMENTS_LEVEL avx2
#include "cornu/backends/cpu/elements/level.inc"
