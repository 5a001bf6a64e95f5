#pragma once

// The first header of the API says what it needs before a compiler drowns that in errors.
#if defined(__cplusplus) && __cplusplus < 202002L
#error "Cornu's headers are C++20: compile with -std=c++20"
#elif defined(__clang__)
#if __clang_major__ < 14
#error "Cornu's headers need Clang 14 or later, or GCC 12 or later"
#endif
#elif defined(__GNUC__) && __GNUC__ < 12
#error "Cornu's headers need GCC 12 or later, or Clang 14 or later"
#endif
