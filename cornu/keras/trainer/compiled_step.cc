#include "cornu/keras/trainer/compiled_step.h"

#include <algorithm>
#include <iterator>
#include <system_error>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/service_thread.h"
#include "cornu/keras/base/row_mask.h"
#include "cornu/keras/trainer/device_data_cache.h"
#include "cornu/runtime/device_group.h"
#include "cornu/runtime/late_reads.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/trace/replicas.h"
#include "cornu/tensor/trace/variable_claim.h"
#include "cornu/tensor/trace/variable_parts.h"
#include "cornu/transform/batch_dependence.h"
#include "cornu/transform/simplify_patterns.h"

namespace cornu::inline v0::keras {
namespace {

Tensors add_arrays(Trace& trace, const std::vector<std::optional<TensorType>>& types,
                   std::int64_t batch_size) {
  std::vector<Tensor> arrays;
  for (std::optional<TensorType> type : types) {
    arrays.emplace_back();
    if (!type.has_value()) continue;
    type->dims.insert(type->dims.begin(), batch_size);
    arrays.back() = trace.add_rows_argument(*type);
  }
  return Tensors(std::move(arrays));
}

struct Arguments {
  ArrayData arrays;
  RowMask rows;
  Tensor num_valid;  // i32 scalar; undefined without rows
};

Arguments add_arguments(Trace& trace, const ProgramKey& key, std::int64_t num_rows, bool is_exact) {
  Arguments made;
  made.arrays.x = add_arrays(trace, key.x, num_rows);
  made.arrays.y = add_arrays(trace, key.y, num_rows);
  made.arrays.sample_weight = add_arrays(trace, key.sample_weight, num_rows);
  if (key.kind == ProgramKind::kPredict || is_exact) return made;
  made.num_valid = trace.add_valid_rows_argument();
  made.rows = RowMask::first_rows(made.num_valid, num_rows);
  return made;
}

/// True if each replica of such a step has its own device, which receives its part of the rows.
bool is_cut_for_devices(const ProgramKey& key) {
  return key.num_replicas > 1 && runtime::device_group(key.placement.client().get()) != nullptr;
}

/// The variable or output that padding rows might change in a traced step, with the op; empty if it is proven
/// that padding changes nothing.
std::string what_padding_reaches(Trace& trace, const Arguments& arguments, std::int64_t batch_size,
                                 const StepFaults* faults, const Tensors& outputs) {
  transform::BatchDependenceAnalysis analysis(batch_size);
  arguments.arrays.for_each(
      [&](const Tensor& array) { analysis.set(array.value(), transform::BatchDependence::data()); });
  if (arguments.rows.defined()) {
    transform::BatchDependence mask = transform::BatchDependence::rows(0);
    mask.padding = ir::Literal::scalar(DType::kI1, 0);
    analysis.set(arguments.rows.valid.value(), mask);
  }
  trace.report_shapes(analysis);
  analysis.run(trace.builder().block());
  for (const Variable& variable : trace.assigned()) {
    if (faults != nullptr && faults->owns(variable))
      continue;  // padding repeats a data row, so the first fault is in a data row
    const transform::BatchDependence found = analysis.of(trace.held(variable).value());
    if (found.is_mixed())
      return fmt::format("{} may take rows together in what becomes \"{}\"", *found.reason, variable.path());
    if (found.is_rows()) return fmt::format("\"{}\" has rows of its own", variable.path());
  }
  for (const Tensor& output : outputs) {
    const transform::BatchDependence found = analysis.of(output.value());
    if (found.is_mixed()) return fmt::format("{} may take rows together in an output", *found.reason);
    if (found.is_rows() && !found.same_place(transform::BatchDependence::rows(0)))
      return "an output does not begin with the rows";
  }
  for (const Trace::CountNote& note : trace.count_notes()) {
    const transform::BatchDependence found = analysis.of(note.value);
    const bool is_beside_rows =
        found.is_rows() && std::find(note.axes.begin(), note.axes.end(), found.axis) == note.axes.end();
    if (found.is_none() || is_beside_rows) continue;
    return fmt::format("{} asks for the {} of a batch, which may not count padding",
                       note.location.empty() ? std::string("the step") : fmt::format("\"{}\"", note.location),
                       note.what);
  }
  return {};
}

/// Adds advice to the error of a step that reads a value while it is traced; such a step cannot be compiled.
template <typename F>
auto with_eager_hint(F&& trace_step) {
  try {
    return trace_step();
  } catch (const Error& error) {
    if (error.reason() != ErrorReason::kSymbolicValue) throw;
    throw error.with({.notes = "a step is compiled and cannot look at values on the host: report them as "
                               "logs, look at them in a callback, or compile the model with run_eagerly"});
  }
}

}  // namespace

std::string exact_because_note(const std::string& explanation, const std::string& reason) {
  return fmt::format(
      "{}\npartial batches: a program for each size, compiled in the background when one is expected, "
      "because {}\n",
      explanation, reason);
}

namespace {

/// Traces one step, for any rows: a batch's, a replica's or a device's.
struct StepTracer {
  Trace& trace;
  const ProgramKey& key;
  const ModelParts& parts;
  const CompiledStepOptions& options;
  const StepFaults* faults;
  // The reason why padding cannot be masked.
  std::shared_ptr<std::string> reason = std::make_shared<std::string>();
  std::vector<LogSource> logs = {};

