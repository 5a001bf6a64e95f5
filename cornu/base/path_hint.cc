#include "cornu/base/path_hint.h"

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "cornu/base/printable.h"

namespace cornu::inline v0 {
namespace {

/// The folder of a path if it does not exist; else empty.
std::string missing_folder(const std::filesystem::path& path) {
  std::error_code ignored;
  const std::filesystem::path folder = path.parent_path();
  return folder.empty() || std::filesystem::exists(folder, ignored) ? "" : printable(folder.string());
}

}  // namespace

std::string read_hint(const std::string& path, int error) {
  if (error != ENOENT || path.empty()) return "";
  if (const std::string folder = missing_folder(path); !folder.empty())
    return "; there is no folder " + folder;
  if (path.front() == '/') return "";
  std::error_code unknown;
  const std::filesystem::path current = std::filesystem::current_path(unknown);
  return unknown ? "" : "; the current folder is " + printable(current.string());
}

std::string write_hint(const std::string& path, int error) {
  const std::string folder = error == ENOENT ? missing_folder(path) : "";
  return folder.empty() ? "" : "; make the folder " + folder + " first";
}

}  // namespace cornu::inline v0
