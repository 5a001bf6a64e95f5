#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/ops/custom_call/host_functions.h"
#include "cornu/plugin/executable.h"

namespace cornu::inline v0::plugin {
namespace {

/// Executions that took less run on the caller's thread, where the way to another thread and back would take as
/// long.
constexpr std::int64_t kShortNs = 20'000;

/// An execution on its way through the queue. Vectors are those of all replicas, replica 0 first.
struct Launch {
  std::shared_ptr<Program> program;
  std::vector<Contents> arguments;
  std::vector<std::shared_ptr<Block>> results;
  std::shared_ptr<Signal> done = std::make_shared<Signal>();
};

const PJRT_Error* failed_argument(const Launch& launch) {
  for (const Contents& argument : launch.arguments)
    if (const PJRT_Error* const failure = argument.ready->failure()) return failure;
  return nullptr;
}

/// Marks a program as running: its callbacks may run other programs, whose frames are others.
class RunningProgram {
 public:
  explicit RunningProgram(Program& program) : program_(program) {
    if (std::exchange(program.is_running, true))
      fail(ErrorCode::kUnimplemented, "[execute] a callback of the program runs the program again");
  }
  ~RunningProgram() { program_.is_running = false; }
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;

 private:
  Program& program_;
};

void run_program(const Launch& launch) {
  Program& program = *launch.program;
  const RunningProgram running(program);
  CallFrame& frame = program.frame;
  const std::size_t num_parameters = program.parameters.size(), num_results = program.results.size();
  for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
    std::byte* const data = launch.arguments[i].block->data();
    const std::int64_t donated = program.donations[i % num_parameters];
    if (donated == kNotDonated) {
      frame.fixed_views[program.positions[i]].look_at(data);
      continue;
    }
    const Block& result =
        *launch.results[i / num_parameters * num_results + static_cast<std::size_t>(donated)];
    if (result.data() != data && result.size_bytes() > 0)
      std::memcpy(result.data(), data, result.size_bytes());
    frame.state_views[program.positions[i]].look_at(result.data());
  }
  for (std::size_t r = 0; r < launch.results.size(); ++r)
    if (program.outputs[r] != kNotDonated)
      frame.outputs[static_cast<std::size_t>(program.outputs[r])] = launch.results[r]->data();
  program.engine->run({.state = frame.state, .fixed = frame.fixed, .outputs = frame.outputs});
}

/// Runs on the queue. Results of an execution that fails, or whose arguments failed, fail with the same error.
void run(Launch& launch) noexcept {
  std::optional<PJRT_Error> failure;
  if (const PJRT_Error* const earlier = failed_argument(launch)) {
    failure = *earlier;
  } else {
    const auto start = std::chrono::steady_clock::now();
    try {
      run_program(launch);
    } catch (...) {
      failure = current_error();
      failure->message += fmt::format(" (in program \"{}\")", launch.program->name);
    }
    const auto duration = std::chrono::steady_clock::now() - start;
    launch.program->duration_ns.store(std::chrono::duration_cast<std::chrono::nanoseconds>(duration).count(),
                                      std::memory_order_relaxed);
  }
  launch.arguments.clear();
  launch.results.clear();
  launch.done->set(std::move(failure));
}

/// Reads the arguments of a launch. Donated ones are taken out of their buffers, and put back if a later step
/// fails.
class ArgumentReader {
 public:
  ArgumentReader(const Program& program, const PJRT_LoadedExecutable_Execute_Args& args)
      : program_(program), args_(args) {
    const std::size_t num_parameters = program.parameters.size();
    is_kept_.assign(num_parameters, false);
    if (args.options == nullptr) return;
    for (std::size_t i = 0; i < args.options->num_non_donatable_input_indices; ++i) {
      const auto index = static_cast<std::size_t>(args.options->non_donatable_input_indices[i]);
      if (index < num_parameters) is_kept_[index] = true;
    }
  }
  ~ArgumentReader() {
    for (auto& [buffer, contents] : taken_) buffer->restore(std::move(contents));
  }
  ArgumentReader(const ArgumentReader&) = delete;
  ArgumentReader& operator=(const ArgumentReader&) = delete;

  void read(Launch& launch) {
    const std::size_t num_parameters = program_.parameters.size();
    launch.arguments.resize(args_.num_devices * num_parameters);
    launch.results.resize(args_.num_devices * program_.results.size());
    // Donated ones first: a buffer that is donated and used otherwise, too, is then found missing.
    for (const bool donated : {true, false})
      for (std::size_t d = 0; d < args_.num_devices; ++d)
        for (std::size_t i = 0; i < num_parameters; ++i)
          if ((program_.donations[i] != kNotDonated && !is_kept_[i]) == donated) read(launch, d, i, donated);
  }
  /// The execution has begun: donated buffers stay deleted.
  void commit() { taken_.clear(); }

