#include "cornu/backends/pjrt/device_executable.h"

#include <algorithm>
#include <functional>
#include <mutex>
#include <utility>

#include "cornu/backends/pjrt/compile.h"
#include "cornu/backends/pjrt/launch.h"
#include "cornu/backends/pjrt/program_text.h"
#include "cornu/ir/print.h"
#include "cornu/transform/replicate.h"

namespace cornu::inline v0::backends::pjrt {
namespace {

/// The devices of a program on this node, and whether the program spans all nodes.
struct Devices {
  std::vector<int> here;
  bool spans_nodes = false;
};

/// A StepLoop compiled by a plug-in.
class DeviceLoop final : public stacked::LoopProgram {
 public:
  DeviceLoop(const transform::StepLoop& loop, runtime::Client& client, std::shared_ptr<Connection> connection,
             std::shared_ptr<RowGather> row_gather, Devices devices, const ExecutableCache& cache,
             runtime::Precision precision)
      : client_(client),
        connection_(std::move(connection)),
        row_gather_(std::move(row_gather)),
        devices_(std::move(devices.here)),
        spans_nodes_(devices.spans_nodes),
        name_(loop.name) {
    ProgramText program = program_text(loop, precision, client_.devices()[0].type);
    text_ = std::move(program.text);
    stack_types_ = std::move(program.stack_types);
    output_types_ = std::move(program.output_types);
    num_state_ = loop.num_state;
    for (const ir::TensorType& type : output_types_)
      step_bytes_.push_back(type.size_bytes() / static_cast<std::size_t>(loop.max_steps));
    for (const ir::TensorType& type : stack_types_) stack_bytes_ += type.size_bytes();
    compiled_ = compile_or_locate(loop, cache, precision);
    stats_.compile_seconds = stats_.code_seconds = compiled_.seconds;
    stats_.from_cache = compiled_.from_cache;
    stats_.flops = compiled_.costs.flops;
    stats_.arena_bytes = static_cast<std::size_t>(compiled_.costs.temporary_bytes);
    stats_.state_bytes = program.state_bytes;
    client_.note(&runtime::TransferStatistics::compiles,
                 {.calls = 1, .items = 1, .seconds = compiled_.seconds});
  }

  runtime::Event launch(const stacked::LoopLaunch& launch) override { return launch_together({&launch, 1}); }

  runtime::Event launch_together(std::span<const stacked::LoopLaunch> launches) override {
    const std::vector<RowGather::Program> gathers = gathers_of(launches);
    const double start = client_.now();
    std::vector<std::shared_ptr<Launch>> running;
    running.reserve(devices_.size());
    for (std::size_t i = 0; i < devices_.size(); ++i) {
      running.push_back(std::make_shared<Launch>(connection_, name_, devices_[i], spans_nodes_));
      running.back()->keep(gathers[i]);
    }
    std::vector<std::vector<OwnedBuffer>> results = execute(launches, gathers, running);
    std::int64_t bytes_to_device = 0, bytes_to_host = 0;
    for (const stacked::LoopLaunch& launch : launches)
      bytes_to_device += static_cast<std::int64_t>(
          launch.row_indices == nullptr ? stack_bytes_ : row_indices_type().size_bytes());
    for (std::size_t i = 0; i < launches.size(); ++i)
      bytes_to_host += take_results(launches[i], std::move(results[i]), *running[i]);
    client_.note(&runtime::TransferStatistics::executions, {.calls = 1,
                                                            .items = launches.front().num_steps,
                                                            .bytes = bytes_to_device + bytes_to_host,
                                                            .seconds = client_.now() - start});
    return event_of(std::move(running));
  }

  const runtime::CompileStats& stats() const override { return stats_; }

  std::string explain(const runtime::Profiler*) const override {
    return fmt::format("compiled by plug-in \"{}\" ({}, {}) in {:.0f} ms{}\n{}", connection_->plugin().name(),
                       connection_->plugin().versions(),
                       connection_->devices()[static_cast<std::size_t>(devices_.front())].kind,
                       1e3 * compiled_.seconds, compiled_.from_cache ? ", from the cache" : "",
                       costs_text(compiled_.costs));
  }

