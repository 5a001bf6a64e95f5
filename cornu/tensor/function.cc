#include "cornu/tensor/function.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <optional>

#include "cornu/base/check.h"
#include "cornu/base/log_formatted.h"
#include "cornu/ir/print.h"
#include "cornu/runtime/default_precision.h"
#include "cornu/runtime/host_view.h"
#include "cornu/tensor/differentiable_graph.h"
#include "cornu/tensor/run/infeed_call.h"
#include "cornu/tensor/run/program_call.h"
#include "cornu/tensor/trace/op_recorder.h"
#include "cornu/tensor/trace/trace.h"
#include "cornu/tensor/trace/variable_claim.h"
#include "cornu/tensor/trace/variable_state.h"
#include "cornu/tensor/trace/variable_versions.h"
#include "cornu/tensor/trace/variable_watcher.h"
#include "cornu/tensor/value/device.h"
#include "cornu/tensor/value/device_value.h"
#include "cornu/transform/rewrite.h"

namespace cornu::inline v0::detail {
namespace {

/// A trace of the user's function, compiled for one signature and placement.
struct Program {
  Program(std::span<const std::uint64_t> key_of_calls, const Placement& placement_of_calls)
      : key(key_of_calls.begin(), key_of_calls.end()), placement(placement_of_calls) {}

  std::vector<std::uint64_t> key;
  Placement placement;  // placement of the calls
  Placement place;      // where it runs: `placement`, unless the traced code names a device
  TracedProgram traced;
  std::shared_ptr<runtime::Executable> executable;
  std::any structure;
  std::vector<Variable> made;  // variables made by the trace; kept as long as the program
  // `trainable` of the variables at tracing time, and the epoch of the last comparison.
  std::vector<bool> trainable;
  std::atomic<std::uint64_t> trainable_epoch;

  /// Working memory of one call; leased.
  struct Frame {
    std::vector<runtime::HostView> parameters;
    std::vector<runtime::Buffer*> state, fixed;
  };
  std::optional<VariableVersions> versions;  // of variables that it only reads; made with the executable
  std::mutex mutex;                          // guards the members below
  std::vector<std::unique_ptr<Frame>> free_frames;
  std::shared_ptr<DifferentiableGraph> graph;

  template <typename F>
  void for_each_variable(F f) const {
    for (const Variable& variable : traced.state) f(variable);
    for (const Variable& variable : traced.fixed) f(variable);
  }
  std::vector<bool> trainable_now() const {
    std::vector<bool> flags;
    for_each_variable([&](const Variable& variable) { flags.push_back(variable.trainable()); });
    return flags;
  }
  bool is_as_trained() {
    const std::uint64_t epoch = detail::trainable_epoch();
    if (trainable_epoch.load(std::memory_order_relaxed) == epoch) return true;
    if (trainable_now() != trainable) return false;
    trainable_epoch.store(epoch, std::memory_order_relaxed);
    return true;
  }

  std::unique_ptr<Frame> lease() {
    {
      const std::lock_guard lock(mutex);
      if (!free_frames.empty()) {
        std::unique_ptr<Frame> frame = std::move(free_frames.back());
        free_frames.pop_back();
        return frame;
      }
    }
    auto frame = std::make_unique<Frame>();
    frame->parameters.reserve(traced.num_parameters);
    frame->state.resize(traced.state.size());
    for (std::size_t i = 0; i < traced.num_parameters; ++i) {
      frame->parameters.emplace_back(traced.function->body.arguments()[i].type());
    }
    frame->fixed.resize(traced.num_parameters + traced.fixed.size());
    return frame;
  }
  void give_back(std::unique_ptr<Frame> frame) {
    const std::lock_guard lock(mutex);
    free_frames.push_back(std::move(frame));
  }

