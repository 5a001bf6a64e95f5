// Compiled for baseline x86-64; see elements/level.inc.
#define CORNU_ELEMENTS_LEVEL sse2
#include "cornu/backends/cpu/elements/level.inc"
