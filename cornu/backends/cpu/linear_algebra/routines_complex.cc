// Complex matrices, compiled once for the lowest level (CMakeLists.txt): the reductions' and rotations' time
// hardly depends on the level, and Eigen takes long to compile. See routines_level.inc.
#define CORNU_LINEAR_ALGEBRA_LEVEL complex
#define CORNU_LINEAR_ALGEBRA_COMPLEX
#include "cornu/backends/cpu/linear_algebra/routines_level.inc"
