#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/io/array.h"
#include "cornu/io/file.h"

namespace cornu::inline v0::io {

/// NumPy's .npz: a zip archive of .npy data, stored or deflated. Entries are read one at a time, their sums
/// checked.
///
/// Errors:  those of read_file and of .npy data; NotFound for a name that is not there (with those that are);
///          DataLoss for a damaged, encrypted or otherwise compressed archive; ResourceExhausted when an
///          entry unpacks to more than the limit; FailedPrecondition once it was moved from.
/// Threads: one thread.
class NpzFile {
 public:
  explicit NpzFile(const StringArgument& path, const ReadLimits& limits = {});
  /// From bytes, which stay the caller's until this object goes.
  NpzFile(std::span<const std::byte> bytes, StringArgument name, const ReadLimits& limits = {});
  ~NpzFile();
  NpzFile(NpzFile&& other) noexcept;

  /// Without their ".npy", as numpy.load names them.
  std::vector<std::string> names() const;
  Array read(StringViewArgument array_name) const;
  IntegerLists read_lists(StringViewArgument array_name) const;

 private:
  struct Archive;
  const Archive& archive() const;

  std::unique_ptr<Archive> archive_;
};

struct WriteNpzOptions {
  bool compressed = false;  // numpy.savez_compressed
  Links links = Links::kFollowed;
};

/// Writes arrays by name as numpy.savez does. The file is there whole or not at all; entries of any size.
///
/// Errors:  InvalidArgument for a name that is empty, occurs twice or is no UTF-8, and those of write_npy.
void write_npz(const StringArgument& path, std::span<const std::pair<std::string, ArrayView>> arrays,
               const WriteNpzOptions& options = {});

}  // namespace cornu::inline v0::io
