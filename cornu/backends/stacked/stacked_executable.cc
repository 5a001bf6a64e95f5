#include "cornu/backends/stacked/stacked_executable.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <exception>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/divide_up.h"
#include "cornu/base/error.h"
#include "cornu/ir/print.h"
#include "cornu/runtime/profiler.h"
#include "cornu/transform/rewrite.h"

namespace cornu::inline v0::backends::stacked {
namespace {

/// Rows of one launch are gathered while another one runs.
constexpr std::size_t kLaunchesAhead = 2;

std::vector<std::size_t> bytes_of_rows(const runtime::StepProgram& program, std::int64_t batch) {
  std::vector<std::size_t> bytes;
  for (std::size_t i = 0; i < program.arguments.size(); ++i)
    if (program.arguments[i] == runtime::ArgumentKind::kRows)
      bytes.push_back(program.step->body.arguments()[i].type().size_bytes() /
                      static_cast<std::size_t>(batch));
  return bytes;
}

std::size_t bytes_of_step(const runtime::ProgramSignature& signature,
                          const std::vector<std::size_t>& row_bytes) {
  std::size_t bytes = 0;
  for (const std::size_t row : row_bytes) bytes += row * static_cast<std::size_t>(signature.batch());
  for (const ir::TensorType& output : signature.outputs()) bytes += output.size_bytes();
  return bytes;
}

/// Records an execution in the calling thread's profiler if the device measures nothing.
class ProfileNote {
 public:
  ~ProfileNote() {
    if (profiler_ != nullptr && profiler_->num_executions() == before_) profiler_->record_unmeasured();
  }

 private:
  runtime::Profiler* const profiler_ = runtime::Profiler::current();
  const std::int64_t before_ = profiler_ == nullptr ? 0 : profiler_->num_executions();
};

}  // namespace

std::string loop_text(const transform::StepLoop& loop) {
  return ir::to_stablehlo(*loop.function, loop.donations());
}

/// Memory of one replica during one launch.
struct StackedExecutable::Slot {
  StackedBatches stacks;
  HostMemoryBlock row_indices;
  std::vector<HostMemoryBlock> output_blocks;
  std::vector<std::byte*> outputs;

  Slot(const std::vector<std::size_t>& row_bytes, std::int64_t batch, std::size_t num_outputs)
      : stacks(row_bytes, batch), output_blocks(num_outputs), outputs(num_outputs) {}
};

/// Pool of launch memory, shared by executions, with the sizes that depend on the program.
class StackedExecutable::Slots {
 public:
  Slots(std::vector<std::size_t> row_bytes, const runtime::ProgramSignature& signature)
      : row_bytes_(std::move(row_bytes)), batch_(signature.batch()) {
    for (const ir::TensorType& output : signature.outputs()) output_bytes_.push_back(output.size_bytes());
  }

  std::int64_t batch() const { return batch_; }
  /// The size of an output of one step.
  std::size_t output_bytes(std::size_t i) const { return output_bytes_[i]; }
  /// The size of a slot for each step of a program. `has_rows`: rows are gathered here, not on the device.
  std::size_t step_bytes(bool has_rows, bool has_outputs) const {
    const auto rows = static_cast<std::size_t>(batch_);
    std::size_t bytes = has_rows ? 0 : rows * sizeof(std::int64_t);
    for (const std::size_t row : row_bytes_) bytes += has_rows ? rows * row : 0;
    for (const std::size_t output : output_bytes_) bytes += has_outputs ? output : 0;
    return bytes;
  }

  std::unique_ptr<Slot> lease() {
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        std::unique_ptr<Slot> slot = std::move(free_.back());
        free_.pop_back();
        return slot;
      }
    }
    return std::make_unique<Slot>(row_bytes_, batch_, output_bytes_.size());
  }
  void give_back(std::unique_ptr<Slot> slot) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(slot));
  }

 private:
  std::vector<std::size_t> row_bytes_, output_bytes_;
  std::int64_t batch_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Slot>> free_;
};

struct StackedExecutable::Entry {
  transform::StepLoop loop;
  std::unique_ptr<LoopProgram> program;
  runtime::CompileStats stats;  // including the compile times of earlier programs
};

