#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cornu/base/string_argument.h"

namespace cornu::inline v0::io {

/// Bytes that are read a part at a time: a file, a part of one, memory.
///
/// A file that becomes shorter or fails while it is read is an error, never a signal: it is not mapped.
/// Threads: safe.
class RandomAccess {
 public:
  RandomAccess() = default;
  virtual ~RandomAccess() = default;
  RandomAccess(const RandomAccess&) = delete;
  RandomAccess& operator=(const RandomAccess&) = delete;

  virtual std::uint64_t size() const = 0;
  /// What errors call it.
  virtual const std::string& name() const = 0;
  /// Errors: DataLoss when the part is not inside, or reading fails.
  void read(std::uint64_t offset, std::span<std::byte> destination) const;

 protected:
  virtual void read_inside(std::uint64_t offset, std::span<std::byte> destination) const = 0;
};
using RandomAccessPointer = std::shared_ptr<const RandomAccess>;

/// Errors: as read_file, but for its limit.
RandomAccessPointer open_random_access(const StringArgument& path);
/// Lifetime: of `bytes` the caller's.
RandomAccessPointer view_bytes(std::span<const std::byte> bytes, StringArgument name);
RandomAccessPointer keep_bytes(std::vector<std::byte> bytes, StringArgument name);
/// `size` bytes of `source` from `offset` on. Errors: DataLoss when they are not inside.
RandomAccessPointer part_of(RandomAccessPointer source, std::uint64_t offset, std::uint64_t size,
                            StringArgument name);

/// Takes bytes, one part behind the other: how writers write.
using ByteSink = std::function<void(std::span<const std::byte>)>;

}  // namespace cornu::inline v0::io