  std::string dump(const std::string& stage) const override {
    if (stage == "stablehlo") return text_;
    invalid_argument("[pjrt] there is no stage \"{}\"; there is: stablehlo", stage);
  }

 private:
  /// Compiles with errors that name the layer: if the text is rejected, it is compiled again with locations,
  /// which the normal text omits.
  CompiledProgram compile_or_locate(const transform::StepLoop& loop, const ExecutableCache& cache,
                                    runtime::Precision precision) const {
    CompileOptions options;
    if (spans_nodes_)
      options.devices = connection_->ids_on_all_nodes(devices_);
    else
      for (const int device : devices_) options.devices.push_back(connection_->device_id(device));
    // Processes that compile the same program may share the work, and wait for each other, so all must
    // compile it.
    const ExecutableCache none("");
    try {
      return compile(*connection_, name_, text_, options, spans_nodes_ ? none : cache);
    } catch (const Error& error) {
      throw error.with({.layer = layer_of_refusal(loop, options, precision)});
    }
  }

  std::string layer_of_refusal(const transform::StepLoop& loop, const CompileOptions& options,
                               runtime::Precision precision) const {
    try {
      compile(*connection_, name_, located_program_text(loop, precision), options, ExecutableCache(""));
    } catch (const Error& error) {
      return layer_in(error.message());
    }
    return "";
  }

  /// The type of row numbers for a device that gathers; stacks must exist.
  ir::TensorType row_indices_type() const {
    return {ir::DType::kI64, {stack_types_[0].dims[0] * stack_types_[0].dims[1]}};
  }

  static std::vector<const DeviceBuffer*> data_of(const stacked::LoopLaunch& launch) {
    std::vector<const DeviceBuffer*> data;
    data.reserve(launch.row_buffers.size());
    for (const runtime::Buffer* const buffer : launch.row_buffers) data.push_back(&device_buffer(*buffer));
    return data;
  }

  /// For each launch the program that gathers its rows; null if the host has gathered them.
  std::vector<RowGather::Program> gathers_of(std::span<const stacked::LoopLaunch> launches) const {
    std::vector<RowGather::Program> gathers(launches.size());
    for (std::size_t i = 0; i < launches.size(); ++i)
      if (launches[i].row_indices != nullptr)
        gathers[i] = row_gather_->program_for(client_, devices_[i], data_of(launches[i]), stack_types_);
    return gathers;
  }

  /// Adds the stacks, gathered by the host or by the device.
  void add_stacks(const stacked::LoopLaunch& launch, const CompiledProgram* gather, Launch& running,
                  std::vector<PJRT_Buffer*>& values) const {
    if (gather == nullptr) {
      for (std::size_t i = 0; i < stack_types_.size(); ++i)
        values.push_back(running.borrow(stack_types_[i], launch.stacks[i]));
      return;
    }
    PJRT_Buffer* const indices =
        running.borrow(row_indices_type(), reinterpret_cast<const std::byte*>(launch.row_indices));
    for (OwnedBuffer& stack : row_gather_->gather(*gather, data_of(launch), indices))
      values.push_back(running.keep(std::move(stack)));
  }

  std::vector<PJRT_Buffer*> arguments_of(const stacked::LoopLaunch& launch, const CompiledProgram* gather,
                                         Launch& running) const {
    std::vector<PJRT_Buffer*> values;
    values.reserve(launch.state.size() + launch.fixed.size() + stack_types_.size() + 2);
    for (const runtime::Buffer* buffer : launch.state) values.push_back(device_buffer(*buffer).value());
    for (const runtime::Buffer* buffer : launch.fixed) values.push_back(device_buffer(*buffer).value());
    add_stacks(launch, gather, running, values);
    values.push_back(running.scalar(static_cast<std::int32_t>(launch.num_steps)));
    values.push_back(running.scalar(static_cast<std::int32_t>(launch.num_rows)));
    return values;
  }