  std::vector<Tensor> run(std::span<const Tensor* const> inputs) {
    if (!place.client()->is_addressable()) return run_there(inputs);
    std::unique_ptr<Frame> frame = lease();
    for (std::size_t i = 0; i < inputs.size(); ++i) frame->parameters[i].look_at(inputs[i]->bytes());
    for (std::size_t i = 0; i < inputs.size(); ++i) frame->fixed[i] = &frame->parameters[i];
    std::optional<VariableClaim> claim;
    const VersionLease version = bind(claim, frame->state, frame->fixed);
    std::vector<Tensor> results = execute(*executable, frame->state, frame->fixed, traced.outputs);
    give_back(std::move(frame));
    return results;
  }

  /// Runs on a device that the host cannot address, which has the variables' buffers in the order of its work.
  std::vector<Tensor> run_there(std::span<const Tensor* const> inputs) {
    CallOperands operands = DeviceInputs(place, inputs).operands();
    operands.state.resize(traced.state.size());
    operands.fixed.resize(traced.num_parameters + traced.fixed.size());
    std::optional<VariableClaim> claim;
    const VersionLease version = bind(claim, operands.state, operands.fixed);
    return execute_there(executable, place, std::move(operands), traced.outputs);
  }

  /// Fills in the buffers of variables. They are the call's until `claim` and the lease end.
  VersionLease bind(std::optional<VariableClaim>& claim, std::span<runtime::Buffer*> state,
                    std::span<runtime::Buffer*> fixed) {
    if (!traced.state.empty())
      claim.emplace(VariableClaim::Variables{.written = traced.state, .read = traced.fixed},
                    OtherThreads::kWait);
    find_buffers(traced.state, place, Access::kWrite, state.data());
    VersionLease version = versions->take();
    if (claim.has_value()) claim->stop_reading();
    std::ranges::copy(version.buffers(), fixed.begin() + static_cast<std::ptrdiff_t>(traced.num_parameters));
    return version;
  }

  /// The symbolic value of a captured concrete tensor; undefined for another value.
  Tensor captured_as(ir::Value value) const {
    for (const auto& [tensor, captured] : traced.captured)
      if (captured == value) return tensor;
    return {};
  }

  /// The outputs as a pure function of parameters, variables and captured constants, in this order.
  std::shared_ptr<DifferentiableGraph> differentiable() {
    const std::lock_guard lock(mutex);
    if (graph != nullptr) return graph;
    auto function = std::make_unique<ir::Function>();
    function->name = traced.function->name;
    transform::ValueMap map;
    for (const ir::Value& argument : traced.function->body.arguments())
      map[argument] = function->body.add_argument(argument.type());
    for (const auto& [tensor, value] : traced.captured)
      if (value.op() != nullptr) map[value] = function->body.add_argument(value.type());
    ir::Builder builder(function->body);
    for (const auto& op : traced.function->body.ops())
      if (op->results().empty() || !map.contains(op->result())) transform::clone_op(builder, *op, map);
    function->body.set_results(
        transform::mapped(map, traced.function->body.results().subspan(traced.state.size())));
    graph = std::make_shared<DifferentiableGraph>(std::move(function));
    return graph;
  }

  /// The inputs of differentiable(), taken before the program changes the variables. Tapes record the reads.
  std::vector<Tensor> differentiable_inputs(std::span<const Tensor* const> inputs) const {
    std::vector<Tensor> all;
    std::size_t parameter = 0, state = 0, fixed = 0;
    for (std::size_t i = 0; i < traced.arguments.size(); ++i) {
      if (parameter < inputs.size()) {
        all.push_back(*inputs[parameter++]);
      } else if (const Tensor capture = captured_as(traced.function->body.arguments()[i]);
                 capture.defined()) {
        all.push_back(capture);
        ++fixed;
      } else if (traced.arguments[i] == runtime::ArgumentKind::kState) {
        all.push_back(traced.state[state++].value());
      } else {
        all.push_back(traced.fixed[fixed++].value());
      }
    }
    for (const auto& [tensor, value] : traced.captured)
      if (value.op() != nullptr) all.push_back(tensor);
    return all;
  }

