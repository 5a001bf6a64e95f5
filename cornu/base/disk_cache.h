#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cornu::inline v0 {

struct DiskCacheOptions {
  std::string folder;  ///< empty: nothing is kept
  std::uint64_t most_bytes = std::uint64_t{256} << 20;
  std::uint64_t most_entries = 4096;
};

/// Bytes kept in a folder of the user's by keys that say all that the bytes depend on: what one process made
/// another need not make again.
///
/// An entry is a file with a header of magic, key, length and checksum: one that is damaged, cut off or of
/// another key is as good as none, and the next `put` of its key replaces it. Files appear whole (written
/// beside, then renamed), so several processes may share a folder. When there is more than the options allow,
/// what was not used for longest goes. Other files in the folder are left alone.
///
/// The folder is made with mode 0700, below folders of the same user or of root: a program that root runs
/// with another's HOME leaves no folder there. Because its contents may be run, a folder or file that belongs
/// to somebody else or that others may write is refused: for a folder with one warning a process;
/// and a program that has more rights than its caller, whose files they may be, keeps nothing. Where nothing
/// can be written (no permission, a full disk) nothing is kept, silently.
///
/// Threads: safe.
/// Errors: only of a key (InvalidArgument): a cache that fails is a cache that is empty.
class DiskCache {
 public:
  static constexpr std::size_t kKeyLength = 64;  ///< of hexadecimal digits in lower case

  explicit DiskCache(DiskCacheOptions options);

  /// What `put` kept under `key`, which counts as a use.
  std::optional<std::string> get(const std::string& key) const;
  void put(const std::string& key, std::string_view bytes) const;

  struct Contents {
    std::uint64_t num_entries = 0;
    std::uint64_t size_bytes = 0;  ///< of the files
  };
  Contents contents() const;
  /// Removes all entries; returns what there was.
  Contents clear() const;

  /// Absolute; empty when nothing is kept.
  const std::string& folder() const { return options_.folder; }

 private:
  DiskCacheOptions options_;
};

}  // namespace cornu::inline v0