  /// Traces the step of `num_rows` rows; returns its outputs.
  Tensors operator()(const Arguments& arguments, std::int64_t num_rows) {
    StepData data = step_data(arguments.arrays, arguments.rows);
    data.rows.exact_because = reason;
    Tensors outputs;
    switch (key.kind) {
      case ProgramKind::kTrain:
        logs = train_step(parts, data, options.known_logs, [&] { return trace.assigned(); });
        break;
      case ProgramKind::kTest: logs = test_step(parts, data, options.known_logs); break;
      case ProgramKind::kPredict: outputs = predict_step(parts, data); break;
    }
    if (reason->empty() && !options.is_exact && num_rows > 1)
      *reason = what_padding_reaches(trace, arguments, num_rows, faults, outputs);
    if (faults != nullptr) faults->finish(trace);
    return outputs;
  }
};

/// Rows [first, first + count) of a batch. If the batch ends before, its first rows are repeated as padding.
Tensor rows_from(const Tensor& batch, std::int64_t first, std::int64_t count) {
  const std::int64_t num_rows = batch.shape()[0], end = std::min(first + count, num_rows);
  const auto part = [&](std::int64_t begin, std::int64_t length) {
    Dims starts(batch.shape().size(), 0), dims = batch.shape();
    starts[0] = begin;
    dims[0] = length;
    return ops::slice(batch, starts, dims);
  };
  if (first >= num_rows) return part(0, count);
  return end - first == count
             ? part(first, count)
             : ops::concatenate({part(first, end - first), part(0, count - (end - first))}, {.axis = 0});
}

/// The arguments of a replica's step, as arguments of the region in which it is traced.
Arguments replica_arguments(Trace::Region& region, const Arguments& all, std::int64_t num_rows) {
  Arguments own;
  const auto add = [&](const Tensors& arrays) {
    std::vector<Tensor> added;
    for (const Tensor& array : arrays) {
      added.emplace_back();
      if (!array.defined()) continue;
      TensorType type = array.type();
      type.dims[0] = num_rows;
      added.back() = region.add_argument(type);
    }
    return Tensors(std::move(added));
  };
  own.arrays.x = add(all.arrays.x);
  own.arrays.y = add(all.arrays.y);
  own.arrays.sample_weight = add(all.arrays.sample_weight);
  if (!all.num_valid.defined()) return own;
  own.rows = RowMask::first_rows(region.add_argument(all.num_valid.type()), num_rows);
  own.rows.num_valid_of_all = all.rows.num_valid;
  return own;
}

Tensor i32_scalar(std::int64_t value) { return Tensor(value).strong_scalar(DType::kI32); }

/// runtime::Partition::num_valid in a program: the part begins at row `offset` of the batch.
Tensor num_valid_of_part(const Tensor& num_valid, const Tensor& offset, std::int64_t part_size) {
  return ops::clip(num_valid - offset, i32_scalar(0), i32_scalar(part_size));
}

/// The part of the arguments for part `part` of `rows`.
std::vector<Tensor> arguments_of(const Arguments& all, const runtime::Partition& rows, std::int64_t part) {
  std::vector<Tensor> own;
  const std::int64_t first = rows.offset(part), count = rows.part_size();
  all.arrays.for_each([&](const Tensor& array) { own.push_back(rows_from(array, first, count)); });
  if (all.num_valid.defined()) own.push_back(num_valid_of_part(all.num_valid, i32_scalar(first), count));
  return own;
}

/// Rows [process * count, ...) of a batch. After the batch's end, its rows are repeated from the first as
/// padding.
Tensor rows_of_process(const Tensor& batch, std::int64_t count, std::int64_t num_processes) {
  const std::int64_t num_rows = batch.shape()[0];
  Tensor whole = batch;
  if (count * num_processes > num_rows) {
    std::vector<Tensor> parts;
    for (std::int64_t left = count * num_processes; left > 0; left -= num_rows)
      parts.push_back(rows_from(batch, 0, std::min(left, num_rows)));
    whole = ops::concatenate(parts, {.axis = 0});
  }
  Dims dims = batch.shape();
  dims[0] = count;
  std::vector<Tensor> starts(dims.size(), i32_scalar(0));
  starts[0] = detail::process_id() * i32_scalar(count);
  return ops::slice(whole, ops::stack(starts), dims);
}

/// The part of the arguments for this process's replicas. The program is the same in all processes.
Arguments arguments_of_process(const Arguments& all, std::int64_t num_rows, std::int64_t num_processes) {
  Arguments own = all;
  const auto take = [&](Tensors& arrays) {
    std::vector<Tensor> taken;
    for (const Tensor& array : arrays)
      taken.push_back(array.defined() ? rows_of_process(array, num_rows, num_processes) : Tensor());
    arrays = Tensors(std::move(taken));
  };
  take(own.arrays.x);
  take(own.arrays.y);
  take(own.arrays.sample_weight);
  if (all.num_valid.defined()) own.num_valid = all.num_valid - detail::process_id() * i32_scalar(num_rows);
  return own;
}

/// Traces the step of all replicas, each on its part of the batch.
Tensors trace_replicas(StepTracer& tracer, const Arguments& all) {
  const std::int64_t num_rows = tracer.key.rows_of_replica(), num_processes = detail::num_processes();
  const std::int64_t num_replicas = tracer.key.num_replicas, num_here = num_replicas / num_processes;
  Trace::Region region(tracer.trace, "a step of several replicas");
  Tensors outputs;
  {
    const detail::ReplicaTrace replica{.num_replicas = num_replicas, .num_rows = num_rows};
    const detail::ReplicaTraceScope scope(&replica);
    outputs = tracer(replica_arguments(region, all, num_rows), num_rows);
    region.close(std::vector<Tensor>(outputs.begin(), outputs.end()));
  }
  const Arguments own =
      num_processes == 1 ? all : arguments_of_process(all, num_here * num_rows, num_processes);
  std::vector<std::vector<Tensor>> arguments;
  arguments.reserve(static_cast<std::size_t>(num_here));
  for (std::int64_t r = 0; r < num_here; ++r)
    arguments.push_back(arguments_of(own, tracer.key.partition(), r));
  const std::vector<std::vector<Tensor>> results = tracer.trace.replicate_op(region, arguments);
  std::vector<Tensor> joined;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    std::vector<Tensor> parts;
    parts.reserve(results.size());
    for (const std::vector<Tensor>& of_replica : results) parts.push_back(of_replica[i]);
    Tensor rows = ops::concatenate(parts, {.axis = 0});
    if (num_processes > 1) rows = detail::gather_from_processes(rows, num_processes);
    joined.push_back(rows_from(rows, 0, tracer.key.batch_size));
  }
  return Tensors(std::move(joined));
}

/// Traces the step of one replica, which every device of a group runs on its part of the batch.
Tensors trace_for_devices(StepTracer& tracer, Arguments own) {
  const std::int64_t num_rows = tracer.key.rows_of_replica(), num_replicas = tracer.key.num_replicas,
                     batch_size = tracer.key.batch_size;
  if (own.num_valid.defined()) {
    // If the parts exceed a batch, the last ones have fewer rows even in a full batch.
    if (num_rows * num_replicas != batch_size)
      own.num_valid = ops::minimum(
          own.num_valid,
          num_valid_of_part(i32_scalar(batch_size), detail::process_id() * i32_scalar(num_rows), num_rows));
    own.rows.num_valid = detail::sum_over_processes(own.num_valid, num_replicas);
  }
  Trace::Region region(tracer.trace, "a step of several replicas");
  {
    const detail::ReplicaTrace replica{.num_replicas = num_replicas, .num_rows = num_rows};
    const detail::ReplicaTraceScope scope(&replica);
    const Tensors outputs = tracer(replica_arguments(region, own, num_rows), num_rows);
    region.close(std::vector<Tensor>(outputs.begin(), outputs.end()));
  }
  std::vector<Tensor> arguments;
  own.arrays.for_each([&](const Tensor& array) { arguments.push_back(array); });
  if (own.num_valid.defined()) arguments.push_back(own.num_valid);
  std::vector<Tensor> outputs = tracer.trace.replicate_op(region, {&arguments, 1})[0];
  // Outputs of the devices of one process are joined on the host. No host has those of other processes'
  // devices, so the program gathers them.
  if (detail::num_processes() > 1)
    for (Tensor& rows : outputs)
      rows = rows_from(detail::gather_from_processes(rows, num_replicas), 0, batch_size);
  return Tensors(std::move(outputs));
}

/// The key with two rows for each replica. With one row each, the proof about padding would not hold for
/// replicas that have fewer.
ProgramKey with_two_rows_each(ProgramKey key) {
  key.batch_size = 2 * key.num_replicas;
  return key;
}

const char* program_name(ProgramKind kind) {
  static constexpr const char* kNames[] = {"train_step", "test_step", "predict_step"};
  return kNames[static_cast<int>(kind)];
}

struct TracedStep {
  TracedProgram program;
  std::vector<LogSource> logs;
  std::string reason;
};

TracedStep trace_program(const ProgramKey& key, const ModelParts& parts, const CompiledStepOptions& options,
                         StepFaults* faults) {
  Trace trace(program_name(key.kind));
  TracedStep traced;
  with_eager_hint([&] {
    const Trace::Scope scope(trace);
    const FaultReceiver::Scope receiver(faults);
    std::optional<detail::OneReplicaScope> alone;
    if (key.num_replicas == 1) alone.emplace();
    StepTracer tracer{trace, key, parts, options, faults};
    const bool is_cut = is_cut_for_devices(key);
    const std::int64_t num_rows = is_cut ? key.rows_of_replica() : key.batch_size;
    const Arguments arguments = add_arguments(trace, key, num_rows, options.is_exact);
    const Tensors outputs = is_cut                  ? trace_for_devices(tracer, arguments)
                            : key.num_replicas == 1 ? tracer(arguments, key.batch_size)
                                                    : trace_replicas(tracer, arguments);
    traced.logs = std::move(tracer.logs);
    traced.reason = *tracer.reason;
    traced.program = trace.finish(outputs);
    if (is_cut)  // an execution returns whole batches
      for (TensorType& output : traced.program.outputs)
        if (!output.dims.empty()) output.dims[0] = key.batch_size;
    traced.program.convolution_algorithm = parts.convolution_algorithm;
    traced.program.precision = parts.precision;
    runtime::ReplicaWork& work = traced.program.replica_work;
    work.num_replicas = std::min(work.num_replicas, options.num_devices);
  });
  return traced;
}

}  // namespace

