#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "cornu/base/string_argument.h"

namespace cornu::inline v0::io {

/// A member of a tar archive.
struct TarMember {
  enum class Kind { kFile, kFolder, kOther };  // other: links and devices
  std::string path;                            // as the archive has it: it may be absolute or have ".."
  Kind kind = Kind::kFile;
  std::span<const std::byte> content = {};  // a view of the archive
};

/// True if the bytes begin as a tar archive (POSIX or GNU).
bool is_tar(std::span<const std::byte> bytes);

/// Calls `visit` with each member of a tar archive in memory, in order. Long paths of GNU tar and POSIX's
/// extended headers are understood; other records are skipped.
/// Errors: DataLoss, with the name and the offset, for a damaged or truncated archive.
void read_tar(std::span<const std::byte> bytes, StringViewArgument name,
              const std::function<void(const TarMember& member)>& visit);

}  // namespace cornu::inline v0::io
