#include "cornu/keras/trainer/interrupt.h"

#include <array>
#include <csignal>

#include "cornu/base/check.h"

namespace cornu::inline v0::keras {
namespace {

// The objects that the handler may use: lock-free atomics only.
std::array<std::atomic<std::atomic<bool>*>, InterruptScope::kMaxFlags> stop_flags{};
std::atomic<bool> scope_is_active{false};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<std::atomic<bool>*>::is_always_lock_free);

void on_interrupt(int) {
  for (const auto& stop_flag : stop_flags) {
    if (std::atomic<bool>* flag = stop_flag.load()) flag->store(true);
  }
}

}  // namespace

InterruptScope::InterruptScope(std::span<std::atomic<bool>* const> flags) {
  CORNU_CHECK(flags.size() <= kMaxFlags, "{} flags for Ctrl-C", flags.size());
  struct sigaction before = {};
  if (sigaction(SIGINT, nullptr, &before) != 0 || before.sa_handler != SIG_DFL) return;
  if (scope_is_active.exchange(true)) return;
  for (std::size_t i = 0; i < flags.size(); ++i) stop_flags[i].store(flags[i]);
  struct sigaction action = {};
  action.sa_handler = &on_interrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);  // the second Ctrl-C ends the process
  installed_ = sigaction(SIGINT, &action, nullptr) == 0;
  if (!installed_) scope_is_active.store(false);
}

InterruptScope::~InterruptScope() {
  if (!installed_) return;
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;
  sigaction(SIGINT, &action, nullptr);
  for (auto& stop_flag : stop_flags) stop_flag.store(nullptr);
  scope_is_active.store(false);
}

}  // namespace cornu::inline v0::keras