std::unique_ptr<CompiledStep> make_compiled_step(const ProgramKey& asked, const ModelParts& parts,
                                                 const CompiledStepOptions& options,
                                                 std::string* exact_because) {
  ProgramKey key = asked;
  if (options.is_exact) key.num_replicas = 1;  // without padding, replicas would need equal numbers of rows
  const FaultOptions looks_for{.ids = parts.faults.ids,
                               .non_finite = parts.faults.non_finite && key.kind == ProgramKind::kTrain};
  const auto make_faults = [&] {
    return looks_for.any() ? std::make_shared<StepFaults>(looks_for) : nullptr;
  };
  std::string reason;
  if (key.num_replicas > 1 && key.rows_of_replica() == 1)
    reason = trace_program(with_two_rows_each(key), parts, options, make_faults().get()).reason;
  const std::shared_ptr<StepFaults> faults = make_faults();
  TracedStep traced = trace_program(key, parts, options, faults.get());
  if (reason.empty()) reason = traced.reason;
  if (key.kind == ProgramKind::kTrain) refuse_untracked(*parts.network, traced.program.fixed);
  if (!reason.empty()) {
    CORNU_CHECK(exact_because != nullptr, "a step without padding asks for one without padding: {}", reason);
    *exact_because = reason;
    return nullptr;
  }
  return std::make_unique<CompiledStep>(key, std::move(traced.program), std::move(traced.logs), faults,
                                        options);
}

