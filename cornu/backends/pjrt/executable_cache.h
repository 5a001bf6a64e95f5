#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cornu/base/disk_cache.h"

namespace cornu::inline v0::backends::pjrt {

/// Compiled programs on disk, with keys that include everything that they depend on.
/// Threads: safe.
class ExecutableCache {
 public:
  /// `folder` empty: caching is off.
  explicit ExecutableCache(const std::string& folder);

  bool is_on() const { return !cache_.folder().empty(); }
  /// The cached program with this identity (the text, the options, the plug-in and its version).
  std::optional<std::string> get(std::string_view identity) const;
  void put(std::string_view identity, std::string_view executable) const;

 private:
  DiskCache cache_;
};

}  // namespace cornu::inline v0::backends::pjrt
