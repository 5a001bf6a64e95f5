#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cornu::inline v0::runtime {

/// Specs of clients that may have devices of a type ("GPU"). No client is made: this resolves a device's name
/// when none is connected.
std::vector<std::string> client_specs_for(std::string_view device_type);

/// A row of the table that CMake generates from the folders whose backend.h declares arguments_for().
struct DeviceFinder {
  const char* backend;
  /// Arguments of clients that may have devices of this type; loads nothing.
  std::vector<std::string> (*arguments_for)(std::string_view device_type);
};
const std::vector<DeviceFinder>& device_finders();

}  // namespace cornu::inline v0::runtime