CompiledStep::CompiledStep(ProgramKey key, TracedProgram traced, std::vector<LogSource> logs,
                           std::shared_ptr<const StepFaults> faults, const CompiledStepOptions& options)
    : StepRunner(std::move(key)),
      traced_(std::move(traced)),
      logs_(std::move(logs)),
      faults_(std::move(faults)),
      exact_because_(options.exact_because),
      num_processes_(options.num_processes),
      stop_(options.stop),
      on_compiled_(options.on_compiled),
      prepares_(!this->key().placement.client()->is_addressable()),
      default_generator_(default_generator_of_step(traced_.state)) {
  std::ranges::copy_if(traced_.state, std::back_inserter(drawn_),
                       [](const Variable& one) { return !one.state().is_claimed_by_runs; });
  if (prepares_) find_small_variables();
  if (!options.in_background || !begin_in_background()) wait();
}

std::unique_ptr<runtime::Executable> CompiledStep::compile() const {
  runtime::StepProgram program = traced_.step_program();
  program.stop = stop_;
  program.devices = key().placement.devices();
  if (is_cut_for_devices(key()))
    return runtime::device_group(key().placement.client().get())->compile_parts(program, key().batch_size);
  return key().placement.client()->compile(program);
}

bool CompiledStep::begin_in_background() {
  try {
    const SignalsBlocked scope;
    compiling_ = std::async(std::launch::async, [this] { return compile(); });
    return true;
  } catch (const std::system_error&) {
    return false;  // the system refused a thread
  }
}

