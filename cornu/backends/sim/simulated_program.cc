#include "cornu/backends/sim/simulated_program.h"

#include <cstring>
#include <utility>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/runtime/host_view.h"
#include "cornu/runtime/profiler.h"

namespace cornu::inline v0::backends::sim {
namespace {

/// Fills unwritten memory: a value that programs would not produce.
constexpr int kUnwrittenByte = 0xcd;

runtime::Buffer& memory_of(const runtime::Buffer& buffer) {
  return static_cast<const SimulatedBuffer&>(buffer).memory();
}

stacked::LaunchLimits limits_of(const Profile& profile) {
  return {.max_steps = static_cast<std::int64_t>(profile.max_steps_per_launch),
          .max_bytes = static_cast<std::size_t>(profile.max_launch_bytes)};
}

/// A StepLoop run by the CPU engine.
class SimulatedLoop final : public stacked::LoopProgram {
 public:
  SimulatedLoop(const transform::StepLoop& loop, const runtime::ReplicaWork& work, runtime::Client& client,
                std::shared_ptr<Device> device)
      : client_(client), device_(std::move(device)), max_steps_(loop.max_steps), work_(work) {
    const std::span<const ir::Value> arguments = loop.function->body.arguments(),
                                     results = loop.function->body.results();
    for (std::size_t i = loop.num_state + loop.num_fixed; i < arguments.size(); ++i) {
      host_types_.push_back(arguments[i].type());
      argument_bytes_ += arguments[i].type().size_bytes();
    }
    for (std::size_t i = 0; i < loop.num_state; ++i) state_bytes_ += arguments[i].type().size_bytes();
    for (std::size_t i = loop.num_state; i < results.size(); ++i)
      output_bytes_.push_back(results[i].type().size_bytes());
    const double start = client_.now();
    device_->check_is_there();
    device_->compile([&] { program_ = device_->engine().compile(loop.program()); });
    client_.note(&runtime::TransferStatistics::compiles,
                 {.calls = 1, .items = 1, .seconds = client_.now() - start});
  }

  runtime::Event launch(const stacked::LoopLaunch& launch) override {
    stacked::HostMemoryBlock scratch;
    const std::vector<std::byte*> outputs =
        launch.output_buffers.empty() ? std::vector<std::byte*>(launch.outputs.begin(), launch.outputs.end())
                                      : addresses_in(scratch);
    const bool sends_stacks = !launch.stacks_are_on_device;
    std::size_t bytes_to_device = 2 * sizeof(std::int32_t), bytes_to_host = 0;
    if (sends_stacks) bytes_to_device = argument_bytes_;
    if (launch.output_buffers.empty())
      for (const std::size_t bytes : output_bytes_) bytes_to_host += bytes;
    const Launch priced{.num_steps = launch.num_steps,
                        .flops_per_step = program_->stats().flops,
                        .convolution_flops_per_step = program_->stats().convolution_flops,
                        .sequence_flops_per_step = program_->stats().sequence_flops,
                        .replica_work = work_,
                        .state_bytes = state_bytes_,
                        .bytes_to_device = bytes_to_device,
                        .bytes_to_host = bytes_to_host,
                        .sends_rows = sends_stacks && !launch.stacks.empty(),
                        .begins_pass = !launch.stacks.empty() && device_->take_pass()};
    runtime::Event done = device_->launch(priced, [&] {
      if (device_->profile().computes_results())
        run(launch, outputs);
      else
        write_zeros(outputs);
      store_outputs(launch, outputs);
    });
    client_.note(&runtime::TransferStatistics::executions,
                 {.calls = 1,
                  .items = launch.num_steps,
                  .bytes = static_cast<std::int64_t>(bytes_to_device + bytes_to_host),
                  .seconds = seconds(device_->costs().launch(priced))});
    return done;
  }

  const runtime::CompileStats& stats() const override { return program_->stats(); }
  std::string explain(const runtime::Profiler* measured) const override {
    return program_->explain(measured);
  }
  std::string dump(const std::string& stage) const override { return program_->dump(stage); }

 private:
  std::vector<std::byte*> addresses_in(stacked::HostMemoryBlock& block) const {
    constexpr std::size_t kLine = 64;
    std::size_t total = 0;
    for (const std::size_t bytes : output_bytes_) total += (bytes + kLine - 1) / kLine * kLine;
    std::byte* next = block.reserve(total, "the outputs of a program");
    std::vector<std::byte*> addresses;
    for (const std::size_t bytes : output_bytes_) {
      addresses.push_back(next);
      next += (bytes + kLine - 1) / kLine * kLine;
    }
    return addresses;
  }

  void write_zeros(std::span<std::byte* const> outputs) const {
    for (std::size_t i = 0; i < outputs.size(); ++i)
      if (output_bytes_[i] > 0) std::memset(outputs[i], 0, output_bytes_[i]);
  }