  /// Begins a launch on all devices; returns the results of each.
  std::vector<std::vector<OwnedBuffer>> execute(std::span<const stacked::LoopLaunch> launches,
                                                std::span<const RowGather::Program> gathers,
                                                std::span<const std::shared_ptr<Launch>> running) {
    const std::size_t num_devices = launches.size();
    std::vector<std::vector<PJRT_Buffer*>> values(num_devices), results(num_devices);
    std::vector<PJRT_Buffer* const*> argument_lists;
    std::vector<PJRT_Buffer**> result_lists;
    std::vector<PJRT_Event*> complete(num_devices);
    for (std::size_t i = 0; i < num_devices; ++i) {
      with_name([&] { values[i] = arguments_of(launches[i], gathers[i].get(), *running[i]); });
      results[i].resize(num_state_ + output_types_.size());
      argument_lists.push_back(values[i].data());
      result_lists.push_back(results[i].data());
    }
    CallArguments<PJRT_ExecuteOptions> options;
    CallArguments<PJRT_LoadedExecutable_Execute_Args> arguments;
    arguments->executable = compiled_.executable.get();
    arguments->options = options.get();
    arguments->argument_lists = argument_lists.data();
    arguments->num_devices = num_devices;
    arguments->num_args = values.front().size();
    arguments->output_lists = result_lists.data();
    arguments->device_complete_events = complete.data();
    submit(arguments);
    std::vector<std::vector<OwnedBuffer>> owned(num_devices);
    for (std::size_t i = 0; i < num_devices; ++i) {
      running[i]->set_complete(OwnedEvent(connection_->plugin(), complete[i]));
      for (PJRT_Buffer* const result : results[i]) owned[i].emplace_back(connection_->plugin(), result);
    }
    return owned;
  }

  /// Devices that run programs together must receive them in the same order, or they deadlock.
  void submit(CallArguments<PJRT_LoadedExecutable_Execute_Args>& arguments) {
    std::unique_lock<std::mutex> order;
    if (devices_.size() > 1 || spans_nodes_) order = std::unique_lock(connection_->order());
    with_name([&] {
      connection_->plugin().call(&PJRT_Api::PJRT_LoadedExecutable_Execute, arguments, "run a program");
    });
  }

  /// Runs `work`; its errors include the program and the available memory.
  template <typename F>
  void with_name(const F& work) const {
    try {
      work();
    } catch (const Error& error) {
      throw error.with(
          {.notes = fmt::format("in program \"{}\"{}", name_, connection_->memory_use(devices_.front()))});
    }
  }

  /// Takes the results; returns the bytes sent to the host.
  std::int64_t take_results(const stacked::LoopLaunch& launch, std::vector<OwnedBuffer> results,
                            Launch& running) const {
    std::int64_t bytes_to_host = 0;
    for (std::size_t i = 0; i < num_state_; ++i)
      device_buffer(*launch.state[i]).set_value(std::move(results[i]));
    for (std::size_t i = 0; i < output_types_.size(); ++i) {
      const OutputPlace place = place_of(launch, i);
      if (place.host != nullptr) bytes_to_host += static_cast<std::int64_t>(place.type.size_bytes());
      running.take_output(std::move(results[num_state_ + i]), place);
    }
    return bytes_to_host;
  }

  OutputPlace place_of(const stacked::LoopLaunch& launch, std::size_t i) const {
    OutputPlace place{.type = output_types_[i]};
    if (launch.output_buffers.empty()) {
      place.host = launch.outputs[i];
    } else {
      place.buffer = &device_buffer(*launch.output_buffers[i]);
      place.begin_bytes = static_cast<std::size_t>(launch.first_output_step) * step_bytes_[i];
      place.size_bytes = static_cast<std::size_t>(launch.num_steps) * step_bytes_[i];
    }
    return place;
  }

