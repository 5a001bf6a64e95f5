#include "cornu/backends/pjrt/device_executable.h"

#include <utility>

#include "cornu/backends/pjrt/compile.h"
#include "cornu/backends/pjrt/launch.h"
#include "cornu/ir/print.h"
#include "cornu/ops/reshape/reshape.h"
#include "cornu/transform/rewrite.h"

namespace cornu::inline v0::backends::pjrt {
namespace {

/// What the plug-in gets for a loop: composites are replaced by what they stand for; results of a loop of one step
/// have the step's types, without an extent of 1 in front.
std::unique_ptr<ir::Function> device_function(const transform::StepLoop& loop) {
  std::unique_ptr<ir::Function> function = transform::inline_composites(*loop.function);
  if (loop.max_steps > 1) return function;
  ir::Builder b(function->body);
  std::vector<ir::Value> results(function->body.results().begin(), function->body.results().end());
  for (std::size_t i = loop.num_state; i < results.size(); ++i)
    results[i] = ops::reshape(b, results[i], {results[i].dims().begin() + 1, results[i].dims().end()});
  function->body.set_results(std::move(results));
  return function;
}

/// A StepLoop that a plug-in has compiled.
class DeviceLoop final : public slabs::LoopProgram {
 public:
  DeviceLoop(const transform::StepLoop& loop, runtime::Client& client, std::shared_ptr<Connection> connection,
             int device, const ExecutableCache& cache, Precision precision)
      : client_(client), connection_(std::move(connection)), device_(device), name_(loop.name) {
    const std::unique_ptr<ir::Function> function = device_function(loop);
    text_ = with_precision(ir::to_stablehlo(*function, loop.donations()), precision);
    for (std::size_t i = 0; i < loop.num_slabs; ++i)
      slab_types_.push_back(function->body.arguments()[loop.num_state + loop.num_fixed + i].type());
    num_state_ = loop.num_state;
    for (std::size_t i = num_state_; i < function->body.results().size(); ++i) {
      output_types_.push_back(function->body.results()[i].type());
      step_bytes_.push_back(output_types_.back().size_bytes() / static_cast<std::size_t>(loop.max_steps));
    }
    for (const ir::TensorType& type : slab_types_) slab_bytes_ += type.size_bytes();
    compiled_ = compile(*connection_, name_, text_, {.devices = {connection_->device_id(device)}}, cache);
    stats_.compile_seconds = stats_.code_seconds = compiled_.seconds;
    stats_.from_cache = compiled_.from_cache;
    stats_.flops = compiled_.costs.flops;
    stats_.arena_bytes = static_cast<std::size_t>(compiled_.costs.temporary_bytes);
    for (std::size_t i = 0; i < num_state_; ++i)
      stats_.state_bytes += function->body.arguments()[i].type().size_bytes();
    client_.note(&runtime::CallCounts::compiles, {.calls = 1, .items = 1, .seconds = compiled_.seconds});
  }

  runtime::Event launch(const slabs::LoopLaunch& launch) override {
    const double start = client_.now();
    auto running = std::make_shared<Launch>(connection_, name_, device_);
    std::vector<OwnedBuffer> results = execute(launch, *running);
    std::int64_t bytes_to_host = 0;
    for (std::size_t i = 0; i < num_state_; ++i)
      device_buffer(*launch.state[i]).set_value(std::move(results[i]));
    for (std::size_t i = 0; i < output_types_.size(); ++i) {
      const OutputPlace place = place_of(launch, i);
      if (place.host != nullptr) bytes_to_host += static_cast<std::int64_t>(place.type.size_bytes());
      running->take_output(std::move(results[num_state_ + i]), place);
    }
    const bool is_done = running->is_ready();
    if (is_done) running->wait();
    client_.note(&runtime::CallCounts::executions,
                 {.calls = 1,
                  .items = launch.num_steps,
                  .bytes = static_cast<std::int64_t>(slab_bytes_) + bytes_to_host,
                  .seconds = client_.now() - start});
    return is_done ? runtime::Event() : runtime::Event(std::move(running));
  }

  const runtime::CompileStats& stats() const override { return stats_; }

