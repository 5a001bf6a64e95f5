// Compiled for baseline x86-64; see eager/level.inc.
#define CORNU_EAGER_LEVEL sse2
#include "cornu/backends/cpu/eager/level.inc"