  runtime::Client& client_;
  std::shared_ptr<Connection> connection_;
  std::shared_ptr<RowGather> row_gather_;
  std::vector<int> devices_;
  bool spans_nodes_;
  std::string name_;
  std::string text_;
  std::size_t num_state_ = 0;
  std::vector<ir::TensorType> stack_types_, output_types_;
  std::vector<std::size_t> step_bytes_;  // for each output
  std::size_t stack_bytes_ = 0;
  CompiledProgram compiled_;
  runtime::CompileStats stats_;
};

bool has_collectives(const ir::Function& step) {
  const auto& ops = step.body.ops();
  return std::any_of(ops.begin(), ops.end(), [](const auto& op) { return transform::is_collective(*op); });
}

}  // namespace

// Replicas that wait for missing others block for ever, or abort the process. So the collectives are checked
// for this number of replicas before a plug-in gets the program.
DeviceExecutable::DeviceExecutable(const runtime::StepProgram& program, runtime::Client& client,
                                   std::shared_ptr<Connection> connection,
                                   std::shared_ptr<const ExecutableCache> cache,
                                   std::shared_ptr<RowGather> row_gather, runtime::Precision precision)
    : StackedExecutable(program, client, {.max_replicas = client.devices().size()}),
      client_(client),
      connection_(std::move(connection)),
      cache_(std::move(cache)),
      row_gather_(std::move(row_gather)),
      precision_(precision_of(program, precision)),
      devices_(program.devices.empty() ? std::vector<int>{0} : program.devices) {
  if (!has_collectives(*program.step)) return;
  const bool spans_nodes = program.spans_nodes && connection_->node().count > 1;
  const std::size_t num_nodes = spans_nodes ? static_cast<std::size_t>(connection_->node().count) : 1;
  transform::replicate(*program.step, static_cast<std::int64_t>(devices_.size() * num_nodes));
  if (!spans_nodes) return;
  processes_ = runtime::joined_processes();
  if (processes_ == nullptr || processes_->size() != connection_->node().count)
    fail(ErrorCode::kFailedPrecondition, "[pjrt] \"{}\" is for {} processes together, and {} here",
         program.name, connection_->node().count,
         processes_ == nullptr ? std::string("one runs") : fmt::format("{} run", processes_->size()));
  name_ = program.name;
  fingerprint_ = std::hash<std::string>()(ir::to_stablehlo(*program.step));
}

std::unique_ptr<stacked::LoopProgram> DeviceExecutable::compile_loop(const transform::StepLoop& loop) const {
  try {
    return std::make_unique<DeviceLoop>(loop, client_, connection_, row_gather_,
                                        Devices{devices_, processes_ != nullptr}, *cache_, precision_);
  } catch (const Error& error) {
    notify_others(error);
    throw;
  }
}

void DeviceExecutable::prepare(std::int64_t num_steps) {
  if (processes_ != nullptr) all_go_on(num_steps, false);
  StackedExecutable::prepare(num_steps);
}

// A device that runs another program than those of other processes, or more steps, blocks for ever. For the
// same reason no process stops between two launches.
runtime::Submission DeviceExecutable::execute(const runtime::Execution& execution) {
  if (processes_ == nullptr) return StackedExecutable::execute(execution);
  runtime::Progress* const progress = execution.progress;
  if (!all_go_on(execution.num_steps, progress != nullptr && progress->is_stopping())) {
    if (progress != nullptr) progress->stop.store(true);
    return {};
  }
  runtime::Progress to_the_end;
  const auto report = [&] {
    if (progress != nullptr) progress->steps_done.store(to_the_end.steps_done.load());
  };
  try {
    connection_->require_company();
    const runtime::Submission submission = StackedExecutable::execute(
        {.replicas = execution.replicas, .num_steps = execution.num_steps, .progress = &to_the_end});
    submission.done.wait();
    report();
    return {.done = {}, .num_steps = submission.num_steps};
  } catch (const Error& error) {
    report();
    notify_others(error);
    throw;
  }
}

bool DeviceExecutable::all_go_on(std::int64_t num_steps, bool stop) const {
  const bool someone_stops = processes_->agree(
      {.program = name_, .fingerprint = fingerprint_, .num_steps = num_steps, .stop = stop});
  connection_->go_on();
  return !someone_stops;
}

void DeviceExecutable::notify_others(const Error& error) const {
  if (processes_ != nullptr && error.code() != ErrorCode::kInvalidArgument)
    connection_->give_up(error.what());
}

}  // namespace cornu::inline v0::backends::pjrt
