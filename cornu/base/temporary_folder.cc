#include "cornu/base/temporary_folder.h"

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

#include "cornu/base/check.h"

namespace cornu::inline v0 {

namespace fs = std::filesystem;

fs::path system_temporary_folder() {
  std::error_code error;
  fs::path folder = fs::temp_directory_path(error);
  if (error)
    fail(ErrorCode::kNotFound,
         "[io] there is no folder for temporary files: {}; set TMPDIR to a folder that is there",
         error.message());
  return folder;
}

TemporaryFolder::TemporaryFolder(const StringArgument& prefix) {
  const fs::path parent = system_temporary_folder();
  std::string name = (parent / (prefix + "XXXXXX")).string();
  if (mkdtemp(name.data()) == nullptr)
    fail(ErrorCode::kUnavailable,
         "[io] cannot make a folder in {}: {}; make room there, or set TMPDIR to another folder",
         parent.string(), std::generic_category().message(errno));
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace cornu::inline v0
