#pragma once

#include <string>

namespace cornu::inline v0::backends::pjrt {

/// Loads what NVIDIA's Python packages beside a plug-in in the same environment bring (nvidia/*/lib/*.so.*),
/// so that the plug-in finds it by name wherever its own search path leads. What is not there or cannot be
/// loaded is left to the plug-in to complain about.
void load_nvidia_libraries(const std::string& plugin_path);

/// The folder of CUDA's tools and device code (nvvm/libdevice) among those packages; empty without one.
std::string cuda_data_folder(const std::string& plugin_path);

}  // namespace cornu::inline v0::backends::pjrt
