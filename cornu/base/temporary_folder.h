#pragma once

#include <filesystem>

#include "cornu/base/string_argument.h"

namespace cornu::inline v0 {

/// The machine's folder for temporary files: TMPDIR, else /tmp.
/// Errors: NotFound with the system's reason if there is no such folder.
std::filesystem::path system_temporary_folder();

/// A new folder in system_temporary_folder() that only this user can read. The destructor removes it with everything
/// in it.
class TemporaryFolder {
 public:
  /// Makes a folder whose name begins with `prefix`.
  /// Errors: NotFound as system_temporary_folder(); Unavailable with the system's reason, such as a full disk.
  explicit TemporaryFolder(const StringArgument& prefix);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace cornu::inline v0
