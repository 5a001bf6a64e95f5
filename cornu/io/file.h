#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/base/string_argument.h"

namespace cornu::inline v0::io {

/// Limits for reading one file, so that a small hostile one cannot fill the memory.
struct ReadLimits {
  /// The maximum size of the file, and of its decompressed content. Errors: InvalidArgument at the first read
  /// if negative.
  std::int64_t max_size_bytes = std::int64_t{1} << 30;
};

/// A regular file that is open for reading.
/// Errors: InvalidArgument for a path with a NUL in it; NotFound if it does not exist or is not a regular
///         file (a directory, a pipe, a device).
class OpenFile {
 public:
  explicit OpenFile(const StringArgument& path);
  ~OpenFile();
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  int descriptor() const { return descriptor_; }
  /// The size when the file was opened.
  std::uint64_t size_bytes() const { return size_bytes_; }

 private:
  int descriptor_ = -1;
  std::uint64_t size_bytes_ = 0;
};

/// Reads a whole file.
/// Errors: InvalidArgument for a path with a NUL in it; NotFound if it does not exist or is not a regular
///         file (a directory, a pipe, a device); ResourceExhausted beyond the limit; DataLoss if reading
///         fails.
std::vector<std::byte> read_file(const StringArgument& path, const ReadLimits& limits = {});

/// Reads a whole file; decompresses it if it is a gzip stream (whatever its name).
std::vector<std::byte> read_file_or_gzip(const StringArgument& path, const ReadLimits& limits = {});

/// The length of the UTF-8 sequence of a code point at `position`, which must be inside the text; 0 if it is
/// invalid.
std::size_t utf8_length(StringViewArgument text, std::size_t position);

bool is_gzip(std::span<const std::byte> bytes);

/// Decompresses a gzip stream of one or more members.
/// Errors: DataLoss if it is damaged, truncated or followed by other data; ResourceExhausted beyond the
///         limit.
std::vector<std::byte> gunzip(std::span<const std::byte> bytes, StringViewArgument name,
                              const ReadLimits& limits = {});

/// Reads a text in UTF-8. A byte order mark at its start is dropped; "\r\n" and "\r" become "\n", as in
/// Python.
/// Errors: DataLoss if it is not UTF-8.
std::string read_text_file(const StringArgument& path, const ReadLimits& limits = {});
std::string parse_text(std::span<const std::byte> bytes, StringViewArgument name);

/// Treatment of symbolic links in the path of a file to be written.
enum class Links {
  kFollowed,  // the link's target is written; the link stays
  kRefused,   // a link in place of the file is rejected; one that appears later is replaced
};

/// A file written atomically: under a temporary name in the same folder, which commit() renames. This
/// replaces an existing file, whose permissions are kept. Without commit() nothing changes.
///
/// Errors: InvalidArgument for a path with a NUL in it; NotFound if the folder does not exist, or `path`
///         exists and is not a regular file; ResourceExhausted if the disk is full; DataLoss, with the
///         system's message, if the file cannot be made or written.
class WholeFile {
 public:
  explicit WholeFile(StringArgument path, Links links = Links::kFollowed);
  ~WholeFile();
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  /// Removes temporary files of `path` that killed processes left; a running writer is recognized by its
  /// lock.
  static void remove_leftovers(const StringArgument& path);

  /// Writes bytes at the current position. Large parts with the same page alignment in memory and in the file
  /// are written without a copy.
  void write(std::span<const std::byte> bytes);
  /// Moves the position for the next write.
  void seek(std::uint64_t offset);
  /// Renames the file; it is on the disk when the call returns.
  void commit();

 private:
  [[noreturn]] void refuse(int error) const;
  void write_through_cache(std::span<const std::byte> bytes);

  std::string path_;
  std::string temporary_path_;
  int descriptor_ = -1;
};

/// For tests of killed processes: called before each step of writing a WholeFile ("open", "write", "sync",
/// "rename", "sync folder"). Null: no calls.
/// Threads: set it before any writing.
extern void (*whole_file_step_for_tests)(const char* step);

/// Throws ResourceExhausted if `size_bytes` exceeds the limit; `what` describes the object.
void check_size(StringViewArgument name, StringViewArgument what, std::uint64_t size_bytes,
                const ReadLimits& limits);

}  // namespace cornu::inline v0::io
