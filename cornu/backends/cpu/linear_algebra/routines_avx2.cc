// Compiled for this level (CMakeLists.txt); see routines_level.inc.
#define CORNU_LINEAR_ALGEBRA_LEVEL avx2
#include "cornu/backends/cpu/linear_algebra/routines_level.inc"
