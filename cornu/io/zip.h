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

/// A zip archive whose members are stored or deflated. Members are found by name; no path in it is ever
/// followed.
///
/// Errors:  DataLoss for a damaged, encrypted or otherwise compressed archive, and for two members of one
///          name; ResourceExhausted for a member that unpacks to more than the limit, or to more than 64 MiB
///          (a text: 1 MiB) and a hundred times its size in the archive.
/// Threads: one thread.
class ZipFile {
 public:
  /// `kind`: what errors say the file should be (".npz").
  ZipFile(RandomAccessPointer bytes, std::string kind, const ReadLimits& limits = {});
  ~ZipFile();
  ZipFile(ZipFile&& other) noexcept;

  const std::string& name() const;
  const ReadLimits& limits() const;
  /// In the order of the archive.
  std::vector<std::string> members() const;
  bool contains(std::string_view member) const;
  struct Member {
    std::uint64_t size_bytes = 0;  // unpacked, as the archive says
    bool is_stored = false;
  };
  /// Errors: NotFound with the members that there are.
  Member about(std::string_view member) const;
  /// The member's bytes, their sum checked. Errors: also NotFound with the members that there are.
  std::vector<std::byte> read(std::string_view member) const;
  /// The same of what will be parsed as text.
  std::string read_text(std::string_view member) const;
  /// The same to be read in parts: of a stored member the archive's own bytes, without a copy and without a
  /// limit.
  RandomAccessPointer open(std::string_view member) const;

 private:
  struct Archive;
  std::unique_ptr<Archive> archive_;
};

/// Writes a zip archive, which is there whole or not at all. Files of the same members are the same.
///
/// Errors:  ResourceExhausted when there is no memory; those of WholeFile.
class ZipWriter {
 public:
  explicit ZipWriter(const std::string& path, Links links = Links::kFollowed);
  ~ZipWriter();
  ZipWriter(const ZipWriter&) = delete;
  ZipWriter& operator=(const ZipWriter&) = delete;

  /// A member of `size_bytes` bytes, which `write` gives to the sink. Deflated with `compressed`.
  void add(const std::string& member, std::uint64_t size_bytes, bool compressed,
           const std::function<void(const ByteSink&)>& write);
  void add(const std::string& member, std::string_view text);
  void commit();

 private:
  struct Archive;
  std::unique_ptr<Archive> archive_;
};

}  // namespace cornu::inline v0::io
