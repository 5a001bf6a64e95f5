#include "cornu/backends/slabs/slab_executable.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <exception>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/ir/print.h"
#include "cornu/transform/rewrite.h"

namespace cornu::inline v0::backends::slabs {
namespace {

/// Rows are gathered for one launch while another runs.
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

}  // namespace

/// Memory of one launch.
struct SlabExecutable::Slot {
  HostSlabs slabs;
  std::vector<HostMemoryBlock> output_blocks;
  std::vector<std::byte*> outputs;

  Slot(const std::vector<std::size_t>& row_bytes, std::int64_t batch, std::size_t num_outputs)
      : slabs(row_bytes, batch), output_blocks(num_outputs), outputs(num_outputs) {}
};

struct SlabExecutable::Entry {
  transform::StepLoop loop;
  std::unique_ptr<LoopProgram> program;
  runtime::CompileStats stats;  // with the times of those that were compiled before
};

/// An execution on its way: the launches that are not done.
class SlabExecutable::Run final : public runtime::Event::State {
 public:
  Run(SlabExecutable& executable, const runtime::Execution& execution)
      : executable_(executable),
        replica_(execution.replicas[0]),
        progress_(execution.progress),
        bases_(executable.row_bases(replica_)) {}
  /// Memory that a launch uses must not go before it is done.
  ~Run() override {
    while (!launches_.empty()) finish_first();
  }

  bool is_ready() override {
    const std::lock_guard lock(mutex_);
    return std::all_of(launches_.begin(), launches_.end(),
                       [](const Launch& launch) { return launch.done.is_ready(); });
  }

  /// Throws what the first launch that failed threw, each time it is called.
  void wait() override {
    const std::lock_guard lock(mutex_);
    finish_all();
  }

  /// Throws what a launch before it threw; then nothing is launched.
  void launch(LoopProgram& program, std::int64_t max_steps, std::int64_t first, std::int64_t count) {
    const std::lock_guard lock(mutex_);
    while (launches_.size() >= kLaunchesAhead) finish_first();
    if (error_ != nullptr) finish_all();
    Launch next{.first = first, .count = count, .slot = executable_.lease()};
    next.slot->slabs.gather({bases_, replica_.row_indices}, first, count, max_steps);
    const std::int64_t batch = executable_.signature_.batch();
    next.done = program.launch(
        {.state = replica_.state,
         .fixed = replica_.fixed,
         .slabs = next.slot->slabs.addresses(),
         .slabs_are_on_device = !replica_.row_buffers.empty(),
         .num_steps = count,
         .num_rows = std::clamp<std::int64_t>(replica_.num_rows - first * batch, 0, count * batch),
         .outputs = place_outputs(next, max_steps),
         .output_buffers = replica_.output_buffers,
         .first_output_step = first});
    launches_.push_back(std::move(next));
  }

 private:
  struct Launch {
    std::int64_t first, count;
    std::unique_ptr<Slot> slot;
    runtime::Event done = {};
    bool copies_outputs = false;
  };

  std::size_t output_bytes(std::size_t i) const { return executable_.signature_.outputs()[i].size_bytes(); }

  /// Where the launch writes: the caller's memory, or where that has no room for max_steps, the slot's.
  std::span<std::byte* const> place_outputs(Launch& launch, std::int64_t max_steps) {
    if (replica_.outputs.empty()) return {};
    launch.copies_outputs = launch.count != max_steps;
    for (std::size_t i = 0; i < replica_.outputs.size(); ++i) {
      launch.slot->outputs[i] =
          launch.copies_outputs
              ? launch.slot->output_blocks[i].reserve(CheckedSize(max_steps) * output_bytes(i),
                                                      "the outputs of an execution")
              : replica_.outputs[i] + static_cast<std::size_t>(launch.first) * output_bytes(i);
    }
    return launch.slot->outputs;
  }

  void copy_outputs(const Launch& launch) const {
    for (std::size_t i = 0; i < replica_.outputs.size(); ++i) {
      const std::size_t bytes = output_bytes(i);
      if (bytes > 0)
        std::memcpy(replica_.outputs[i] + static_cast<std::size_t>(launch.first) * bytes,
                    launch.slot->outputs[i], static_cast<std::size_t>(launch.count) * bytes);
    }
  }

  /// What follows from a failure does not count, whatever it says itself.
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
    executable_.give_back(std::move(launch.slot));
  }

  void finish_all() {
    while (!launches_.empty()) finish_first();
    if (error_ != nullptr) std::rethrow_exception(error_);
  }

  SlabExecutable& executable_;
  const runtime::Replica replica_;
  runtime::Progress* progress_;
  std::vector<const std::byte*> bases_;
  std::mutex mutex_;
  std::deque<Launch> launches_;
  std::exception_ptr error_;
};

