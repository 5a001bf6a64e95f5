#pragma once

#include <string>
#include <utility>

#include "cornu/io/random_access.h"

namespace cornu::inline v0::backends::remote {

/// Owns a file descriptor.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor();
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  int number() const { return number_; }
  /// Passes ownership to the caller.
  int release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

/// The destination of a file below a DataRoot. Its folder is held open, so that moving folders or replacing
/// them by links cannot redirect the write.
class PlaceToWrite {
 public:
  PlaceToWrite(Descriptor folder, std::string path) : folder_(std::move(folder)), path_(std::move(path)) {}

  /// The path for io::WholeFile with io::Links::kRefused, through the folder's descriptor (/proc must be
  /// mounted).
  std::string path() const;
  /// Replaces the path in an error's text by the client's.
  std::string with_given_path(std::string text) const;

 private:
  Descriptor folder_;
  std::string path_;  // relative to the root
};

/// The folder whose files a worker opens for its clients. Files outside it are unreachable: a path is
/// resolved folder by folder, and links are not followed.
/// Threads: safe.
class DataRoot {
 public:
  /// Errors: InvalidArgument if the folder does not exist.
  explicit DataRoot(const std::string& folder);

  /// Opens a file below the folder for reading; errors contain `path`.
  /// Errors: InvalidArgument for a path that is absolute, goes up or leads through a link; NotFound if it is
  ///         not a regular file.
  io::RandomAccessPointer open(const std::string& path) const;

  /// The destination for writing a file below the folder. The file's own folder must exist.
  /// Errors: those of open; InvalidArgument if the name belongs to something other than a regular file, or
  ///         has control characters.
  PlaceToWrite place_to_write(const std::string& path) const;

 private:
  Descriptor folder_;
};

}  // namespace cornu::inline v0::backends::remote
