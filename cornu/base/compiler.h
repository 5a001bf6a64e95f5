#pragma once

#include <cstddef>  // the standard library's own macros

// Checks the requirements of the first header of the API before a compiler prints many other errors. After
// each message a nonexistent header ends the compilation, which "#error" alone does not.
#if defined(__cplusplus) && __cplusplus < 202002L
#error "Cornu's headers are C++20: compile with -std=c++20"
#include <see_the_error_above>
#elif defined(__clang__)
#if __clang_major__ < 14
#error "Cornu's headers need Clang 14 or later, or GCC 12 or later"
#include <see_the_error_above>
#endif
#elif defined(__GNUC__) && __GNUC__ < 12
#error "Cornu's headers need GCC 12 or later, or Clang 14 or later"
#include <see_the_error_above>
#endif

#if !defined(__cpp_rtti)
#error "Cornu's headers use dynamic_cast and typeid: compile without -fno-rtti"
#include <see_the_error_above>
#elif !defined(__cpp_exceptions)
#error "Cornu reports errors as exceptions: compile without -fno-exceptions"
#include <see_the_error_above>
#elif !defined(__GLIBCXX__)
#error "libcornu.so is built with libstdc++: compile without -stdlib=libc++"
#include <see_the_error_above>
#elif defined(_GLIBCXX_DEBUG)
#error \
    "libcornu.so has other containers than -D_GLIBCXX_DEBUG gives; -D_GLIBCXX_ASSERTIONS checks, and changes none"
#include <see_the_error_above>
#elif !_GLIBCXX_USE_CXX11_ABI
#error "libcornu.so has the strings of the new ABI: compile without -D_GLIBCXX_USE_CXX11_ABI=0"
#include <see_the_error_above>
#endif