void CompiledStep::wait() {
  if (executable_ != nullptr) return;
  try {
    if (compiling_.valid()) executable_ = compiling_.get();
  } catch (const Error& error) {
    const bool is_of_a_run_before =
        error.code() == ErrorCode::kCancelled && stop_ != nullptr && !stop_->load();
    if (!is_of_a_run_before) throw;
  }
  if (executable_ == nullptr) executable_ = compile();
  async_ = runtime::async_executable(executable_.get());
  if (on_compiled_) on_compiled_(*executable_);
}

namespace {

std::string replicas_note(const ProgramKey& key, std::int64_t num_processes) {
  if (key.num_replicas == 1) return "";
  if (num_processes == 1)
    return fmt::format("{} replicas of {} rows each run as one program\n", key.num_replicas,
                       key.rows_of_replica());
  return fmt::format("{} replicas of {} rows each run in {} processes, {} as one program in each\n",
                     key.num_replicas, key.rows_of_replica(), num_processes,
                     key.num_replicas / num_processes);
}

/// Adds a line for a variable in parts; without work of its own (a slot) it takes part in no message.
void add_table_line(const ShardedTable& sharded, std::int64_t num_devices, std::string& text) {
  const detail::VariableParts& parts = *detail::parts_of(sharded.table);
  const TensorType& type = sharded.table.type();
  const std::int64_t on_device = std::max<std::int64_t>(parts.extent.num_parts / num_devices, 1);
  text += fmt::format("  \"{}\": {}, {} bytes, by {}, {} bytes on each device", sharded.table.path(),
                      type_str(type), type.size_bytes(), parts.axis == 0 ? "rows" : "columns",
                      parts.type_of(type, on_device).size_bytes());
  if (!parts.tables.empty()) text += fmt::format(", a pool of {} tables", parts.tables.size());
  if (sharded.work.num_messages > 0)
    text += fmt::format("; each replica sends {:.0f} bytes in {:.0f} messages a step",
                        sharded.work.exchanged_bytes, sharded.work.num_messages);
  text += '\n';
  for (const Variable& table : parts.tables)
    text +=
        fmt::format("    \"{}\": {}, {} bytes, whole on device {}\n", table.path(), type_str(table.type()),
                    table.type().size_bytes(), detail::parts_of(table)->place->part / on_device);
}

/// The variables that replicas hold in parts with the costs of their lookups, and the tables that are whole.
std::string tables_note(const TracedProgram& traced, const ProgramKey& key) {
  if (key.num_replicas == 1) return "";
  std::string text;
  if (!traced.sharded.empty())
    text = fmt::format("in parts over {} devices:\n", traced.replica_work.num_replicas);
  for (const ShardedTable& sharded : traced.sharded)
    add_table_line(sharded, traced.replica_work.num_replicas, text);
  std::string whole;
  for (const auto& [variables, note] :
       {std::pair(&traced.state, "; its gradient is summed over all"), std::pair(&traced.fixed, "")})
    for (const Variable& variable : *variables)
      if (variable.is_table() && !detail::is_part(variable))
        whole += fmt::format("  \"{}\": {}, {} bytes{}\n", variable.path(), type_str(variable.type()),
                             variable.type().size_bytes(), note);
  return whole.empty() ? text : text + "tables that are whole on each device:\n" + whole;
}

}  // namespace

