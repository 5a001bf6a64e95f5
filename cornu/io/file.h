#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/base/string_argument.h"

namespace cornu::inline v0::io {

/// What a reader may spend on one file, so that a small hostile one cannot fill the memory.
struct ReadLimits {
  /// Of the file, and of what it unpacks to. Errors: InvalidArgument, when something is read, for a negative
  /// one.
  std::int64_t max_size_bytes = std::int64_t{1} << 30;
};

/// A regular file that is open for reading.
/// Errors: InvalidArgument for a path with a NUL in it; NotFound when it is not there or is no regular file
/// (a directory, a pipe, a device).
class OpenFile {
 public:
  explicit OpenFile(const StringArgument& path);
  ~OpenFile();
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  int descriptor() const { return descriptor_; }
  /// When it was opened.
  std::uint64_t size_bytes() const { return size_bytes_; }

 private:
  int descriptor_ = -1;
  std::uint64_t size_bytes_ = 0;
};

/// A whole file.
/// Errors: InvalidArgument for a path with a NUL in it; NotFound when it is not there or is no regular file
/// (a directory, a pipe, a device); ResourceExhausted beyond the limit; DataLoss when reading fails.
std::vector<std::byte> read_file(const StringArgument& path, const ReadLimits& limits = {});

/// A whole file, unpacked when it is compressed by gzip (whatever its name).
std::vector<std::byte> read_file_or_gzip(const StringArgument& path, const ReadLimits& limits = {});

/// The length of the UTF-8 sequence of a code point at `position`, which lies in the text; 0 when there is
/// none.
std::size_t utf8_length(StringViewArgument text, std::size_t position);

bool is_gzip(std::span<const std::byte> bytes);

/// Unpacks a gzip stream of one or more members.
/// Errors: DataLoss when it is damaged, cut off or followed by something else; ResourceExhausted beyond the
///         limit.
std::vector<std::byte> gunzip(std::span<const std::byte> bytes, StringViewArgument name,
                              const ReadLimits& limits = {});

/// A text in UTF-8. A byte order mark at its beginning is dropped; "\r\n" and "\r" become "\n", as Python
/// reads text.
/// Errors: DataLoss when it is not UTF-8.
std::string read_text_file(const StringArgument& path, const ReadLimits& limits = {});
std::string parse_text(std::span<const std::byte> bytes, StringViewArgument name);

/// What is done with a path that leads through symbolic links when a file is written.
enum class Links {
  kFollowed,  // the file that it leads to is written; links stay
  kRefused,   // one that has the file's name is refused; one that takes it later is replaced
};

/// A file that is there whole or not at all: it is written under another name beside it, which commit()
/// changes. What was there is replaced then, its permissions stay; without commit() nothing has happened.
///
/// Errors: InvalidArgument for a path with a NUL in it;
///         NotFound when the folder is not there or `path` is there and no regular file;
///         ResourceExhausted when there is no room;
///         DataLoss, with what the system says, when it cannot be made or written.
class WholeFile {
 public:
  explicit WholeFile(StringArgument path, Links links = Links::kFollowed);
  ~WholeFile();
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  /// Removes what processes that were killed while they wrote left beside `path`; who writes holds a lock.
  static void remove_leftovers(const StringArgument& path);

  /// Large parts that lie in memory as in the file, to the page, go to the disk without a copy.
  void write(std::span<const std::byte> bytes);
  /// Writes from another place on.
  void seek(std::uint64_t offset);
  /// On the disk when it returns.
  void commit();

 private:
  [[noreturn]] void refuse(int error) const;
  void write_through_cache(std::span<const std::byte> bytes);

  std::string path_;
  std::string temporary_path_;
  int descriptor_ = -1;
};

/// For tests of what a kill may leave behind: called before each step of writing a WholeFile ("open",
/// "write", "sync", "rename", "sync folder"). Null: nothing.
/// Threads: set it before anything is written.
extern void (*whole_file_step_for_tests)(const char* step);

/// Throws ResourceExhausted when `size_bytes` is beyond the limit; `what` is what would be that large.
void check_size(StringViewArgument name, StringViewArgument what, std::uint64_t size_bytes,
                const ReadLimits& limits);

}  // namespace cornu::inline v0::io
