// Compiled for AVX2, FMA and F16C (CMakeLists.txt); see eager/level.inc.
#define CORNU_EAGER_LEVEL avx2
#include "cornu/backends/cpu/eager/level.inc"
