#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "cornu/backends/pjrt/buffer.h"
#include "cornu/backends/pjrt/compile.h"

namespace cornu::inline v0::backends::pjrt {

/// Gathers the rows of launches from data on the device, by programs of its own: what a launch is compiled
/// for does not depend on how many rows there are.
/// Threads: safe.
class RowGather {
 public:
  RowGather(std::shared_ptr<Connection> connection, std::shared_ptr<const ExecutableCache> cache);

  /// A slab of each of `data` ([rows, ...]), begun behind what the device was told before: row i of a slab,
  /// whose first two extents are counted as one, is row indices[i] of the data. `indices` is an i64 buffer
  /// of the device, with an entry a row of a slab; each names a row.
  /// Errors: the plug-in's.
  std::vector<OwnedBuffer> gather(int device, std::span<const DeviceBuffer* const> data, PJRT_Buffer* indices,
                                  std::span<const ir::TensorType> slabs);

 private:
  const CompiledProgram& program_for(int device, std::span<const DeviceBuffer* const> data,
                                     std::span<const ir::TensorType> slabs);

  std::shared_ptr<Connection> connection_;
  std::shared_ptr<const ExecutableCache> cache_;
  std::mutex mutex_;
  std::unordered_map<std::string, CompiledProgram> programs_;  // by device and types
};

}  // namespace cornu::inline v0::backends::pjrt
