#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace cornu::inline v0 {

struct DiskCacheOptions {
  std::string folder;  ///< empty: nothing is kept
  std::uint64_t most_bytes = std::uint64_t{256} << 20;
  std::uint64_t most_entries = 4096;
};

/// Caches bytes between processes in a folder of the user, under keys that include everything that the bytes
/// depend on.
///
/// An entry is a file with a header of magic, key, length and checksum. An entry that is damaged, truncated
/// or has another key counts as missing, and the next `put` of its key replaces it. Files appear whole
/// (written to a temporary file, then renamed), so several processes may share a folder. Beyond the limits of
/// the options the least recently used entries are removed; three or more processes that write at once may
/// exceed the limits until one of them counts again. Other files in the folder are not touched.
///
/// The folder is created with mode 0700, below folders of the same user or of root: a program that root runs
/// with another user's HOME creates no folder there. Because its contents may be executed, a folder or file
/// that belongs to another user or that others may write is rejected, with one warning a process for a
/// folder. A program that has more rights than its caller caches nothing, since the files may be the
/// caller's. If writing fails (no permission, a full disk) nothing is cached, without a message.
///
/// Threads: safe.
/// Errors: only InvalidArgument for a key: other failures act like an empty cache.
class DiskCache {
 public:
  static constexpr std::size_t kKeyLength = 64;  ///< hexadecimal digits in lower case

  explicit DiskCache(DiskCacheOptions options);

  /// The bytes of `key`; counts as a use.
  std::optional<std::string> get(const std::string& key) const;
  void put(const std::string& key, std::string_view bytes) const;

  struct Contents {
    std::uint64_t num_entries = 0;
    std::uint64_t size_bytes = 0;  ///< of the files
  };
  Contents contents() const;
  /// Removes all entries; returns their number and size.
  Contents clear() const;

  /// Absolute path; empty if caching is off.
  const std::string& folder() const { return options_.folder; }

 private:
  /// The space that is free for this process until it must count the entries again.
  struct Room;

  DiskCacheOptions options_;
  std::shared_ptr<Room> room_;
};

}  // namespace cornu::inline v0
