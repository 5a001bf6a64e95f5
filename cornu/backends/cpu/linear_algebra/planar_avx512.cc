// Compiled for this level (CMakeLists.txt); see planar_level.inc.
#define CORNU_LINEAR_ALGEBRA_LEVEL avx512
#define CORNU_PLANAR_VECTOR_BYTES 64
#define CORNU_PLANAR_COMPLEX_TILE 6, 2
#define CORNU_PLANAR_REAL_TILE 12, 2
#include "cornu/backends/cpu/linear_algebra/planar_level.inc"