  std::string signature(const std::string& name) const {
    std::vector<std::string> outputs;
    outputs.reserve(traced.outputs.size());
    for (const TensorType& type : traced.outputs) outputs.push_back(type_str(type));
    std::string text = fmt::format("{}({}) -> ({})", name, fmt::join(CallArguments::describe(key), ", "),
                                   fmt::join(outputs, ", "));
    for (const Infeed& infeed : traced.infeeds.all)
      text += fmt::format(", up to {} elements a call", infeed.capacity);
    return text;
  }
};

}  // namespace

bool is_tracing() { return Trace::current() != nullptr; }

struct FunctionCore::State {
  FunctionOptions options;
  std::recursive_mutex trace_mutex;
  mutable std::mutex list_mutex;                   // guards the members below
  std::vector<std::shared_ptr<Program>> programs;  // the last used first
  std::int64_t trace_count = 0;
  std::map<std::pair<std::shared_ptr<const void>, std::type_index>, std::shared_ptr<void>> variants;

  std::shared_ptr<Program> find(std::span<const std::uint64_t> key, const Placement& placement) {
    const std::lock_guard lock(list_mutex);
    for (auto it = programs.begin(); it != programs.end(); ++it) {
      Program& program = **it;
      if (program.placement != placement ||
          !std::equal(key.begin(), key.end(), program.key.begin(), program.key.end()) ||
          !program.is_as_trained())
        continue;
      std::rotate(programs.begin(), it, it + 1);
      return programs.front();
    }
    return nullptr;
  }

  void check_signature(const CallArguments& arguments) const {
    if (options.input_signature.empty()) return;
    const std::span<const Tensor* const> tensors = arguments.tensors();
    if (tensors.size() != options.input_signature.size())
      invalid_argument("[{}] the input signature has {} tensors; got {}", options.name,
                       options.input_signature.size(), tensors.size());
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      const TensorSpec& spec = options.input_signature[i];
      const TensorType& type = tensors[i]->type();
      const bool fits = spec.dtype == type.dtype &&
                        std::equal(spec.shape.begin(), spec.shape.end(), type.dims.begin(), type.dims.end(),
                                   [](std::int64_t a, std::int64_t b) { return a < 0 || a == b; });
      if (!fits)
        invalid_argument("[{}] tensor {} must be {} {} by the input signature; got {}", options.name, i,
                         shape_with_open_str(spec.shape), ir::numpy_name(spec.dtype), type_str(type));
    }
  }

  static std::string shape_with_open_str(const Dims& shape) {
    std::vector<std::string> extents;
    for (const std::int64_t extent : shape) extents.push_back(extent < 0 ? "None" : std::to_string(extent));
    return fmt::format("({}{})", fmt::join(extents, ", "), extents.size() == 1 ? "," : "");
  }

  std::shared_ptr<Program> trace(const CallArguments& arguments, const Placement& placement, TraceFn run) {
    check_signature(arguments);
    auto program = std::make_shared<Program>(arguments.key(), placement);
    {
      Trace trace(options.name);
      const VariableWatcherScope watcher(&program->made);
      const Trace::Scope scope(trace);
      std::vector<Tensor> symbolic;
      for (const Tensor* tensor : arguments.tensors())
        symbolic.push_back(trace.add_parameter(tensor->type()));
      for (ElementSource* source : arguments.sources()) trace.add_source(*source);
      TracedResult result = run(symbolic);
      if (!program->made.empty() && trace_count > 0) {
        std::vector<std::string> paths;
        for (const Variable& variable : program->made) paths.push_back(variable.path());
        fail(ErrorCode::kFailedPrecondition,
             "[{}] variables were made in a call that is not the first: {}. Make them once: outside of the "
             "function, or in its first call only",
             options.name, fmt::join(paths, ", "));
      }
      program->traced = trace.finish(result.tensors);
      program->traced.convolution_algorithm = options.convolution_algorithm.value();
      program->traced.precision = runtime::precision_or_default(options.precision.value());
      program->structure = std::move(result.structure);
    }
    if (!program->traced.infeeds.all.empty())
      program->traced = program->traced.with_capacities(
          first_capacities(program->traced.infeeds.counts(arguments.tensors())));
    compile(*program);
    return program;
  }

