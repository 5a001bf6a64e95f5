#pragma once

#include <string>

/// What would be refused when something is saved, before the hours that it takes to make it.
namespace cornu::inline v0::keras {

/// Errors: InvalidArgument for a path whose end says no format of models, and those of
/// check_can_be_written().
void check_save_path(const std::string& path);

/// `caller`: who errors say it is for. Errors: NotFound for a folder that is not there or may not be written
/// to, InvalidArgument where the path itself is one.
void check_can_be_written(const std::string& path, const char* caller);

}  // namespace cornu::inline v0::keras
