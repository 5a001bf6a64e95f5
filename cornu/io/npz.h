#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/io/array.h"
#include "cornu/io/file.h"

namespace cornu::inline v0::io {

/// NumPy's .npz: a zip archive of .npy data, stored or deflated. Entries are read one at a time, their sums checked.
///
/// Errors:  those of read_file and of .npy data; NotFound for a name that is not there (with those that are); DataLoss for a damaged,
///          encrypted or otherwise compressed archive; ResourceExhausted when an entry unpacks to more than the limit.
/// Threads: one thread.
class NpzFile {
 public:
  explicit NpzFile(const std::string& path, const ReadLimits& limits = {});
  /// From bytes, which stay the caller's until this object goes.
  NpzFile(std::span<const std::byte> bytes, std::string name, const ReadLimits& limits = {});
  ~NpzFile();
  NpzFile(NpzFile&& other) noexcept;

  /// Without their ".npy", as numpy.load names them.
  std::vector<std::string> names() const;
  Array read(std::string_view array_name) const;
  IntegerLists read_lists(std::string_view array_name) const;

 private:
  struct Archive;
  std::unique_ptr<Archive> archive_;
};

}  // namespace cornu::inline v0::io
