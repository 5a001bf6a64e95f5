#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cornu/base/disk_cache.h"

namespace cornu::inline v0::backends::pjrt {

/// Compiled programs on disk, each with all that it depends on: what is found was made for exactly that.
/// Threads: safe.
class ExecutableCache {
 public:
  /// `folder` empty: nothing is kept.
  explicit ExecutableCache(const std::string& folder);

  bool is_on() const { return !cache_.folder().empty(); }
  /// What was kept for this program by this identity (the text, the options, the plug-in and its version).
  std::optional<std::string> get(std::string_view identity) const;
  void put(std::string_view identity, std::string_view executable) const;

 private:
  DiskCache cache_;
};

}  // namespace cornu::inline v0::backends::pjrt
