#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cornu::inline v0::backends::pjrt {

/// Name and path of a plug-in.
struct PluginFile {
  std::string name;  // "cpu", "cuda", "tpu", ...
  std::string path;
  bool operator==(const PluginFile&) const = default;
};

/// Parses CORNU_PJRT_PLUGINS, "name=/path.so,name=/path.so".
/// Errors: InvalidArgument for an entry without "=", an empty name or path, a name with characters other than
///         letters, digits, "_" and "-", or a duplicate name.
std::vector<PluginFile> parse_plugin_list(std::string_view text);

/// The plug-ins of Python packages in these folders, the first of each name.
std::vector<PluginFile> plugins_in(const std::vector<std::string>& package_folders);

/// The available plug-ins: those of CORNU_PJRT_PLUGINS, then those of the caller's Python environments with
/// other names. Loads nothing. Errors: those of parse_plugin_list.
std::vector<PluginFile> find_plugins();

/// The plug-in with this name, or the file with this path (a text with a '/').
/// Errors: NotFound, with the existing ones and how to add one.
PluginFile find_plugin(const std::string& name_or_path);

}  // namespace cornu::inline v0::backends::pjrt