SlabExecutable::SlabExecutable(const runtime::StepProgram& program, const runtime::Client& client,
                               const SlabLimits& limits)
    : program_(program),
      signature_(program, &client),
      row_bytes_(bytes_of_rows(program, signature_.batch())),
      sizes_(bytes_of_step(signature_, row_bytes_), limits) {
  if (signature_.num_replicas() != 1)
    fail(ErrorCode::kUnimplemented, "[{}] a program runs on one device; got {}", client.platform(),
         signature_.num_replicas());
  step_ = transform::clone_function(*program.step);
  program_.step = step_.get();
  program_.stop = nullptr;  // it is the caller's, and programs are compiled later
}

SlabExecutable::~SlabExecutable() = default;

runtime::Submission SlabExecutable::execute(const runtime::Execution& execution) {
  signature_.check(execution);
  const auto run = std::make_shared<Run>(*this, execution);
  std::int64_t submitted = 0;
  while (submitted < execution.num_steps &&
         (execution.progress == nullptr || !execution.progress->stop.load())) {
    const std::int64_t count = std::min(execution.num_steps - submitted, sizes_.largest());
    try {
      const Entry& entry = entry_for(count);
      run->launch(*entry.program, entry.loop.max_steps, submitted, count);
    } catch (...) {
      run->wait();  // throws what a launch before it threw; then Progress says how far the state has come
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

void SlabExecutable::prepare(std::int64_t num_steps) {
  if (num_steps >= sizes_.largest()) entry_for(sizes_.largest());
  if (const std::int64_t rest = num_steps % sizes_.largest(); rest > 0) entry_for(rest);
}

const SlabExecutable::Entry& SlabExecutable::entry_for(std::int64_t num_steps) const {
  const std::lock_guard lock(entries_mutex_);
  std::vector<std::int64_t> compiled;
  for (const auto& entry : entries_) compiled.push_back(entry->loop.max_steps);
  const std::int64_t max_steps = sizes_.choose(num_steps, compiled);
  const auto found = std::find(compiled.begin(), compiled.end(), max_steps);
  if (found != compiled.end()) return *entries_[static_cast<std::size_t>(found - compiled.begin())];
  auto entry = std::make_unique<Entry>();
  entry->loop = transform::make_step_loop(program_, max_steps);
  entry->program = compile_loop(entry->loop);
  entry->stats = entry->program->stats();
  if (!entries_.empty()) {
    entry->stats.compile_seconds += entries_.back()->stats.compile_seconds;
    entry->stats.code_seconds += entries_.back()->stats.code_seconds;
  }
  entries_.push_back(std::move(entry));
  return *entries_.back();
}

const SlabExecutable::Entry* SlabExecutable::last_entry() const {
  const std::lock_guard lock(entries_mutex_);
  return entries_.empty() ? nullptr : entries_.back().get();
}

const runtime::CompileStats& SlabExecutable::stats() const {
  static const runtime::CompileStats kNone;
  const Entry* const entry = last_entry();
  return entry == nullptr ? kNone : entry->stats;
}

std::string SlabExecutable::explain(const runtime::Profiler* measured) const {
  const Entry* const last = last_entry();
  return explain_entry(last == nullptr ? entry_for(1) : *last, measured);
}

std::string SlabExecutable::explain_for(std::int64_t num_steps, const runtime::Profiler* measured) const {
  return explain_entry(entry_for(std::min(num_steps, sizes_.largest())), measured);
}

std::string SlabExecutable::explain_entry(const Entry& entry, const runtime::Profiler* measured) const {
  return fmt::format("{}: a loop over slabs of up to {} steps\n{}", program_.name, entry.loop.max_steps,
                     entry.program->explain(measured));
}

std::string SlabExecutable::dump(const std::string& stage) const {
  const Entry* const last = last_entry();
  const Entry& entry = last == nullptr ? entry_for(1) : *last;
  if (stage == "loop") return ir::to_stablehlo(*entry.loop.function, entry.loop.donations());
  return entry.program->dump(stage);
}

std::unique_ptr<SlabExecutable::Slot> SlabExecutable::lease() {
  {
    const std::lock_guard lock(slots_mutex_);
    if (!free_slots_.empty()) {
      std::unique_ptr<Slot> slot = std::move(free_slots_.back());
      free_slots_.pop_back();
      return slot;
    }
  }
  return std::make_unique<Slot>(row_bytes_, signature_.batch(), signature_.outputs().size());
}

void SlabExecutable::give_back(std::unique_ptr<Slot> slot) {
  const std::lock_guard lock(slots_mutex_);
  free_slots_.push_back(std::move(slot));
}

std::vector<const std::byte*> SlabExecutable::row_bases(const runtime::Replica& replica) const {
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

}  // namespace cornu::inline v0::backends::slabs
