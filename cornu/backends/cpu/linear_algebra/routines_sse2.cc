// Compiled for this level (CMakeLists.txt); see routines_level.inc.
#define CORNU_LINEAR_ALGEBRA_LEVEL sse2
// Matrices of f32 are decomposed in f64 at this level: few machines have no other, and Eigen takes long to
// compile.
#define CORNU_LINEAR_ALGEBRA_WITHOUT_F32
#include "cornu/backends/cpu/linear_algebra/routines_level.inc"