  static void compile(Program& program) {
    runtime::StepProgram step = program.traced.step_program();
    program.place =
        program.traced.device.has_value() ? placement_of(*program.traced.device) : program.placement;
    step.devices = program.place.devices();
    program.executable = program.place.client()->compile(step);
    program.versions.emplace(program.traced.fixed, program.place);
    program.trainable = program.trainable_now();
    program.trainable_epoch = detail::trainable_epoch();
  }

  /// Returns a program of this trace whose stacks have room for these counts: `program`, another cached one,
  /// or a new one.
  std::shared_ptr<Program> with_room(const std::shared_ptr<Program>& program,
                                     std::span<const std::int64_t> counts) {
    if (has_room(program->traced.infeeds, counts)) return program;
    {
      const std::lock_guard lock(list_mutex);
      for (const std::shared_ptr<Program>& other : programs)
        if (other->placement == program->placement && other->key == program->key && other->is_as_trained() &&
            has_room(other->traced.infeeds, counts))
          return other;
    }
    auto larger = std::make_shared<Program>(program->key, program->placement);
    larger->traced = program->traced.with_capacities(next_capacities(counts));
    larger->structure = program->structure;
    larger->made = program->made;
    compile(*larger);
    keep(larger);
    return larger;
  }

  std::shared_ptr<Program> find_or_trace(const CallArguments& arguments, TraceFn run) {
    const Placement placement = current_placement();
    if (std::shared_ptr<Program> program = find(arguments.key(), placement)) return program;
    const std::lock_guard tracing(trace_mutex);
    if (std::shared_ptr<Program> program = find(arguments.key(), placement))
      return program;  // another thread made it
    std::shared_ptr<Program> program = trace(arguments, placement, run);
    {
      const std::lock_guard lock(list_mutex);
      if (++trace_count == kWarnAtTrace && !options.reduce_retracing && !programs.empty())
        warn(*programs.front(), *program);
    }
    keep(program);
    return program;
  }

  void keep(const std::shared_ptr<Program>& program) {
    const std::lock_guard lock(list_mutex);
    // Programs of a client that was replaced or removed would keep it and its threads alive.
    std::erase_if(programs, [&](const std::shared_ptr<Program>& known) {
      return index_of_device(known->placement.client().get(), known->placement.device()) < 0 &&
             known->placement != program->placement;
    });
    programs.insert(programs.begin(), program);
    if (programs.size() > std::max<std::size_t>(options.max_programs, 1)) programs.pop_back();
  }

  /// Stacks the elements that a call takes from its sources. `program` becomes the one that has room for
  /// them. Drop the first `counts` elements once it has run.
  std::vector<Tensor> take_elements(const CallArguments& arguments, std::shared_ptr<Program>& program,
                                    std::vector<std::int64_t>& counts);

  static constexpr std::int64_t kWarnAtTrace = 6;  // the trace at which the fifth retrace happens

  void warn(const Program& before, const Program& now) const {
    const std::vector<std::string> old_arguments = CallArguments::describe(before.key),
                                   new_arguments = CallArguments::describe(now.key);
    std::string difference = "the C++ type of an argument, the variables' trainable flags or the device";
    for (std::size_t i = 0; i < std::min(old_arguments.size(), new_arguments.size()); ++i) {
      if (old_arguments[i] == new_arguments[i]) continue;
      difference = fmt::format("argument {}: {} after {}", i, new_arguments[i], old_arguments[i]);
      break;
    }
    log_warning(
        "[{}] the function was traced and compiled for the {}th time; what differs from the call before is "
        "{}. Pass numbers that change as tensors and keep shapes the same, or set reduce_retracing if they "
        "are meant to differ.",
        options.name, kWarnAtTrace, difference);
  }
};

FunctionCore::FunctionCore(FunctionOptions options) : state_(std::make_unique<State>()) {
  state_->options = std::move(options);
}
FunctionCore::~FunctionCore() = default;

