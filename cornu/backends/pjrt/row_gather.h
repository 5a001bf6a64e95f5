#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "cornu/backends/pjrt/buffer.h"
#include "cornu/backends/pjrt/compile.h"

namespace cornu::inline v0::backends::pjrt {

/// Gathers the rows of launches from data on the device, by programs of its own: what a launch is compiled
/// for does not depend on how many rows there are.
/// Threads: safe; programs are compiled one after the other.
class RowGather {
 public:
  using Program = std::shared_ptr<const CompiledProgram>;

  RowGather(std::shared_ptr<Connection> connection, std::shared_ptr<const ExecutableCache> cache);

  /// The program that makes a slab of each of `data` ([rows, ...]), compiled if it is not there, which
  /// `client` is told. Those that were used last are kept.
  /// Errors: the plug-in's.
  Program program_for(runtime::Client& client, int device, std::span<const DeviceBuffer* const> data,
                      std::span<const ir::TensorType> slabs);

  /// The slabs, begun behind what the device was told before: row i of a slab, whose first two extents are
  /// counted as one, is row indices[i] of the data. `indices` is an i64 buffer of the device, with an entry a
  /// row of a slab; each names a row. The program must stay until the slabs are there.
  /// Errors: the plug-in's.
  std::vector<OwnedBuffer> gather(const CompiledProgram& program, std::span<const DeviceBuffer* const> data,
                                  PJRT_Buffer* indices) const;

 private:
  /// Fits on data sets of other sizes leave programs behind.
  static constexpr std::size_t kMostPrograms = 64;
  struct Entry {
    std::string key;  // device and types
    Program program;
  };

  std::shared_ptr<Connection> connection_;
  std::shared_ptr<const ExecutableCache> cache_;
  std::mutex mutex_;
  std::vector<Entry> entries_;  // the one that was used last at the end
};

}  // namespace cornu::inline v0::backends::pjrt