  std::string explain(const runtime::Profiler*) const override {
    const ProgramCosts& costs = compiled_.costs;
    return fmt::format(
        "compiled by plug-in \"{}\" ({}, {}) in {:.0f} ms{}\n"
        "by its own account: {:.0f} flops and {:.0f} bytes accessed (what is in the loop counted once)\n"
        "memory in bytes: arguments {}, outputs {} (of these {} in memory of donated arguments), temporary "
        "{}, code "
        "{}\n",
        connection_->plugin().name(), connection_->plugin().versions(),
        connection_->devices()[static_cast<std::size_t>(device_)].kind, 1e3 * compiled_.seconds,
        compiled_.from_cache ? ", from the cache" : "", costs.flops, costs.bytes_accessed,
        costs.argument_bytes, costs.output_bytes, costs.donated_bytes, costs.temporary_bytes,
        costs.code_bytes);
  }

  std::string dump(const std::string& stage) const override {
    if (stage == "stablehlo") return text_;
    invalid_argument("[pjrt] there is no stage \"{}\"; there are: loop, stablehlo", stage);
  }

 private:
  /// Begins; gives the results.
  std::vector<OwnedBuffer> execute(const slabs::LoopLaunch& launch, Launch& running) {
    std::vector<PJRT_Buffer*> values;
    values.reserve(launch.state.size() + launch.fixed.size() + slab_types_.size() + 2);
    for (const runtime::Buffer* buffer : launch.state) values.push_back(device_buffer(*buffer).value());
    for (const runtime::Buffer* buffer : launch.fixed) values.push_back(device_buffer(*buffer).value());
    for (std::size_t i = 0; i < slab_types_.size(); ++i)
      values.push_back(running.borrow(slab_types_[i], launch.slabs[i]));
    values.push_back(running.scalar(static_cast<std::int32_t>(launch.num_steps)));
    values.push_back(running.scalar(static_cast<std::int32_t>(launch.num_rows)));
    std::vector<PJRT_Buffer*> results(num_state_ + output_types_.size());
    CallArguments<PJRT_ExecuteOptions> options;
    CallArguments<PJRT_LoadedExecutable_Execute_Args> arguments;
    PJRT_Buffer* const* const argument_list = values.data();
    PJRT_Buffer** const result_list = results.data();
    PJRT_Event* complete = nullptr;
    arguments->executable = compiled_.executable.get();
    arguments->options = options.get();
    arguments->argument_lists = &argument_list;
    arguments->num_devices = 1;
    arguments->num_args = values.size();
    arguments->output_lists = &result_list;
    arguments->device_complete_events = &complete;
    try {
      connection_->plugin().call(&PJRT_Api::PJRT_LoadedExecutable_Execute, arguments, "run a program");
    } catch (const Error& error) {
      throw Error(error.code(), fmt::format("{}; in program \"{}\"{}", error.what(), name_,
                                            connection_->memory_use(device_)));
    }
    running.set_complete(OwnedEvent(connection_->plugin(), complete));
    std::vector<OwnedBuffer> owned;
    owned.reserve(results.size());
    for (PJRT_Buffer* const result : results) owned.emplace_back(connection_->plugin(), result);
    return owned;
  }

  OutputPlace place_of(const slabs::LoopLaunch& launch, std::size_t i) const {
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
  int device_;
  std::string name_;
  std::string text_;
  std::size_t num_state_ = 0;
  std::vector<ir::TensorType> slab_types_, output_types_;
  std::vector<std::size_t> step_bytes_;  // of each output
  std::size_t slab_bytes_ = 0;
  CompiledProgram compiled_;
  runtime::CompileStats stats_;
};

}  // namespace

DeviceExecutable::DeviceExecutable(const runtime::StepProgram& program, runtime::Client& client,
                                   std::shared_ptr<Connection> connection,
                                   std::shared_ptr<const ExecutableCache> cache, Precision precision)
    : SlabExecutable(program, client, {}),
      client_(client),
      connection_(std::move(connection)),
      cache_(std::move(cache)),
      precision_(precision),
      device_(program.devices.empty() ? 0 : program.devices.front()) {}

std::unique_ptr<slabs::LoopProgram> DeviceExecutable::compile_loop(const transform::StepLoop& loop) const {
  return std::make_unique<DeviceLoop>(loop, client_, connection_, device_, *cache_, precision_);
}

const std::byte* DeviceExecutable::device_memory(const runtime::Buffer& buffer) const {
  const DeviceBuffer& rows = device_buffer(buffer);
  if (!connection_->is_on_host() || buffer.type().size_bytes() == 0) return nullptr;
  connection_->ready(rows.value()).wait("give rows");
  return connection_->address(rows.value());
}

}  // namespace cornu::inline v0::backends::pjrt
