#pragma once

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <initializer_list>

#include "cornu/tensor/random.h"
#include "examples/device_option.h"

/// What the programs of the guide's chapters share: they run what the guide shows and check what it says.
namespace cornu::inline v0::examples {

inline int guide_failures = 0;

/// Says what is not so; the program then exits non-zero.
inline void expect(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "not as the guide says: %s\n", what);
  ++guide_failures;
}

/// The parts in order, with seed 1. The exit code of main.
inline int run_guide_program(const char* chapter, std::initializer_list<void (*)()> parts) {
  try {
    set_random_seed(1);
    for (void (*const part)() : parts) part();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", chapter, error.what());
    return EXIT_FAILURE;
  }
  if (guide_failures == 0) std::printf("%s: all as the guide says\n", chapter);
  return guide_failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/// The same on the device that the arguments name (see take_device_option).
inline int run_guide_program(const char* chapter, int argc, char** argv,
                             std::initializer_list<void (*)()> parts) {
  try {
    if (!take_device_option(argc, argv)) return EXIT_SUCCESS;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", chapter, error.what());
    return EXIT_FAILURE;
  }
  return run_guide_program(chapter, parts);
}

}  // namespace cornu::inline v0::examples
