#include "cornu/backends/pjrt/discovery.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <system_error>

#include "cornu/base/check.h"
#include "cornu/base/environment.h"
#include "cornu/base/nearest_names.h"

namespace cornu::inline v0::backends::pjrt {
namespace {

namespace fs = std::filesystem;

/// Paths of the libraries of known packages. A newer CUDA comes first.
struct KnownPlugin {
  const char* name;
  const char* path;
};
constexpr std::array<KnownPlugin, 8> kKnownPlugins = {
    {{"cuda", "jax_plugins/xla_cuda13/xla_cuda_plugin.so"},
     {"cuda", "jax_plugins/xla_cuda12/xla_cuda_plugin.so"},
     {"rocm", "jax_plugins/xla_rocm7/xla_rocm_plugin.so"},
     {"rocm", "jax_plugins/xla_rocm60/xla_rocm_plugin.so"},
     {"tpu", "libtpu/libtpu.so"},
     {"metal", "jax_plugins/metal_plugin/pjrt_plugin_metal.so"},
     {"xpu", "jax_plugins/intel_extension_for_openxla/pjrt_plugin_xpu.so"},
     {"cpu", "xla_plugins/xla_cpu_pjrt/xla_cpu_pjrt.so"}}};

bool has_name(const std::vector<PluginFile>& plugins, std::string_view name) {
  return std::any_of(plugins.begin(), plugins.end(),
                     [&](const PluginFile& plugin) { return plugin.name == name; });
}

constexpr const char* kHowToAdd =
    "name one by CORNU_PJRT_PLUGINS=name=/path.so, or install its Python package "
    "(\"jax-cuda13-plugin[with-cuda]\", "
    "\"libtpu\", \"xla-cpu-pjrt\") in the environment that is active";

}  // namespace

std::vector<PluginFile> parse_plugin_list(std::string_view text) {
  constexpr const char* kWant =
      "[environment] CORNU_PJRT_PLUGINS must be \"name=/path.so,name=/path.so\" or \"off\"";
  std::vector<PluginFile> plugins;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    const std::string_view entry = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t equals = entry.find('=');
    if (equals == std::string_view::npos || equals == 0 || equals + 1 == entry.size())
      invalid_argument("{}; got \"{}\"", kWant, entry);
    const std::string_view name = entry.substr(0, equals);
    if (!std::all_of(name.begin(), name.end(),
                     [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-'; }))
      invalid_argument("{}; \"{}\" is not a name", kWant, name);
    if (has_name(plugins, name)) invalid_argument("{}; \"{}\" is listed twice", kWant, name);
    plugins.push_back({.name = std::string(name), .path = std::string(entry.substr(equals + 1))});
  }
  return plugins;
}

std::vector<PluginFile> plugins_in(const std::vector<std::string>& package_folders) {
  std::vector<PluginFile> plugins;
  for (const std::string& folder : package_folders)
    for (const KnownPlugin& known : kKnownPlugins) {
      std::error_code error;
      const fs::path path = fs::path(folder) / known.path;
      if (!has_name(plugins, known.name) && fs::is_regular_file(path, error))
        plugins.push_back({.name = known.name, .path = path.string()});
    }
  return plugins;
}

std::vector<PluginFile> find_plugins() {
  const std::string listed = environment::pjrt_plugins().value_or("");
  if (listed == "off") return {};
  std::vector<PluginFile> plugins = parse_plugin_list(listed);
  for (PluginFile& plugin : plugins_in(environment::python_package_folders()))
    if (!has_name(plugins, plugin.name)) plugins.push_back(std::move(plugin));
  return plugins;
}

PluginFile find_plugin(const std::string& name_or_path) {
  if (name_or_path.find('/') != std::string::npos)
    return {.name = fs::path(name_or_path).stem().string(), .path = name_or_path};
  std::vector<std::string> names;
  for (PluginFile& plugin : find_plugins()) {
    if (plugin.name == name_or_path) return std::move(plugin);
    names.push_back(plugin.name);
  }
  if (names.empty())
    fail(ErrorCode::kNotFound, "[pjrt] there is no plug-in \"{}\", and no other: {}", name_or_path,
         kHowToAdd);
  fail(ErrorCode::kNotFound, "[pjrt] there is no plug-in \"{}\": {}; {}", name_or_path,
       name_proposal(name_or_path, names), kHowToAdd);
}

}  // namespace cornu::inline v0::backends::pjrt