// A data set's elements are read before variables are claimed: the user's code makes them, and may wait for
// threads that would wait for the claim.
void FunctionCore::call(const CallArguments& arguments, TraceFn trace, ResultFn result) {
  std::shared_ptr<Program> program = state_->find_or_trace(arguments, trace);
  std::span<const Tensor* const> parameters = arguments.tensors();
  std::vector<const Tensor*> with_stacks;
  std::vector<std::int64_t> counts;
  std::vector<Tensor> stacks;
  if (!arguments.sources().empty()) {
    stacks = state_->take_elements(arguments, program, counts);
    with_stacks.assign(parameters.begin(), parameters.end());
    for (const Tensor& stack : stacks) with_stacks.push_back(&stack);
    parameters = with_stacks;
  }
  const bool recorded = !op_recorders().empty();
  std::vector<Tensor> inputs, results;
  {
    std::optional<VariableClaim> claim;
    if (recorded) {  // tapes must record the values that the program then runs on
      claim.emplace(VariableClaim::Variables{.written = program->traced.state, .read = program->traced.fixed},
                    OtherThreads::kWait);
      inputs = program->differentiable_inputs(parameters);
    }
    results = program->run(parameters);
  }
  for (std::size_t i = 0; i < counts.size(); ++i) arguments.sources()[i]->drop(counts[i]);
  if (recorded) {
    const CallBackwardFn backward = [program, inputs](std::span<const Tensor> result_gradients,
                                                      const std::vector<bool>& wanted) {
      return program->differentiable()->backward(inputs, result_gradients, wanted);
    };
    for (const auto& recorder : op_recorders()) recorder->record_call(inputs, results, backward);
  }
  result(program->structure, results);
}

std::vector<Tensor> FunctionCore::State::take_elements(const CallArguments& arguments,
                                                       std::shared_ptr<Program>& program,
                                                       std::vector<std::int64_t>& counts) {
  counts = program->traced.infeeds.counts(arguments.tensors());
  for (std::size_t i = 0; i < counts.size(); ++i)
    require_elements(options.name, *arguments.sources()[i], counts[i]);
  program = with_room(program, counts);
  return make_stacks(program->traced.infeeds, arguments.sources(), counts);
}

std::string FunctionCore::stablehlo(const CallArguments& arguments, TraceFn trace) {
  return ir::to_stablehlo(*state_->find_or_trace(arguments, trace)->traced.function);
}

std::shared_ptr<void> FunctionCore::variant(std::shared_ptr<const void> key, std::type_index type,
                                            FunctionRef<std::shared_ptr<void>()> make) {
  const std::lock_guard lock(state_->list_mutex);
  std::shared_ptr<void>& variant = state_->variants[std::pair(std::move(key), type)];
  if (variant == nullptr) variant = make();
  return variant;
}

std::int64_t FunctionCore::trace_count() const {
  const std::lock_guard lock(state_->list_mutex);
  return state_->trace_count;
}

std::string FunctionCore::pretty_printed_signatures() const {
  const std::lock_guard lock(state_->list_mutex);
  std::string text;
  for (const auto& program : state_->programs) text += program->signature(state_->options.name) + "\n";
  return text;
}

std::string FunctionCore::explain() const {
  const std::lock_guard lock(state_->list_mutex);
  std::string text;
  std::map<runtime::Client*, Placement> clients;
  for (const auto& program : state_->programs) {
    text += program->signature(state_->options.name) + "\n" + program->executable->explain();
    clients.try_emplace(program->place.client().get(), program->place);
  }
  for (const auto& [client, placement] : clients) text += placement.explain_calls();
  return text;
}

std::string FunctionCore::stablehlo() const {
  const std::lock_guard lock(state_->list_mutex);
  if (state_->programs.empty())
    fail(ErrorCode::kFailedPrecondition,
         "[{}] nothing is traced yet; call the function, or give stablehlo() its arguments",
         state_->options.name);
  return ir::to_stablehlo(*state_->programs.front()->traced.function);
}

}  // namespace cornu::inline v0::detail
