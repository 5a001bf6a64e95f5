#pragma once

/// Placed before a loop: no iteration reads what another one writes, so the compiler may vectorize it without
/// checks for overlap. Reading and writing the same element in one iteration is allowed.
#ifdef __clang__
#define CORNU_NO_ALIASING _Pragma("clang loop vectorize(assume_safety)")
#else
#define CORNU_NO_ALIASING _Pragma("GCC ivdep")
#endif