  void run(const stacked::LoopLaunch& launch, std::span<std::byte* const> outputs) const {
    std::vector<runtime::Buffer*> state, fixed;
    for (runtime::Buffer* buffer : launch.state) state.push_back(&memory_of(*buffer));
    for (runtime::Buffer* buffer : launch.fixed) fixed.push_back(&memory_of(*buffer));
    const std::int32_t counts[] = {static_cast<std::int32_t>(launch.num_steps),
                                   static_cast<std::int32_t>(launch.num_rows)};
    std::vector<runtime::HostView> views;
    views.reserve(host_types_.size());
    for (std::size_t i = 0; i < host_types_.size(); ++i) {
      views.emplace_back(host_types_[i]);
      views.back().look_at(i < launch.stacks.size()
                               ? launch.stacks[i]
                               : reinterpret_cast<const std::byte*>(&counts[i - launch.stacks.size()]));
      fixed.push_back(&views.back());
    }
    const runtime::Profiler::LoopScope loop(launch.num_steps);
    program_->run({.state = state, .fixed = fixed, .outputs = outputs});
  }

  void store_outputs(const stacked::LoopLaunch& launch, std::span<std::byte* const> outputs) const {
    for (std::size_t i = 0; i < launch.output_buffers.size(); ++i) {
      const std::size_t step_bytes = output_bytes_[i] / static_cast<std::size_t>(max_steps_);
      std::byte* const to = memory_of(*launch.output_buffers[i]).writable_host_data();
      if (step_bytes > 0)
        std::memcpy(to + static_cast<std::size_t>(launch.first_output_step) * step_bytes, outputs[i],
                    static_cast<std::size_t>(launch.num_steps) * step_bytes);
    }
  }

  runtime::Client& client_;
  std::shared_ptr<Device> device_;
  std::int64_t max_steps_;
  runtime::ReplicaWork work_;
  std::vector<ir::TensorType> host_types_;  // types of stacks, number of steps, number of rows
  std::size_t argument_bytes_ = 0;          // their size
  std::size_t state_bytes_ = 0;
  std::vector<std::size_t> output_bytes_;
  std::unique_ptr<runtime::Executable> program_;
};

}  // namespace

SimulatedBuffer::SimulatedBuffer(const ir::TensorType& type, runtime::Client* client, int place,
                                 std::shared_ptr<Device> device)
    : Buffer(type, client, place), device_(std::move(device)) {
  device_->check_is_there();
  device_->take_memory(place, type.size_bytes(), type.str());
  try {
    memory_ = device_->engine().allocate(type);
  } catch (...) {
    device_->give_memory_back(place, type.size_bytes());
    throw;
  }
  if (type.size_bytes() > 0) std::memset(memory_->writable_host_data(), kUnwrittenByte, type.size_bytes());
}

SimulatedBuffer::~SimulatedBuffer() { device_->give_memory_back(device(), type().size_bytes()); }

SimulatedExecutable::SimulatedExecutable(const runtime::StepProgram& program, runtime::Client& client,
                                         std::shared_ptr<Device> device)
    : StackedExecutable(program, client, limits_of(device->profile())),
      client_(client),
      device_(std::move(device)),
      work_(program.replica_work) {
  if (std::cmp_greater(work_.num_replicas, client.devices().size()))
    invalid_argument("[{}] program \"{}\" has {} replicas; there are {} cores", client.platform(),
                     program.name, work_.num_replicas, client.devices().size());
}

std::unique_ptr<stacked::LoopProgram> SimulatedExecutable::compile_loop(
    const transform::StepLoop& loop) const {
  return std::make_unique<SimulatedLoop>(loop, work_, client_, device_);
}

const std::byte* SimulatedExecutable::device_memory(const runtime::Buffer& buffer) const {
  return memory_of(buffer).host_data();
}

bool SimulatedExecutable::is_short(std::int64_t num_steps) const {
  if (!device_->profile().has_overlapping_calls()) return false;
  const runtime::CompileStats& compiled = stats();
  const CallTimes times =
      device_->costs().launch_times({.num_steps = num_steps,
                                     .flops_per_step = compiled.flops,
                                     .convolution_flops_per_step = compiled.convolution_flops,
                                     .sequence_flops_per_step = compiled.sequence_flops,
                                     .replica_work = work_,
                                     .state_bytes = compiled.state_bytes});
  return seconds(times.work) <= kMostSeconds;
}

runtime::Submission SimulatedExecutable::submit(const runtime::Execution& execution) {
  return execute(execution);
}

std::string SimulatedExecutable::explain(const runtime::Profiler* measured) const {
  const std::string exchange =
      work_.num_replicas == 1
          ? std::string()
          : fmt::format(
                "{} cores, which send each other {:.0f} bytes in {:.0f} messages a step; that takes "
                "{:.1f} us, simulated, none of it beside other work\n",
                work_.num_replicas, work_.exchanged_bytes, work_.num_messages,
                device_->costs().exchange_seconds(work_) * 1e6);
  return exchange +
         fmt::format("simulated device \"{}\", {}; times below are the CPU's\n{}", device_->profile().name,
                     device_->profile().computes_results() ? "computed by the CPU engine"
                                                           : "which writes zeros and computes nothing",
                     StackedExecutable::explain(measured));
}

}  // namespace cornu::inline v0::backends::sim
