#pragma once

#include <string>

#include "cornu/io/random_access.h"

namespace cornu::inline v0::backends::remote {

/// The folder whose files a worker opens for its clients, and nothing outside it: a path goes down folder by
/// folder, and never by way of a link.
/// Threads: safe.
class DataRoot {
 public:
  /// Errors: InvalidArgument when there is no such folder.
  explicit DataRoot(const std::string& folder);
  ~DataRoot();
  DataRoot(const DataRoot&) = delete;
  DataRoot& operator=(const DataRoot&) = delete;

  /// A file below the folder, to be read; errors call it by `path`.
  /// Errors: InvalidArgument for a path that is absolute, goes up or through a link; NotFound when there is no
  ///         regular file.
  io::RandomAccessPointer open(const std::string& path) const;

  /// Where a file below the folder is written, for io::WholeFile. Its folder must be there.
  /// Errors: as open; InvalidArgument when something other than a regular file has the name.
  std::string place_to_write(const std::string& path) const;

  /// An error's text without the name of the folder, which is nobody's business.
  std::string without_folder(std::string text) const;

 private:
  std::string folder_;  // without a link in it
  int descriptor_ = -1;
};

}  // namespace cornu::inline v0::backends::remote
