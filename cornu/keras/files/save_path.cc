#include "cornu/keras/files/save_path.h"

#include <unistd.h>

#include <filesystem>

#include "cornu/base/check.h"
#include "cornu/keras/files/model_files_support.h"

namespace cornu::inline v0::keras {

void check_save_path(const std::string& path) {
  (void)files::save_format(path);
  check_can_be_written(path, "save");
}

void check_can_be_written(const std::string& path, const char* caller) {
  std::error_code error;
  // Files are written beside the target of a link, which need not exist yet.
  std::filesystem::path target = path;
  for (int i = 0; i < 40 && std::filesystem::is_symlink(target, error); ++i)
    target = target.parent_path() / std::filesystem::read_symlink(target, error);
  std::filesystem::path place = std::filesystem::weakly_canonical(target, error);
  if (error) place = target;
  if (path.empty() || std::filesystem::is_directory(place, error))
    invalid_argument("[{}] \"{}\" is no path of a file", caller, path);
  const std::filesystem::path folder = place.has_parent_path() ? place.parent_path() : ".";
  if (!std::filesystem::is_directory(folder, error))
    fail(ErrorCode::kNotFound, "[{}] {} cannot be written: there is no folder {}; make it first", caller,
         path, folder.string());
  if (::access(folder.c_str(), W_OK | X_OK) != 0)
    fail(ErrorCode::kNotFound, "[{}] {} cannot be written: files in the folder {} may not be made", caller,
         path, folder.string());
}

}  // namespace cornu::inline v0::keras
