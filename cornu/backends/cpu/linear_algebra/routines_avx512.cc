// Compiled for this level (CMakeLists.txt); see routines_level.inc.
#define CORNU_LINEAR_ALGEBRA_LEVEL avx512
// Eigenvalues and singular values are those of AVX2: their time hardly depends on the level, and Eigen takes
// long to compile.
#define CORNU_LINEAR_ALGEBRA_WITHOUT_SPECTRA
#include "cornu/backends/cpu/linear_algebra/routines_level.inc"