/// A running execution: its unfinished launches.
class StackedExecutable::Run final : public runtime::Event::State {
 public:
  Run(const StackedExecutable& executable, const runtime::Execution& execution)
      : slots_(executable.slots_),
        replicas_(execution.replicas.begin(), execution.replicas.end()),
        progress_(execution.progress),
        gathers_rows_(executable.gathers_rows()) {
    for (const runtime::Replica& replica : replicas_)
      bases_.push_back(is_gathered_there(replica) ? std::vector<const std::byte*>()
                                                  : executable.row_bases(replica));
  }
  /// Waits, because launches use the memory until they are done.
  ~Run() override {
    while (!launches_.empty()) finish_first();
  }

  bool is_ready() override {
    const std::lock_guard lock(mutex_);
    return std::all_of(launches_.begin(), launches_.end(),
                       [](const Launch& launch) { return launch.done.is_ready(); });
  }

  /// Waits. Throws the error of the first failed launch, the same at each call.
  void wait() override {
    const std::lock_guard lock(mutex_);
    finish_all();
  }

  /// Begins a launch, or throws the error of an earlier one.
  void launch(std::shared_ptr<const Entry> entry, std::int64_t first, std::int64_t count) {
    const std::lock_guard lock(mutex_);
    while (launches_.size() >= kLaunchesAhead) finish_first();
    if (error_ != nullptr) finish_all();
    LoopProgram& program = *entry->program;
    Launch next{.first = first, .count = count, .entry = std::move(entry)};
    std::vector<LoopLaunch> together;
    for (std::size_t replica = 0; replica < replicas_.size(); ++replica) {
      next.slots.push_back(slots_->lease());
      together.push_back(prepare(next, replica));
    }
    next.done = program.launch_together(together);
    launches_.push_back(std::move(next));
  }

 private:
  struct Launch {
    std::int64_t first, count;
    std::shared_ptr<const Entry> entry;
    std::vector<std::unique_ptr<Slot>> slots = {};  // one for each replica
    runtime::Event done = {};
    bool copies_outputs = false;
  };

  bool is_gathered_there(const runtime::Replica& replica) const {
    return gathers_rows_ && !replica.row_buffers.empty();
  }

  /// The row numbers of the launch; entries after the last step may name any row.
  const std::int64_t* place_row_indices(const Launch& launch, const runtime::Replica& replica, Slot& slot) {
    const std::int64_t batch = slots_->batch();
    const CheckedSize count = CheckedSize(launch.entry->loop.max_steps) * batch;
    const CheckedSize bytes = count * static_cast<std::int64_t>(sizeof(std::int64_t));
    auto* const to = reinterpret_cast<std::int64_t*>(slot.row_indices.reserve(bytes, "the numbers of rows"));
    const std::int64_t* const from = replica.row_indices + launch.first * batch;
    std::fill(std::copy_n(from, launch.count * batch, to), to + count.value("rows"), *from);
    return to;
  }

  /// Gathers a replica's rows, or passes the row numbers to a device that gathers them.
  LoopLaunch prepare(Launch& launch, std::size_t number) {
    const runtime::Replica& replica = replicas_[number];
    Slot& slot = *launch.slots[number];
    const bool gathers = !is_gathered_there(replica);
    if (gathers)
      slot.stacks.gather({bases_[number], replica.row_indices}, launch.first, launch.count,
                         launch.entry->loop.max_steps);
    const std::int64_t batch = slots_->batch();
    return {.state = replica.state,
            .fixed = replica.fixed,
            .stacks = gathers ? slot.stacks.addresses() : std::span<const std::byte* const>(),
            .stacks_are_on_device = !replica.row_buffers.empty(),
            .row_buffers = gathers ? std::span<runtime::Buffer* const>() : replica.row_buffers,
            .row_indices = gathers ? nullptr : place_row_indices(launch, replica, slot),
            .num_steps = launch.count,
            .num_rows =
                std::clamp<std::int64_t>(replica.num_rows - launch.first * batch, 0, launch.count * batch),
            .outputs = place_outputs(launch, number),
            .output_buffers = replica.output_buffers,
            .first_output_step = launch.first};
  }

  /// Destinations of the outputs: the caller's memory, or the slot's if the caller's is too small for
  /// max_steps.
  std::span<std::byte* const> place_outputs(Launch& launch, std::size_t number) {
    const std::int64_t max_steps = launch.entry->loop.max_steps;
    const runtime::Replica& replica = replicas_[number];
    Slot& slot = *launch.slots[number];
    if (replica.outputs.empty()) return {};
    launch.copies_outputs = launch.count != max_steps;
    for (std::size_t i = 0; i < replica.outputs.size(); ++i) {
      slot.outputs[i] =
          launch.copies_outputs
              ? slot.output_blocks[i].reserve(CheckedSize(max_steps) * slots_->output_bytes(i),
                                              "the outputs of an execution")
              : replica.outputs[i] + static_cast<std::size_t>(launch.first) * slots_->output_bytes(i);
    }
    return slot.outputs;
  }

