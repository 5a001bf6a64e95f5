// Compiled for this level (CMakeLists.txt); see planar_level.inc.
#define CORNU_LINEAR_ALGEBRA_LEVEL sse2
#define CORNU_PLANAR_VECTOR_BYTES 16
#define CORNU_PLANAR_COMPLEX_TILE 3, 1
#define CORNU_PLANAR_REAL_TILE 4, 2
// Matrices of f32 and complex<f32> are decomposed in twice their precision at this level.
#define CORNU_LINEAR_ALGEBRA_WITHOUT_F32
#include "cornu/backends/cpu/linear_algebra/planar_level.inc"
