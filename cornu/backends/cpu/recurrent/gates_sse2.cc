// Compiled for plain x86-64 (CMakeLists.txt); see gates_level.inc.
#define CORNU_RECURRENT_LEVEL sse2
#include "cornu/backends/cpu/recurrent/gates_level.inc"
