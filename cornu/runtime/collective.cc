#include "cornu/runtime/collective.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/log_formatted.h"
#include "cornu/runtime/process_input.h"

namespace cornu::inline v0::runtime {
namespace {

std::shared_ptr<Collective>& slot() {
  static auto* const joined = new std::shared_ptr<Collective>;  // never destroyed: used at exit
  return *joined;
}

/// The processes of this thread's scope; null: none.
thread_local const std::shared_ptr<Collective>* scoped = nullptr;

/// The latest note_process_input() that agree() has not sent yet; 0: none.
std::atomic<std::uint64_t> noted_input{0};
std::atomic<bool> warned_of_input{false};

/// A SharedRun as sent between processes.
struct SentRun {
  std::uint64_t fingerprint = 0;
  std::int64_t num_steps = 0;
  std::uint64_t stop = 0;
  std::uint64_t input = 0;  // note_process_input()
  char program[40] = {};

  std::string str() const {
    return fmt::format("\"{}\" ({:016x}) for {} step{}", program, fingerprint, num_steps,
                       num_steps == 1 ? "" : "s");
  }
};

void warn_of_same_input(std::string_view name, std::span<const SentRun> all) {
  const bool are_same = std::all_of(all.begin(), all.end(), [&](const SentRun& sent) {
    return sent.input != 0 && sent.input == all[0].input;
  });
  if (!are_same || all.size() < 2 || warned_of_input.exchange(true)) return;
  log_warning(
      "[{}] distribute_datasets_from_function gave all {} processes the same first batch: they train on "
      "the same rows, and more processes see no more data. Give each process its part: "
      "context.shard(dataset) in the function, before shuffle",
      name, all.size());
}

}  // namespace

void note_process_input(std::uint64_t fingerprint) {
  noted_input.store(fingerprint, std::memory_order_relaxed);
}

ProcessCounts ProcessCounts::since(const ProcessCounts& before) const {
  return {.calls = calls - before.calls,
          .sent_bytes = sent_bytes - before.sent_bytes,
          .seconds = seconds - before.seconds,
          .waited_seconds = waited_seconds - before.waited_seconds};
}

void ProcessCounts::add(const ProcessCounts& more) {
  calls += more.calls;
  sent_bytes += more.sent_bytes;
  seconds += more.seconds;
  waited_seconds += more.waited_seconds;
}

std::string ProcessCounts::str(std::int64_t num_steps) const {
  if (calls == 0) return "";
  const auto steps = static_cast<double>(std::max<std::int64_t>(1, num_steps));
  const double beside = seconds > 0 ? std::max(0.0, 1 - waited_seconds / seconds) : 0;
  return fmt::format(
      "{:.4g} collectives a step, {:.3f} MB sent, {:.1f} us, of which {:.1f} % beside other work",
      static_cast<double>(calls) / steps, sent_bytes * 1e-6 / steps, seconds * 1e6 / steps, 100 * beside);
}

std::int64_t Collective::start_all_reduce(ir::DType dtype, std::span<std::byte> values) {
  all_reduce(dtype, values);
  return 0;
}
void Collective::finish_all_reduce(std::int64_t) {}

std::int64_t Collective::broadcast(std::int64_t value) {
  return static_cast<std::int64_t>(gather(static_cast<std::uint64_t>(value))[0]);
}

// Implemented as a sum to which the other processes add zeros.
void Collective::broadcast(std::vector<std::byte>& bytes) {
  const auto size = static_cast<std::size_t>(broadcast(static_cast<std::int64_t>(bytes.size())));
  constexpr std::size_t kWord = sizeof(std::int32_t);
  if (!is_chief()) bytes.clear();
  bytes.resize((size + kWord - 1) / kWord * kWord);
  all_reduce(ir::DType::kI32, bytes);
  bytes.resize(size);
}

std::vector<std::uint64_t> Collective::gather(std::uint64_t value) {
  std::vector<std::uint64_t> all(static_cast<std::size_t>(size_));
  all_gather(std::as_bytes(std::span(&value, 1)), std::as_writable_bytes(std::span(all)));
  return all;
}

bool Collective::agree(const SharedRun& run) {
  constexpr int kOnStack = 64;
  SentRun own{.fingerprint = run.fingerprint,
              .num_steps = run.num_steps,
              .stop = run.stop ? 1u : 0u,
              .input = noted_input.exchange(0, std::memory_order_relaxed)};
  std::memcpy(own.program, run.program.data(), std::min(run.program.size(), sizeof(own.program) - 1));
  SentRun on_stack[kOnStack];
  std::vector<SentRun> on_heap(size_ > kOnStack ? static_cast<std::size_t>(size_) : 0);
  const std::span<SentRun> all(on_heap.empty() ? on_stack : on_heap.data(), static_cast<std::size_t>(size_));
  all_gather(std::as_bytes(std::span(&own, 1)), std::as_writable_bytes(all));
  bool stop = false;
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    if (all[rank].fingerprint != all[0].fingerprint || all[rank].num_steps != all[0].num_steps)
      fail(ErrorCode::kFailedPrecondition,
           "[{}] ranks run different programs: rank 0 {}, rank {} {}. All ranks must run the same program "
           "with the same arguments; this is rank {}",
           name_, all[0].str(), rank, all[rank].str(), rank_);
    stop = stop || all[rank].stop != 0;
  }
  if (is_chief() && own.input != 0) warn_of_same_input(name_, all);
  return stop;
}

void Collective::require_same(std::string_view what, std::uint64_t value) {
  const std::vector<std::uint64_t> all = gather(value);
  for (std::size_t rank = 1; rank < all.size(); ++rank)
    if (all[rank] != all[0])
      fail(ErrorCode::kFailedPrecondition,
           "[{}] rank {} and rank 0 differ in {} ({:016x}, {:016x}); this is rank {}", name_, rank, what,
           all[rank], all[0], rank_);
}

const std::shared_ptr<Collective>& joined_processes() { return scoped == nullptr ? slot() : *scoped; }
void join_processes(std::shared_ptr<Collective> processes) { slot() = std::move(processes); }

CollectiveScope::CollectiveScope(std::shared_ptr<Collective> processes)
    : processes_(std::move(processes)), outer_(std::exchange(scoped, &processes_)) {}
CollectiveScope::~CollectiveScope() { scoped = outer_; }

bool is_chief() { return slot() == nullptr || slot()->is_chief(); }

}  // namespace cornu::inline v0::runtime
