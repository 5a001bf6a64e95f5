#include "cornu/ops/custom_call/host_functions.h"

#include <array>
#include <condition_variable>
#include <mutex>
#include <string_view>
#include <unordered_map>

#include "cornu/base/check.h"
#include "cornu/base/float_environment.h"

namespace cornu::inline v0::ops {
namespace {

/// Bytes of a message, with its final zero.
constexpr std::size_t kMessageBytes = 8192;

struct Registry {
  std::mutex mutex;
  std::unordered_map<std::uint64_t, std::shared_ptr<const HostFunctionEntry>> entries;
  std::condition_variable finished;
  int num_running = 0;
  bool is_closed = false;
};

/// Never destroyed: calls may run while the process ends.
Registry& registry() {
  static auto& made = *new Registry;
  return made;
}

thread_local int calls_on_this_thread = 0;

/// A call that runs: close_host_functions waits for it.
class Running {
 public:
  Running() {
    Registry& all = registry();
    const std::lock_guard lock(all.mutex);
    if (all.is_closed)
      fail(ErrorCode::kFailedPrecondition,
           "[host_call] the process is ending: wait for the results of programs with callbacks before");
    ++all.num_running;
    ++calls_on_this_thread;
  }
  ~Running() {
    Registry& all = registry();
    const std::lock_guard lock(all.mutex);
    --all.num_running;
    --calls_on_this_thread;
    all.finished.notify_all();
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
};

}  // namespace

void HostFunctionEntry::call(std::span<const void* const> operands, std::span<void* const> results) const {
  std::array<char, kMessageBytes> message{};
  int status = 0;
  {
    const Running running;
    const FloatEnvironment arithmetic(FloatEnvironment::Subnormals::kKept);
    status = function_(id_, operands.data(), results.data(), message.data(), message.size());
  }
  if (status == 0) return;
  message.back() = '\0';
  fail(ErrorCode::kFailedPrecondition, "[host_call] {}", std::string_view(message.data()));
}

void add_host_function(std::uint64_t id, HostFunction function) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  if (!all.entries.emplace(id, std::make_shared<const HostFunctionEntry>(id, function)).second)
    invalid_argument("[host_call] there is a function with the number {}", id);
}

bool remove_host_function(std::uint64_t id) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  const auto found = all.entries.find(id);
  if (found == all.entries.end()) return true;
  if (found->second.use_count() > 1) return false;
  all.entries.erase(found);
  return true;
}

std::shared_ptr<const HostFunctionEntry> find_host_function(std::uint64_t id) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  const auto found = all.entries.find(id);
  if (found == all.entries.end())
    fail(ErrorCode::kFailedPrecondition,
         "[host_call] this process has no function with the number {}: a program with callbacks runs only in "
         "the process that compiled it",
         id);
  return found->second;
}

bool is_in_host_function() { return calls_on_this_thread > 0; }

void close_host_functions() {
  Registry& all = registry();
  std::unique_lock lock(all.mutex);
  all.is_closed = true;
  all.finished.wait(lock, [&] { return all.num_running == 0; });
}

}  // namespace cornu::inline v0::ops
