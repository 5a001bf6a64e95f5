#pragma once

#include <string>
#include <utility>

#include "cornu/io/random_access.h"

namespace cornu::inline v0::backends::remote {

/// A descriptor that is closed on every way out.
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
  /// It is the caller's from then on.
  int release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

/// Where a file below a DataRoot is written. Its folder is held open, so that nobody who moves folders or
/// puts links in their places leads what is written elsewhere.
class PlaceToWrite {
 public:
  PlaceToWrite(Descriptor folder, std::string path) : folder_(std::move(folder)), path_(std::move(path)) {}

  /// For io::WholeFile with io::Links::kRefused: by way of the folder's descriptor (/proc must be mounted).
  std::string path() const;
  /// An error's text with the path as the client gave it.
  std::string with_given_path(std::string text) const;

 private:
  Descriptor folder_;
  std::string path_;  // below the root
};

/// The folder whose files a worker opens for its clients, and nothing outside it: a path goes down folder by
/// folder, and never by way of a link.
/// Threads: safe.
class DataRoot {
 public:
  /// Errors: InvalidArgument when there is no such folder.
  explicit DataRoot(const std::string& folder);

  /// A file below the folder, to be read; errors call it by `path`.
  /// Errors: InvalidArgument for a path that is absolute, goes up or through a link;
  ///         NotFound when there is no regular file.
  io::RandomAccessPointer open(const std::string& path) const;

  /// Where a file below the folder is written. Its own folder must be there.
  /// Errors: as open; InvalidArgument when something other than a regular file has the name, or the name has
  ///         control characters.
  PlaceToWrite place_to_write(const std::string& path) const;

 private:
  Descriptor folder_;
};

}  // namespace cornu::inline v0::backends::remote
