#pragma once

#include <cstdint>
#include <memory>

#include "cornu/backends/sim/device.h"
#include "cornu/backends/stacked/stacked_executable.h"
#include "cornu/runtime/async_executable.h"

namespace cornu::inline v0::backends::sim {

/// A tensor in the device's memory: a buffer of the CPU engine whose address is hidden from the host.
class SimulatedBuffer final : public runtime::Buffer {
 public:
  SimulatedBuffer(const ir::TensorType& type, runtime::Client* client, int place,
                  std::shared_ptr<Device> device);
  ~SimulatedBuffer() override;
  SimulatedBuffer(const SimulatedBuffer&) = delete;
  SimulatedBuffer& operator=(const SimulatedBuffer&) = delete;

  runtime::Buffer& memory() const { return *memory_; }

 private:
  std::shared_ptr<Device> device_;
  std::unique_ptr<runtime::Buffer> memory_;
};

/// The executables of simulated devices. Its AsyncExecutable is for devices that keep rows and whose calls
/// overlap: a run submits executions to them as to a worker.
class SimulatedExecutable final : public stacked::StackedExecutable, public runtime::AsyncExecutable {
 public:
  /// Launches and compilations are recorded on `client`.
  SimulatedExecutable(const runtime::StepProgram& program, runtime::Client& client,
                      std::shared_ptr<Device> device);
  std::string explain(const runtime::Profiler* measured) const override;
  bool is_short(std::int64_t num_steps) const override;
  runtime::Submission submit(const runtime::Execution& execution) override;

 protected:
  std::unique_ptr<stacked::LoopProgram> compile_loop(const transform::StepLoop& loop) const override;
  const std::byte* device_memory(const runtime::Buffer& buffer) const override;

 private:
  runtime::Client& client_;
  std::shared_ptr<Device> device_;
  runtime::ReplicaWork work_;
};

}  // namespace cornu::inline v0::backends::sim