 private:
  void read(Launch& launch, std::size_t d, std::size_t i, bool donated) {
    PJRT_Buffer* const buffer = args_.argument_lists[d][i];
    const TensorInfo& parameter = program_.parameters[i];
    if (!parameter.fits(*buffer)) [[unlikely]]
      invalid_argument(
          "[execute] argument {} of program \"{}\" has {} bytes of shape {}; the program takes {} of {}", i,
          program_.name, size_in_bytes(buffer->type, buffer->dims), ir::shape_str(buffer->dims),
          parameter.size_bytes, ir::shape_str(parameter.dims));
    if (buffer->device->client != program_.client) [[unlikely]]
      invalid_argument("[execute] argument {} of program \"{}\" belongs to another client", i, program_.name);
    Contents& contents = launch.arguments[d * program_.parameters.size() + i];
    const auto check_ready = [&] {
      if (!contents.ready->is_ready()) check_not_in_host_function();
    };
    if (!donated) {
      contents = buffer->contents("[execute] an argument:");
      return check_ready();
    }
    auto [taken, is_exclusive] = buffer->take("[execute] a donated argument:");
    contents = taken;
    const auto result = d * program_.results.size() + static_cast<std::size_t>(program_.donations[i]);
    if (is_exclusive) launch.results[result] = taken.block;
    taken_.emplace_back(buffer, std::move(taken));
    check_ready();
  }

  const Program& program_;
  const PJRT_LoadedExecutable_Execute_Args& args_;
  std::vector<bool> is_kept_;  // by parameter: not to be donated in this execution
  std::vector<std::pair<PJRT_Buffer*, Contents>> taken_;
};

/// Waits for an execution. If it failed, its results are deleted and the error is the call's: JAX's CPU backend reports
/// an exception of a callback where the program is called.
void finish(Signal& done, PJRT_LoadedExecutable_Execute_Args& args, std::size_t num_results) {
  done.wait();
  if (done.failure() == nullptr) return;
  for (std::size_t d = 0; d < args.num_devices; ++d) {
    for (std::size_t r = 0; r < num_results; ++r) delete std::exchange(args.output_lists[d][r], nullptr);
    if (args.device_complete_events != nullptr) delete std::exchange(args.device_complete_events[d], nullptr);
  }
  throw PJRT_Error(*done.failure());
}

}  // namespace

void execute(const std::shared_ptr<Program>& program, PJRT_LoadedExecutable_Execute_Args& args) {
  if (args.num_devices != program->devices.size())
    invalid_argument("[execute] program \"{}\" runs on {} devices; got arguments for {}", program->name,
                     program->devices.size(), args.num_devices);
  if (args.num_args != program->parameters.size())
    invalid_argument("[execute] program \"{}\" takes {} arguments; got {}", program->name,
                     program->parameters.size(), args.num_args);
  program->client->queue.wait_for_room(args.num_devices * program->new_bytes);
  Launch launch{.program = program};
  ArgumentReader reader(*program, args);
  reader.read(launch);
  const std::size_t num_results = program->results.size();
  for (std::size_t r = 0; r < launch.results.size(); ++r)
    if (launch.results[r] == nullptr)
      launch.results[r] =
          std::make_shared<Block>(program->client->pool, program->results[r % num_results].size_bytes);
  reader.commit();
  const std::shared_ptr<Signal> done = launch.done;
  for (std::size_t d = 0; d < args.num_devices; ++d) {
    PJRT_Device* const device = args.execute_device != nullptr ? args.execute_device : program->devices[d];
    for (std::size_t r = 0; r < num_results; ++r)
      args.output_lists[d][r] =
          new PJRT_Buffer(device->memories[program->results[r].memory_kind], program->results[r].type,
                          program->results[r].dims, {launch.results[d * num_results + r], done});
    if (args.device_complete_events != nullptr) args.device_complete_events[d] = new PJRT_Event{done};
  }
  const bool is_short = program->duration_ns.load(std::memory_order_relaxed) < kShortNs;
  auto shared = std::make_shared<Launch>(std::move(launch));
  if (ops::is_in_host_function())  // the queue waits for the function
    run(*shared);
  else
    program->client->queue.submit([shared] { run(*shared); },
                                  {.is_short = is_short, .num_bytes = args.num_devices * program->new_bytes});
  if (program->calls_host) finish(*done, args, num_results);
}

}  // namespace cornu::inline v0::plugin
