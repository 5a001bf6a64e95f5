// Compiled for this level (CMakeLists.txt); see planar_level.inc.
#define CORNU_LINEAR_ALGEBRA_LEVEL avx2
#define CORNU_PLANAR_VECTOR_BYTES 32
#define CORNU_PLANAR_COMPLEX_TILE 5, 1
#define CORNU_PLANAR_REAL_TILE 6, 2
#include "cornu/backends/cpu/linear_algebra/planar_level.inc"
