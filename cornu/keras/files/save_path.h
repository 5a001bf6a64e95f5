#pragma once

#include <string>

/// Checks before a long training that its results can be saved.
namespace cornu::inline v0::keras {

/// Errors: InvalidArgument for a path whose extension is not a format of models; those of
///         check_can_be_written().
void check_save_path(const std::string& path);

/// Errors, naming `caller`: NotFound for a folder that does not exist or is not writable, InvalidArgument if
/// the path itself is a folder.
void check_can_be_written(const std::string& path, const char* caller);

}  // namespace cornu::inline v0::keras
