#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cornu/base/string_argument.h"

namespace cornu::inline v0::io {

/// Bytes of a source from its front on. Threads: one at a time.
class ByteStream {
 public:
  virtual ~ByteStream() = default;
  /// Fills `to` from the front; fewer only at the end. Errors: DataLoss that names source and offset.
  virtual std::size_t read(std::span<std::byte> to) = 0;
  /// Goes to a place; beyond the end nothing is read there.
  virtual void seek(std::uint64_t offset) = 0;
  /// What errors call it.
  virtual const std::string& name() const = 0;
};

/// How a whole file is compressed.
enum class Compression { kNone, kGzip, kZlib };
/// "", "GZIP" or "ZLIB". Errors: InvalidArgument.
Compression compression_named(const StringArgument& name);

/// The size of a file in bytes. Errors: those of open_file.
std::uint64_t file_size(const StringArgument& path);
/// A file. Errors: those of read_file.
std::unique_ptr<ByteStream> open_file(const StringArgument& path);
/// The same, unpacked. A place is found by unpacking what stands before it.
std::unique_ptr<ByteStream> open_file(const StringArgument& path, Compression compression);
/// Bytes in memory. Lifetime: theirs.
std::unique_ptr<ByteStream> memory_stream(std::span<const std::byte> bytes, StringArgument name);
/// What another stream unpacks to. Errors: DataLoss for damaged data.
std::unique_ptr<ByteStream> inflated(std::unique_ptr<ByteStream> packed, Compression compression);

}  // namespace cornu::inline v0::io
