#include "cornu/backends/pjrt/nvidia_libraries.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

namespace cornu::inline v0::backends::pjrt {
namespace {

namespace fs = std::filesystem;

/// In the order of their dependencies.
constexpr std::array<std::string_view, 13> kLibraries = {
    "libcudart.so",   "libnvJitLink.so",    "libnvrtc.so", "libcublasLt.so", "libcublas.so",
    "libcusparse.so", "libcusolver.so",     "libcufft.so", "libcupti.so",    "libnccl.so",
    "libcudnn.so",    "libnvshmem_host.so", "libcufftw.so"};

/// .../site-packages/nvidia for a plug-in at .../site-packages/jax_plugins/xla_cuda13/x.so;
/// empty when there is none.
fs::path nvidia_folder(const std::string& plugin_path) {
  std::error_code error;
  const fs::path folder = fs::path(plugin_path).parent_path().parent_path().parent_path() / "nvidia";
  return fs::is_directory(folder, error) ? folder : fs::path();
}

std::vector<fs::path> entries(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    found.push_back(it->path());
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

void load_nvidia_libraries(const std::string& plugin_path) {
  const fs::path nvidia = nvidia_folder(plugin_path);
  if (nvidia.empty() || plugin_path.find("cuda") == std::string::npos) return;
  std::vector<fs::path> files;
  for (const fs::path& package : entries(nvidia))
    for (fs::path& file : entries(package / "lib")) files.push_back(std::move(file));
  for (const std::string_view library : kLibraries)
    for (const fs::path& file : files)
      if (file.filename().string().starts_with(library)) dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
}

std::string cuda_data_folder(const std::string& plugin_path) {
  const fs::path nvidia = nvidia_folder(plugin_path);
  if (nvidia.empty()) return "";
  for (const fs::path& package : entries(nvidia)) {
    std::error_code error;
    if (fs::is_directory(package / "nvvm" / "libdevice", error)) return package.string();
  }
  return "";
}

}  // namespace cornu::inline v0::backends::pjrt
