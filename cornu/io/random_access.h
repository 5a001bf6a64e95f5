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

/// Bytes with random access: a file, a part of one, memory.
///
/// A file is not mapped into memory, so one that becomes shorter or fails during a read is an error, never a
/// signal.
/// Threads: safe.
class RandomAccess {
 public:
  RandomAccess() = default;
  virtual ~RandomAccess() = default;
  RandomAccess(const RandomAccess&) = delete;
  RandomAccess& operator=(const RandomAccess&) = delete;

  virtual std::uint64_t size() const = 0;
  /// The source's name in errors.
  virtual const std::string& name() const = 0;
  /// Errors: DataLoss if the part is out of range, or reading fails.
  void read(std::uint64_t offset, std::span<std::byte> destination) const;

 protected:
  virtual void read_inside(std::uint64_t offset, std::span<std::byte> destination) const = 0;
};
using RandomAccessPointer = std::shared_ptr<const RandomAccess>;

/// Errors: those of read_file, except its limit.
RandomAccessPointer open_random_access(const StringArgument& path);
/// Lifetime: the caller keeps `bytes` alive.
RandomAccessPointer view_bytes(std::span<const std::byte> bytes, StringArgument name);
RandomAccessPointer keep_bytes(std::vector<std::byte> bytes, StringArgument name);
/// The `size` bytes of `source` from `offset` on. Errors: DataLoss if they are out of range.
RandomAccessPointer part_of(RandomAccessPointer source, std::uint64_t offset, std::uint64_t size,
                            StringArgument name);

/// Receives bytes sequentially from a writer.
using ByteSink = std::function<void(std::span<const std::byte>)>;

}  // namespace cornu::inline v0::io
