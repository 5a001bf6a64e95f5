#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/io/file.h"
#include "cornu/io/random_access.h"

namespace cornu::inline v0::io {

/// Reads a zip archive with stored or deflated members. Members are found by name; paths in it are never used
/// to access files.
///
/// Errors:  DataLoss for an archive that is damaged, encrypted or compressed by another method, and for
///          duplicate members; ResourceExhausted for a member that decompresses to more than the limit, or to
///          more than 64 MiB (a text: 1 MiB) and a hundred times its size in the archive.
/// Threads: one thread.
class ZipFile {
 public:
  /// `kind`: the expected kind of file in errors (".npz").
  ZipFile(RandomAccessPointer bytes, std::string kind, const ReadLimits& limits = {});
  ~ZipFile();
  ZipFile(ZipFile&& other) noexcept;

  const std::string& name() const;
  const ReadLimits& limits() const;
  /// The names in the order of the archive.
  std::vector<std::string> members() const;
  bool contains(std::string_view member) const;
  struct Member {
    std::uint64_t size_bytes = 0;  // decompressed, as claimed by the archive
    bool is_stored = false;
  };
  /// Errors: NotFound with the existing members.
  Member about(std::string_view member) const;
  /// The member's bytes; verifies the checksum. Errors: also NotFound with the existing members.
  std::vector<std::byte> read(std::string_view member) const;
  /// The member's bytes as a text to be parsed, with the limit for texts.
  std::string read_text(std::string_view member) const;
  /// The member with random access: a stored member's bytes in the archive, without a copy and without a
  /// limit; a deflated one is decompressed.
  RandomAccessPointer open(std::string_view member) const;

 private:
  struct Archive;
  std::unique_ptr<Archive> archive_;
};

/// Writes a zip archive atomically. Equal members give equal files.
///
/// Errors:  ResourceExhausted if memory is short; those of WholeFile.
class ZipWriter {
 public:
  explicit ZipWriter(const std::string& path, Links links = Links::kFollowed);
  ~ZipWriter();
  ZipWriter(const ZipWriter&) = delete;
  ZipWriter& operator=(const ZipWriter&) = delete;

  /// Adds a member of `size_bytes` bytes, which `write` passes to the sink. Deflated if `compressed`.
  void add(const std::string& member, std::uint64_t size_bytes, bool compressed,
           const std::function<void(const ByteSink&)>& write);
  void add(const std::string& member, std::string_view text);
  void commit();

 private:
  struct Archive;
  std::unique_ptr<Archive> archive_;
};

}  // namespace cornu::inline v0::io