  void copy_outputs(const Launch& launch) const {
    for (std::size_t number = 0; number < replicas_.size(); ++number) {
      const std::span<std::byte* const> outputs = replicas_[number].outputs;
      for (std::size_t i = 0; i < outputs.size(); ++i) {
        const std::size_t bytes = slots_->output_bytes(i);
        if (bytes > 0)
          std::memcpy(outputs[i] + static_cast<std::size_t>(launch.first) * bytes,
                      launch.slots[number]->outputs[i], static_cast<std::size_t>(launch.count) * bytes);
      }
    }
  }

  /// Finishes the first launch. Errors after a failure are ignored, since they result from it.
  void finish_first() {
    Launch launch = std::move(launches_.front());
    launches_.pop_front();
    try {
      launch.done.wait();
      if (error_ == nullptr) {
        if (launch.copies_outputs) copy_outputs(launch);
        if (progress_ != nullptr) progress_->steps_done.store(launch.first + launch.count);
      }
    } catch (...) {
      if (error_ == nullptr) error_ = std::current_exception();
    }
    for (std::unique_ptr<Slot>& slot : launch.slots) slots_->give_back(std::move(slot));
  }

  void finish_all() {
    while (!launches_.empty()) finish_first();
    if (error_ != nullptr) std::rethrow_exception(error_);
  }

  std::shared_ptr<Slots> slots_;
  const std::vector<runtime::Replica> replicas_;
  runtime::Progress* progress_;
  const bool gathers_rows_;
  std::vector<std::vector<const std::byte*>> bases_;  // for each replica
  std::mutex mutex_;
  std::deque<Launch> launches_;
  std::exception_ptr error_;
};

StackedExecutable::StackedExecutable(const runtime::StepProgram& program, const runtime::Client& client,
                                     const LaunchLimits& limits)
    : program_(program),
      signature_(program, &client),
      slots_(std::make_shared<Slots>(bytes_of_rows(program, signature_.batch()), signature_)),
      sizes_(bytes_of_step(signature_, bytes_of_rows(program, signature_.batch())), limits) {
  if (signature_.num_replicas() > limits.max_replicas)
    fail(ErrorCode::kUnimplemented, "[{}] {} run a program together; got {}", client.platform(),
         limits.max_replicas == 1 ? "no two devices" : fmt::format("at most {} devices", limits.max_replicas),
         signature_.num_replicas());
  step_ = transform::clone_function(*program.step);
  program_.step = step_.get();
  program_.stop = nullptr;  // it belongs to the caller, and programs are compiled later
}

StackedExecutable::~StackedExecutable() = default;

runtime::Submission StackedExecutable::execute(const runtime::Execution& execution) {
  signature_.check(execution);
  const ProfileNote note;
  const auto run = std::make_shared<Run>(*this, execution);
  std::int64_t submitted = 0;
  while (submitted < execution.num_steps &&
         (execution.progress == nullptr || !execution.progress->is_stopping())) {
    const std::int64_t count = std::min(execution.num_steps - submitted, sizes_.largest());
    try {
      run->launch(entry_for(count), submitted, count);
    } catch (...) {
      run->wait();  // throws an earlier launch's error; Progress then tells the state's step
      throw;
    }
    submitted += count;
  }
  if (run->is_ready()) {
    run->wait();
    return {.done = {}, .num_steps = submitted};
  }
  return {.done = runtime::Event(run), .num_steps = submitted};
}

void StackedExecutable::prepare(std::int64_t num_steps) {
  if (num_steps >= sizes_.largest()) entry_for(sizes_.largest());
  if (const std::int64_t rest = num_steps % sizes_.largest(); rest > 0) entry_for(rest);
}

