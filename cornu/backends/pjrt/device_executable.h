#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cornu/backends/pjrt/connection.h"
#include "cornu/backends/pjrt/executable_cache.h"
#include "cornu/backends/pjrt/precision.h"
#include "cornu/backends/slabs/slab_executable.h"

namespace cornu::inline v0::backends::pjrt {

/// The executables of plug-ins: steps as loops over slabs, as StableHLO text. Programs of several devices run
/// on all of them together and meet at their collectives.
class DeviceExecutable final : public slabs::SlabExecutable {
 public:
  /// `client` is told of launches and compilations; `precision` is what it was told itself.
  DeviceExecutable(const runtime::StepProgram& program, runtime::Client& client,
                   std::shared_ptr<Connection> connection, std::shared_ptr<const ExecutableCache> cache,
                   runtime::Precision precision);

 protected:
  std::unique_ptr<slabs::LoopProgram> compile_loop(const transform::StepLoop& loop) const override;
  const std::byte* device_memory(const runtime::Buffer& buffer) const override;

 private:
  runtime::Client& client_;
  std::shared_ptr<Connection> connection_;
  std::shared_ptr<const ExecutableCache> cache_;
  runtime::Precision precision_;
  std::vector<int> devices_;
};

}  // namespace cornu::inline v0::backends::pjrt
