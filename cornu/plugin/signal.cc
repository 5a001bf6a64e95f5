#include "cornu/plugin/signal.h"

#include <utility>

namespace cornu::inline v0::plugin {
namespace {

PJRT_Error* copy_of(const PJRT_Error* error) { return error == nullptr ? nullptr : new PJRT_Error(*error); }

/// Waits for the event; its failure becomes the result of the call.
PJRT_Error* await(PJRT_Event_Await_Args* args) {
  PJRT_Error* failure = nullptr;
  PJRT_Error* const error = guarded(args, [&](PJRT_Event_Await_Args& checked) {
    Signal& signal = *checked.event->signal;
    if (!signal.is_ready()) {
      check_not_forked();
      check_not_in_host_function();
    }
    signal.wait();
    failure = copy_of(signal.failure());
  });
  return error != nullptr ? error : failure;
}

PJRT_Error* event_error(PJRT_Event_Error_Args* args) {
  PJRT_Event_Await_Args as_await = {
      .struct_size = sizeof as_await, .extension_start = nullptr, .event = args->event};
  return await(&as_await);
}

}  // namespace

const std::shared_ptr<Signal>& Signal::done() {
  static const auto& signal = *[] {
    auto* const made = new std::shared_ptr<Signal>(std::make_shared<Signal>());
    (*made)->set();
    return made;
  }();
  return signal;
}

void Signal::set(std::optional<PJRT_Error> failure) noexcept {
  std::vector<std::function<void()>> callbacks;
  {
    const std::lock_guard lock(mutex_);
    failure_ = std::move(failure);
    is_ready_.store(true, std::memory_order_release);
    callbacks.swap(callbacks_);
    changed_.notify_all();
  }
  for (const auto& callback : callbacks) callback();
}

void Signal::wait() {
  if (is_ready()) return;
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return is_ready(); });
}

void Signal::on_ready(std::function<void()> callback) {
  if (!is_ready()) {
    const std::lock_guard lock(mutex_);
    if (!is_ready()) {
      callbacks_.push_back(std::move(callback));
      return;
    }
  }
  callback();
}

void add_event_functions(PJRT_Api& api) {
  api.PJRT_Error_Destroy = [](PJRT_Error_Destroy_Args* args) { delete args->error; };
  api.PJRT_Error_Message = [](PJRT_Error_Message_Args* args) {
    args->message = args->error->message.data();
    args->message_size = args->error->message.size();
  };
  api.PJRT_Error_GetCode = [](PJRT_Error_GetCode_Args* args) -> PJRT_Error* {
    args->code = args->error->code;
    return nullptr;
  };
  set_release(api.PJRT_Event_Destroy, [](PJRT_Event_Destroy_Args& args) { delete args.event; });
  set_entry(api.PJRT_Event_IsReady,
            [](PJRT_Event_IsReady_Args& args) { args.is_ready = args.event->signal->is_ready(); });
  api.PJRT_Event_Await = await;
  api.PJRT_Event_Error = event_error;
  set_entry(api.PJRT_Event_OnReady, [](PJRT_Event_OnReady_Args& args) {
    const std::shared_ptr<Signal> signal = args.event->signal;
    // jaxlib waits by this function, too.
    if (!signal->is_ready()) check_not_in_host_function();
    const auto call = [callback = args.callback, user = args.user_arg, watched = signal.get()] {
      callback(copy_of(watched->failure()), user);
    };
    signal->on_ready(call);
  });
}

}  // namespace cornu::inline v0::plugin
