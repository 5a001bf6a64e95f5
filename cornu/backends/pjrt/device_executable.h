#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cornu/backends/pjrt/connection.h"
#include "cornu/backends/pjrt/executable_cache.h"
#include "cornu/backends/pjrt/precision.h"
#include "cornu/backends/pjrt/row_gather.h"
#include "cornu/backends/stacked/stacked_executable.h"
#include "cornu/runtime/collective.h"

namespace cornu::inline v0::backends::pjrt {

/// Executables of plug-ins: steps as loops over stacked batches, as StableHLO text. A program of several
/// devices runs on all of them together and synchronizes at its collectives. A program of one device is
/// independent of other nodes.
class DeviceExecutable final : public stacked::StackedExecutable {
 public:
  /// Launches and compilations are recorded on `client`; `precision` is the client's setting.
  DeviceExecutable(const runtime::StepProgram& program, runtime::Client& client,
                   std::shared_ptr<Connection> connection, std::shared_ptr<const ExecutableCache> cache,
                   std::shared_ptr<RowGather> row_gather, runtime::Precision precision);

  runtime::Submission execute(const runtime::Execution& execution) override;
  void prepare(std::int64_t num_steps) override;

 protected:
  std::unique_ptr<stacked::LoopProgram> compile_loop(const transform::StepLoop& loop) const override;
  bool gathers_rows() const override { return true; }

 private:
  runtime::Client& client_;
  std::shared_ptr<Connection> connection_;
  std::shared_ptr<const ExecutableCache> cache_;
  std::shared_ptr<RowGather> row_gather_;
  /// Checks that all processes are about to run the same; false if one of them requests to stop.
  bool all_go_on(std::int64_t num_steps, bool stop) const;
  /// Notifies other processes, which may wait for this one, of a failure, unless it occurs on all.
  void notify_others(const Error& error) const;

  runtime::Precision precision_;
  std::vector<int> devices_;
  /// The processes that agree on each execution, if the program spans nodes.
  std::shared_ptr<runtime::Collective> processes_;
  std::string name_;
  std::uint64_t fingerprint_ = 0;
};

}  // namespace cornu::inline v0::backends::pjrt
