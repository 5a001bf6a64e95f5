#pragma once

#include <string>

namespace cornu::inline v0 {

/// Advice that ends a message about a path that cannot be opened; `error` is the errno. Empty for errors other
/// than a path that does not exist.
/// For a file to read: "; there is no folder /data/set1" or, for a relative path, "; the current folder is
/// /data".
std::string read_hint(const std::string& path, int error);
/// For a file to write: "; make the folder /data/set1 first".
std::string write_hint(const std::string& path, int error);

}  // namespace cornu::inline v0
