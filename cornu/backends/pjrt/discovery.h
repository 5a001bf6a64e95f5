#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cornu::inline v0::backends::pjrt {

/// Where a plug-in is.
struct PluginFile {
  std::string name;  // "cpu", "cuda", "tpu", ...
  std::string path;
  bool operator==(const PluginFile&) const = default;
};

/// The entries of CORNU_PJRT_PLUGINS, "name=/path.so,name=/path.so".
/// Errors: InvalidArgument for an entry without "=", an empty name or path, a name of other characters than
///         letters, digits, "_" and "-", or one that stands twice.
std::vector<PluginFile> parse_plugin_list(std::string_view text);

/// The plug-ins that Python packages have put into these folders, the first of each name.
std::vector<PluginFile> plugins_in(const std::vector<std::string>& package_folders);

/// The plug-ins that there are: those of CORNU_PJRT_PLUGINS, then those of the Python environments that the
/// caller works in whose names are not taken. Nothing is loaded. Errors: as parse_plugin_list.
std::vector<PluginFile> find_plugins();

/// The plug-in with this name, or the file with this path (what has a '/').
/// Errors: NotFound, with those there are and how to add one.
PluginFile find_plugin(const std::string& name_or_path);

}  // namespace cornu::inline v0::backends::pjrt
