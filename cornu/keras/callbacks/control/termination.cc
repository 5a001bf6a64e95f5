#include "cornu/keras/callbacks/control/termination.h"

#include <atomic>
#include <csignal>

namespace cornu::inline v0::keras::callbacks {
namespace {

std::atomic<bool> termination_is_requested{false}, termination_scope_is_active{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void on_termination(int) { termination_is_requested.store(true); }

}  // namespace

TerminationScope::TerminationScope() {
  struct sigaction before = {};
  if (sigaction(SIGTERM, nullptr, &before) != 0 || before.sa_handler != SIG_DFL) return;
  if (termination_scope_is_active.exchange(true)) return;
  termination_is_requested.store(false);
  struct sigaction action = {};
  action.sa_handler = &on_termination;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  installed_ = sigaction(SIGTERM, &action, nullptr) == 0;
  if (!installed_) termination_scope_is_active.store(false);
}

TerminationScope::~TerminationScope() {
  if (!installed_) return;
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;
  sigaction(SIGTERM, &action, nullptr);
  termination_scope_is_active.store(false);
}

bool TerminationScope::is_requested() const { return installed_ && termination_is_requested.load(); }

}  // namespace cornu::inline v0::keras::callbacks