std::string CompiledStep::explain() const {
  const std::string text = exact_because_.empty()
                               ? executable_->explain()
                               : exact_because_note(executable_->explain(), exact_because_);
  return replicas_note(key(), num_processes_) + tables_note(traced_, key()) + text +
         key().placement.explain_calls();
}

void CompiledStep::find_small_variables() {
  constexpr std::size_t kSmallBytes = 64;
  const auto add = [&](const Variable& variable) {
    if (std::find(small_variables_.begin(), small_variables_.end(), variable) == small_variables_.end())
      small_variables_.push_back(variable);
  };
  for (const LogSource& source : logs_) {
    if (source.value.defined()) add(source.value);
    if (source.metric != nullptr)
      for (const Variable& variable : source.metric->variables()) add(variable);
  }
  for (const Variable& variable : traced_.state)  // without the process's counter, which all threads use
    if (variable.type().size_bytes() <= kSmallBytes && variable.state().is_claimed_by_runs) add(variable);
}

const detail::VariableValues& CompiledStep::last_values() const {
  if (small_variables_.empty()) return StepRunner::last_values();
  if (!last_values_.has_value()) last_values_.emplace(small_variables_);
  return *last_values_;
}

std::unique_ptr<LateLogs> CompiledStep::begin_logs() const {
  if (small_variables_.empty() || runtime::late_reads(*key().placement.client()) == nullptr) return nullptr;
  return std::make_unique<LateLogs>(logs_, small_variables_);
}

std::optional<std::int64_t> CompiledStep::increment_of(const Variable& counter) const {
  const auto found = std::ranges::find(traced_.state, counter);
  if (found == traced_.state.end()) return 0;
  const auto place = static_cast<std::size_t>(found - traced_.state.begin());
  std::size_t argument = 0;
  for (std::size_t states = 0;; ++argument)
    if (traced_.arguments[argument] == runtime::ArgumentKind::kState && states++ == place) break;
  const ir::Block& body = traced_.function->body;
  const ir::Value before = body.arguments()[argument], after = body.results()[place];
  if (after == before) return 0;
  const ir::Op* const sum = after.op();
  if (sum == nullptr || sum->name() != "add" || sum->operand(0) != before) return std::nullopt;
  const std::optional<ir::Literal> added = transform::splat_value(sum->operand(1));
  if (!added.has_value() || !is_integer(added->type().dtype)) return std::nullopt;
  return static_cast<std::int64_t>(added->at(0));
}

