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

/// Reads NumPy's .npz: a zip archive of .npy data, stored or deflated. Entries are read one at a time, and
/// their checksums verified.
///
/// Errors:  those of read_file and of .npy data; NotFound for a name that does not exist (with the existing
///          ones); DataLoss for an archive that is damaged, encrypted or compressed by another method;
///          ResourceExhausted if an entry decompresses to more than the limit; FailedPrecondition after it
///          was moved from.
/// Threads: one thread.
class NpzFile {
 public:
  explicit NpzFile(const StringArgument& path, const ReadLimits& limits = {});
  /// Reads from bytes, which must outlive this object.
  NpzFile(std::span<const std::byte> bytes, StringArgument name, const ReadLimits& limits = {});
  ~NpzFile();
  NpzFile(NpzFile&& other) noexcept;

  /// The names without ".npy", as in numpy.load.
  std::vector<std::string> names() const;
  Array read(StringViewArgument array_name) const;
  IntegerLists read_lists(StringViewArgument array_name) const;

 private:
  struct Archive;
  const Archive& archive() const;

  std::unique_ptr<Archive> archive_;
};

struct WriteNpzOptions {  // options/io.toml
  /// True: deflates the entries, as numpy.savez_compressed does; false: stores them.
  bool compressed = false;
  /// Treatment of a symbolic link at the path.
  Links links = Links::kFollowed;
};

/// Writes arrays by name as numpy.savez does, with entries of any size. The file is written atomically.
///
/// Errors:  InvalidArgument for a name that is empty, occurs twice or is not UTF-8, and those of write_npy.
void write_npz(const StringArgument& path, std::span<const std::pair<std::string, ArrayView>> arrays,
               const WriteNpzOptions& options = {});

}  // namespace cornu::inline v0::io
