#include "cornu/runtime/profiler.h"

#include <algorithm>
#include <atomic>
#include <new>
#include <utility>

#include "cornu/base/per_thread.h"
#include "cornu/base/tick_clock.h"
#include "cornu/runtime/profiler_state.h"

namespace cornu::inline v0::runtime {
namespace {

// Read first by every execution: without profilers the cost is one plain load.
std::atomic<int> num_active_profilers{0};

/// A profiler between start() and stop(); another thread may call stop().
struct ActiveProfiler {
  Profiler* profiler;
  std::shared_ptr<const std::atomic<bool>> is_active;
};
/// The active profilers of a thread, innermost last.
struct ThreadProfilers {
  std::vector<ActiveProfiler> stack;

  Profiler* innermost() {
    while (!stack.empty() && !stack.back().is_active->load(std::memory_order_acquire)) stack.pop_back();
    return stack.empty() ? nullptr : stack.back().profiler;
  }
};

}  // namespace

Profiler::Profiler(const ProfilerOptions& options) : options_(options), state_(std::make_unique<State>()) {
  state_->max_events = options.max_events;
  start_tick_clock();
}

Profiler::~Profiler() { stop(); }

void Profiler::start() {
  if (state_->active != nullptr) return;
  auto active = std::make_shared<std::atomic<bool>>(true);
  ThreadProfilers& own = PerThread<ThreadProfilers>::get();
  own.innermost();  // removes stopped ones
  own.stack.push_back({this, active});
  state_->active = std::move(active);
  num_active_profilers.fetch_add(1, std::memory_order_relaxed);
  state_->since = read_ticks();
}

void Profiler::stop() noexcept {
  if (state_->active == nullptr) return;
  state_->active->store(false, std::memory_order_release);
  state_->active.reset();
  state_->wall += read_ticks() - state_->since;
  num_active_profilers.fetch_sub(1, std::memory_order_relaxed);
}

Profiler* Profiler::current() noexcept {
  if (num_active_profilers.load(std::memory_order_relaxed) == 0) return nullptr;
  ThreadProfilers* const own = PerThread<ThreadProfilers>::find();
  return own == nullptr ? nullptr : own->innermost();
}

void Profiler::leave_out(std::int64_t ticks) { state_->left_out += ticks; }

double Profiler::wall_seconds() const {
  const std::int64_t running = state_->active != nullptr ? read_ticks() - state_->since : 0;
  return static_cast<double>(std::max<std::int64_t>(0, state_->wall + running - state_->left_out)) *
         seconds_per_tick();
}

void Profiler::record(const std::shared_ptr<const ProgramFacts>& facts, const ExecutionProfile& execution) {
  State& state = *state_;
  const std::lock_guard<std::mutex> lock(state.mutex);
  ProgramTicks& program = state.program_of(facts);
  for (std::size_t g = 0; g < execution.ticks.size(); ++g) {
    program.ticks[g] += execution.ticks[g];
    program.calls[g] += execution.calls[g];
  }
  program.executions += 1;
  program.steps += execution.steps * state.steps_of_loop;
  program.total += execution.end - execution.begin;
  program.collectives.add(execution.collectives);

  const int track = state.own_track();
  const auto number = static_cast<std::size_t>(&program - state.programs.data());
  state.add_slice({number, track, {kExecutionEvent, execution.begin, execution.end}});
  for (const ProfileEvent& event : execution.events) state.add_slice({number, track, event});
  state.slices_are_cut = state.slices_are_cut || execution.events_are_cut;
}

ProgramTicks& Profiler::State::program_of(const std::shared_ptr<const ProgramFacts>& facts) {
  const auto found =
      std::find_if(programs.begin(), programs.end(), [&](const ProgramTicks& p) { return p.facts == facts; });
  if (found != programs.end()) return *found;
  const std::size_t size = facts->groups.size();
  programs.push_back(
      {.facts = facts, .ticks = std::vector<std::int64_t>(size), .calls = std::vector<std::int64_t>(size)});
  return programs.back();
}

int Profiler::State::own_track() {
  const auto self = std::this_thread::get_id();
  auto thread = std::find(threads.begin(), threads.end(), self);
  if (thread == threads.end()) thread = threads.insert(thread, self);
  return static_cast<int>(thread - threads.begin());
}

std::size_t Profiler::State::process_of(const ProfileMember& member) {
  auto known = std::find(members.begin(), members.end(), member);
  if (known == members.end()) known = members.insert(known, member);
  return static_cast<std::size_t>(known - members.begin()) + 1;
}

void Profiler::State::on_loop_part(int thread, std::int64_t begin, std::int64_t end) noexcept {
  const std::lock_guard<std::mutex> lock(mutex);
  try {
    add_slice({0, kFirstPoolTrack + thread, {kLoopEvent, begin, end}});
  } catch (const std::bad_alloc&) {
    slices_are_cut = true;
  }
}

std::shared_ptr<const ProgramProfile> Profiler::program(const ProgramFacts* facts) const {
  for (ProgramProfile& profile : programs())
    if (profile.facts.get() == facts) return std::make_shared<const ProgramProfile>(std::move(profile));
  return nullptr;
}

Profiler::PoolWatch::PoolWatch(Profiler& profiler, ThreadPool& pool)
    : pool_(pool), observer_(profiler.state_.get()) {
  if (!pool_.watch(*observer_)) observer_ = nullptr;
}

Profiler::PoolWatch::~PoolWatch() {
  if (observer_ != nullptr) pool_.unwatch();
}

Profiler::LoopScope::LoopScope(std::int64_t num_steps) : profiler_(current()) {
  if (profiler_ != nullptr) before_ = std::exchange(profiler_->state_->steps_of_loop, num_steps);
}

Profiler::LoopScope::~LoopScope() {
  if (profiler_ != nullptr) profiler_->state_->steps_of_loop = before_;
}

}  // namespace cornu::inline v0::runtime
