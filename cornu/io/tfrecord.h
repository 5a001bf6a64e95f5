#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/io/byte_stream.h"
#include "cornu/io/file.h"

namespace cornu::inline v0::io {

/// Bytes of a file, with the owner of their memory.
struct SharedBytes {
  std::string_view view;
  std::shared_ptr<const void> owner;
};

struct RecordReaderOptions {  // options/io.toml
  /// Compression of the file.
  Compression compression = Compression::kNone;
  /// Largest record in bytes; a longer one is an error before memory is allocated for it.
  std::int64_t max_record_bytes = std::int64_t{1} << 30;
  /// Function that allocates the memory of records, RecordReader::kChunkBytes at a time, or as many bytes as
  /// a longer record has; it may throw to limit memory. Empty: the heap.
  std::function<std::shared_ptr<std::byte[]>(std::size_t num_bytes)> make_chunk = {};
};

/// Reads TensorFlow's record files: each record with its length, and a CRC-32C of both, which is verified.
///
/// Records share the memory that they were read into, some hundred KiB at a time.
/// Errors:  DataLoss with file and offset for a wrong checksum, and a file that ends inside a record.
///          ResourceExhausted for a record beyond the limit. Those of open_file, and of the stream. After an
///          error the reader is at its end.
/// Threads: one at a time.
class RecordReader {
 public:
  static constexpr std::size_t kChunkBytes = std::size_t{1} << 18;

  explicit RecordReader(std::unique_ptr<ByteStream> stream, const RecordReaderOptions& options = {});
  explicit RecordReader(const StringArgument& path, const RecordReaderOptions& options = {})
      : RecordReader(open_file(path, options.compression), options) {}

  /// The next record; nullopt at the end.
  std::optional<SharedBytes> next();
  /// The offset of the next record, in the decompressed file.
  std::uint64_t offset() const { return chunk_offset_ + place_; }
  /// Moves to the start of a record.
  void seek(std::uint64_t offset);

 private:
  /// Ensures that `size` bytes from the current position are contiguous in memory, as far as they exist;
  /// returns the number available.
  std::size_t hold(std::size_t size);
  [[noreturn]] void fail_here(std::string_view what);

  std::unique_ptr<ByteStream> stream_;
  std::int64_t max_record_bytes_;
  std::function<std::shared_ptr<std::byte[]>(std::size_t num_bytes)> make_chunk_;
  std::shared_ptr<std::byte[]> chunk_;
  std::size_t size_ = 0, place_ = 0;
  std::uint64_t chunk_offset_ = 0;  // of the chunk's first byte
  bool has_ended_ = false;
};

/// Writes TensorFlow's record files, atomically: the file appears when close() returns.
class RecordWriter {
 public:
  explicit RecordWriter(const StringArgument& path, Compression compression = Compression::kNone);
  ~RecordWriter();
  RecordWriter(const RecordWriter&) = delete;
  RecordWriter& operator=(const RecordWriter&) = delete;

  void write(StringViewArgument record);
  /// The number of bytes written so far, before compression.
  std::uint64_t size_bytes() const { return size_bytes_; }
  void close();

 private:
  struct Deflater;
  void append(std::string_view bytes);
  void flush(bool is_last);

  WholeFile file_;
  std::unique_ptr<Deflater> deflater_;  // null: not compressed
  std::vector<std::byte> buffer_;
  std::uint64_t size_bytes_ = 0;
  bool is_closed_ = false;
};

}  // namespace cornu::inline v0::io