std::size_t StackedExecutable::kept_bytes(const runtime::Replica& replica, std::int64_t num_steps) {
  prepare(num_steps);
  const std::int64_t largest = sizes_.largest(), of_launch = std::min(num_steps, largest);
  const auto num_launches = std::min(kLaunchesAhead, static_cast<std::size_t>(divide_up(num_steps, largest)));
  const bool has_rows = !gathers_rows() || replica.row_buffers.empty();
  const std::size_t max_steps =
      of_launch == 0 ? 0 : static_cast<std::size_t>(entry_for(of_launch)->loop.max_steps);
  const std::size_t launch_bytes = num_launches * static_cast<std::size_t>(signature_.num_replicas()) *
                                   max_steps * slots_->step_bytes(has_rows, !replica.outputs.empty());
  const std::lock_guard lock(entries_mutex_);
  most_launch_bytes_ = std::max(most_launch_bytes_, launch_bytes);
  std::size_t bytes = most_launch_bytes_;
  for (const auto& entry : entries_) bytes += entry->stats.arena_bytes;
  return bytes;
}

std::shared_ptr<const StackedExecutable::Entry> StackedExecutable::entry_for(std::int64_t num_steps) const {
  const std::lock_guard lock(entries_mutex_);
  std::vector<std::int64_t> compiled;
  compiled.reserve(entries_.size());
  for (const auto& entry : entries_) compiled.push_back(entry->loop.max_steps);
  const std::int64_t max_steps = sizes_.choose(num_steps, compiled);
  const auto found = std::find(compiled.begin(), compiled.end(), max_steps);
  if (found != compiled.end()) return entries_[static_cast<std::size_t>(found - compiled.begin())];
  const auto entry = std::make_shared<Entry>();
  entry->loop = transform::make_step_loop(program_, max_steps);
  entry->program = compile_loop(entry->loop);
  entry->stats = entry->program->stats();
  if (!entries_.empty()) {
    entry->stats.compile_seconds += entries_.back()->stats.compile_seconds;
    entry->stats.code_seconds += entries_.back()->stats.code_seconds;
  }
  entries_.push_back(entry);
  return entry;
}

std::shared_ptr<const StackedExecutable::Entry> StackedExecutable::last_entry() const {
  const std::lock_guard lock(entries_mutex_);
  return entries_.empty() ? nullptr : entries_.back();
}

const runtime::CompileStats& StackedExecutable::stats() const {
  static const runtime::CompileStats kNone;
  const std::shared_ptr<const Entry> entry = last_entry();  // entries are kept
  return entry == nullptr ? kNone : entry->stats;
}

std::string StackedExecutable::explain(const runtime::Profiler* measured) const {
  const std::shared_ptr<const Entry> last = last_entry();
  return explain_entry(last == nullptr ? *entry_for(1) : *last, measured);
}

std::string StackedExecutable::explain_for(std::int64_t num_steps, const runtime::Profiler* measured) const {
  return explain_entry(*entry_for(std::min(num_steps, sizes_.largest())), measured);
}

std::string StackedExecutable::explain_entry(const Entry& entry, const runtime::Profiler* measured) const {
  return fmt::format("{}: a loop over stacks of up to {} steps\n{}", program_.name, entry.loop.max_steps,
                     entry.program->explain(measured));
}

std::string StackedExecutable::dump(const std::string& stage) const {
  const std::shared_ptr<const Entry> last = last_entry();
  if (stage == "loop") return last == nullptr ? loop_text(loop_for(1)) : loop_text(last->loop);
  const std::shared_ptr<const Entry> entry = last == nullptr ? entry_for(1) : last;
  try {
    return entry->program->dump(stage);
  } catch (const Error& error) {
    // The program lists its own stages.
    if (error.code() != ErrorCode::kInvalidArgument) throw;
    throw error.with({.notes = "there is also the stage \"loop\""});
  }
}

transform::StepLoop StackedExecutable::loop_for(std::int64_t num_steps) const {
  return transform::make_step_loop(program_, sizes_.choose(std::min(num_steps, sizes_.largest()), {}));
}

std::vector<const std::byte*> StackedExecutable::row_bases(const runtime::Replica& replica) const {
  if (replica.row_buffers.empty()) return {replica.rows.begin(), replica.rows.end()};
  std::vector<const std::byte*> bases;
  for (const runtime::Buffer* buffer : replica.row_buffers) {
    bases.push_back(device_memory(*buffer));
    if (bases.back() == nullptr && buffer->type().size_bytes() > 0)
      fail(ErrorCode::kUnimplemented,
           "rows of program \"{}\" lie in a buffer of a device that cannot gather them: give them as host "
           "memory",
           program_.name);
  }
  return bases;
}

}  // namespace cornu::inline v0::backends::stacked
