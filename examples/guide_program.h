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

/// Where the parts run.
enum class GuideDevice {
  kOption,  // where the arguments say (see take_device_option)
  kOwn,     // where they say themselves
};

/// Runs the parts in order, with seed 1. The exit code of main.
inline int run_guide_program(const char* chapter, int argc, char** argv,
                             std::initializer_list<void (*)()> parts,
                             GuideDevice device = GuideDevice::kOption) {
  try {
    const bool runs =
        device == GuideDevice::kOption ? take_device_option(argc, argv) : take_no_option(argc, argv);
    if (!runs) return EXIT_SUCCESS;
    set_random_seed(1);
    for (void (*const part)() : parts) part();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", chapter, error.what());
    return EXIT_FAILURE;
  }
  if (guide_failures == 0) std::printf("%s: all as the guide says\n", chapter);
  return guide_failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace cornu::inline v0::examples
