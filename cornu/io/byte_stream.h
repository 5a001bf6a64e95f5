#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cornu/base/string_argument.h"

namespace cornu::inline v0::io {

/// A source of bytes, read sequentially. Threads: one at a time.
class ByteStream {
 public:
  virtual ~ByteStream() = default;
  /// Fills `to` from the front; fewer bytes only at the end. Errors: DataLoss with source and offset.
  virtual std::size_t read(std::span<std::byte> to) = 0;
  /// Moves to an offset; beyond the end reads return nothing.
  virtual void seek(std::uint64_t offset) = 0;
  /// The source's name in errors.
  virtual const std::string& name() const = 0;
};

/// Compression of a whole file.
enum class Compression { kNone, kGzip, kZlib };
/// "", "GZIP" or "ZLIB". Errors: InvalidArgument.
Compression compression_named(const StringArgument& name);

/// The size of a file in bytes. Errors: those of open_file.
std::uint64_t file_size(const StringArgument& path);
/// A file. Errors: those of read_file.
std::unique_ptr<ByteStream> open_file(const StringArgument& path);
/// Opens a file and decompresses it. seek() decompresses everything before the offset.
std::unique_ptr<ByteStream> open_file(const StringArgument& path, Compression compression);
/// Reads bytes in memory. Lifetime: `bytes` must outlive the stream.
std::unique_ptr<ByteStream> memory_stream(std::span<const std::byte> bytes, StringArgument name);
/// Decompresses another stream. Errors: DataLoss for damaged data.
std::unique_ptr<ByteStream> inflated(std::unique_ptr<ByteStream> packed, Compression compression);

}  // namespace cornu::inline v0::io
