#pragma once

#include <span>

namespace cornu::inline v0::backends::sim {

/// A file of the folder profiles, compiled in by CMake (see cmake/SimulatedProfiles.cmake).
struct BuiltInProfile {
  const char* name;
  const char* text;
};
std::span<const BuiltInProfile> built_in_profile_files();

}  // namespace cornu::inline v0::backends::sim
