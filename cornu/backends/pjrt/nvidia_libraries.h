#pragma once

#include <string>

namespace cornu::inline v0::backends::pjrt {

/// Loads the libraries of NVIDIA's Python packages in the plug-in's environment (nvidia/*/lib/*.so.*), so
/// that the plug-in finds them by name, whatever its search path. Libraries that are missing or cannot be
/// loaded are ignored: the plug-in reports them.
void load_nvidia_libraries(const std::string& plugin_path);

/// The folder of CUDA's tools and device code (nvvm/libdevice) in these packages; empty if there is none.
std::string cuda_data_folder(const std::string& plugin_path);

}  // namespace cornu::inline v0::backends::pjrt
