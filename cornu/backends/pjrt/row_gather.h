#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "cornu/backends/pjrt/buffer.h"
#include "cornu/backends/pjrt/compile.h"

namespace cornu::inline v0::backends::pjrt {

/// Gathers the rows of launches from data on the device, by separate programs: the program of a launch does
/// not depend on the number of data rows.
/// Threads: safe; programs are compiled one after another.
class RowGather {
 public:
  using Program = std::shared_ptr<const CompiledProgram>;

  RowGather(std::shared_ptr<Connection> connection, std::shared_ptr<const ExecutableCache> cache);

  /// Returns the cached gather program, which makes a stack of each of `data` ([rows, ...]); compiles it on a
  /// miss and records the compile on `client`. The cache keeps the most recently used programs.
  /// Errors: the plug-in's.
  Program program_for(runtime::Client& client, int device, std::span<const DeviceBuffer* const> data,
                      std::span<const ir::TensorType> stacks);

  /// Makes the stacks, asynchronously after the device's earlier work. Row i of a stack, whose first two
  /// extents are counted as one, is row indices[i] of the data. `indices` is an i64 buffer of the device with
  /// a valid row number for each row of a stack. The program must live until the stacks are complete.
  /// Errors: the plug-in's.
  std::vector<OwnedBuffer> gather(const CompiledProgram& program, std::span<const DeviceBuffer* const> data,
                                  PJRT_Buffer* indices) const;

 private:
  /// Limit of the cache: each size of data set adds programs.
  static constexpr std::size_t kMostPrograms = 64;
  struct Entry {
    std::string key;  // from device and types
    Program program;
  };

  std::shared_ptr<Connection> connection_;
  std::shared_ptr<const ExecutableCache> cache_;
  std::mutex mutex_;
  std::vector<Entry> entries_;  // the most recently used one last
};

}  // namespace cornu::inline v0::backends::pjrt
