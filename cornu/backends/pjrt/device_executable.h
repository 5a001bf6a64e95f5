#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cornu/backends/pjrt/connection.h"
#include "cornu/backends/pjrt/executable_cache.h"
#include "cornu/backends/pjrt/precision.h"
#include "cornu/backends/pjrt/row_gather.h"
#include "cornu/backends/slabs/slab_executable.h"
#include "cornu/runtime/processes.h"

namespace cornu::inline v0::backends::pjrt {

/// The executables of plug-ins: steps as loops over slabs, as StableHLO text. Programs of several devices run
/// on all of them together and meet at their collectives. Those that have none need nobody of other nodes.
class DeviceExecutable final : public slabs::SlabExecutable {
 public:
  /// `client` is told of launches and compilations; `precision` is what it was told itself.
  DeviceExecutable(const runtime::StepProgram& program, runtime::Client& client,
                   std::shared_ptr<Connection> connection, std::shared_ptr<const ExecutableCache> cache,
                   std::shared_ptr<RowGather> row_gather, runtime::Precision precision);

  runtime::Submission execute(const runtime::Execution& execution) override;
  void prepare(std::int64_t num_steps) override;

 protected:
  std::unique_ptr<slabs::LoopProgram> compile_loop(const transform::StepLoop& loop) const override;
  bool gathers_rows() const override { return true; }

 private:
  runtime::Client& client_;
  std::shared_ptr<Connection> connection_;
  std::shared_ptr<const ExecutableCache> cache_;
  std::shared_ptr<RowGather> row_gather_;
  /// Whether processes are about to do the same; false: one of them wants to stop.
  bool all_go_on(std::int64_t num_steps, bool stop) const;
  /// Others may wait for what has failed here, unless it fails everywhere.
  void tell_others(const Error& error) const;

  runtime::Precision precision_;
  std::vector<int> devices_;
  /// Where it meets other nodes: they agree on each execution.
  std::shared_ptr<runtime::Processes> processes_;
  std::string name_;
  std::uint64_t fingerprint_ = 0;
};

}  // namespace cornu::inline v0::backends::pjrt