std::optional<StepFault> CompiledStep::fault() const {
  if (faults_ == nullptr || !faults_->has_sites()) return std::nullopt;
  const detail::ValuesScope values(last_values());
  return faults_->read(key().num_replicas > 1 ? key().num_replicas * key().rows_of_replica()
                                              : key().batch_size);
}

void CompiledStep::find_buffers() {
  const Placement& placement = key().placement;
  buffers_.moves = detail::variable_moves.load(std::memory_order_acquire);
  buffers_.state = traced_.state_buffers(placement);
  buffers_.fixed.clear();
  buffers_.held_numbers.clear();
  if (!held_.empty()) return;
  buffers_.fixed = traced_.fixed_buffers(placement);
  buffers_.held_numbers = detail::hold_numbers(traced_.fixed, placement, buffers_.fixed.data());
}

// Finding buffers may move some of them; the second look finds those that another thread has written
// meanwhile.
void CompiledStep::bind() {
  std::optional<detail::VariableClaim> drawing;
  claim_drawn(drawing);
  find_buffers();
  if (buffers_.are_stale()) find_buffers();
}

void CompiledStep::claim_drawn(std::optional<detail::VariableClaim>& claim) const {
  if (!drawn_.empty()) [[unlikely]]
    claim.emplace(detail::VariableClaim::Variables{.written = drawn_}, detail::OtherThreads::kWait);
}

// Another thread that has read a counter may still hold its buffer, which an execution must then not replace.
bool CompiledStep::is_bound() const {
  return !buffers_.are_stale() && std::ranges::all_of(drawn_, [&](const Variable& counter) {
    return counter.state().find(key().placement, true) != nullptr;
  });
}

std::int64_t CompiledStep::run(const Batches& batches, runtime::Progress& progress) {
  last_values_.reset();
  begin();
  std::optional<detail::VariableClaim> drawing;
  claim_drawn(drawing);
  if (!is_bound()) [[unlikely]]
    bind();
  return run_on(buffers_.state, held_.empty() ? buffers_.fixed : held_.back().buffers(), batches, progress);
}

runtime::Submission CompiledStep::submit(const Batches& batches, runtime::Progress& progress) {
  if (waits_for_each()) return StepRunner::submit(batches, progress);
  last_values_.reset();
  begin();
  if (!is_bound()) [[unlikely]]
    bind();
  return submit_on(buffers_.state, held_.empty() ? buffers_.fixed : held_.back().buffers(), batches, progress,
                   {}, async_);
}

runtime::Submission CompiledStep::submit_on(Buffers state, Buffers fixed, const Batches& batches,
                                            runtime::Progress& progress, std::span<std::byte* const> outputs,
                                            runtime::AsyncExecutable* async) const {
  progress.steps_done.store(0, std::memory_order_relaxed);
  runtime::Replica replica{.state = state,
                           .fixed = fixed,
                           .rows = batches.bases,
                           .row_indices = batches.row_indices,
                           .num_rows = batches.num_rows,
                           .outputs = outputs};
  if (prepares_ && batches.resident != nullptr) {
    replica.row_buffers = batches.resident->find(key().placement, batches);
    if (!replica.row_buffers.empty()) replica.rows = {};
  }
  std::vector<const std::byte*> fetched;
  if (batches.bases.empty() && replica.row_buffers.empty()) {
    fetched = batches.arrays->bases();
    replica.rows = fetched;
  }
  const runtime::Execution execution{
      .replicas = {&replica, 1}, .num_steps = batches.num_steps, .progress = &progress};
  return async == nullptr ? executable_->execute(execution) : async->submit(execution);
}

}  // namespace cornu::inline v0::keras
