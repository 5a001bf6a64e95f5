#include "tests/pjrt/failing_plugin.h"

#include <mutex>
#include <set>

#include "tests/pjrt/own_errors.h"

namespace cornu::inline v0::pjrt_tests {
namespace {

using Call = PlannedFailure::Call;

const PJRT_Api* real = nullptr;
PJRT_Api api;
std::mutex mutex;
PlannedFailure planned;

PJRT_Error* make_error(const PlannedFailure& failure) {
  return OwnErrors::make(failure.code, failure.message);
}

/// The error of a call that is to fail, once; else null.
PJRT_Error* failure_of(Call call) {
  const std::lock_guard lock(mutex);
  if (planned.call != call || planned.after-- > 0) return nullptr;
  planned.call = Call::kNone;
  return make_error(planned);
}

std::set<PJRT_Event*> failing_events;
PJRT_Error* await(PJRT_Event_Await_Args* args) {
  const bool fails = [&] {
    const std::lock_guard lock(mutex);
    return failing_events.contains(args->event);
  }();
  if (PJRT_Error* const error = real->PJRT_Event_Await(args)) return error;
  if (!fails) return nullptr;
  const std::lock_guard lock(mutex);
  return make_error(planned);
}
PJRT_Error* execute(PJRT_LoadedExecutable_Execute_Args* args) {
  if (PJRT_Error* const error = failure_of(Call::kExecute)) return error;
  PJRT_Error* const later = failure_of(Call::kExecuteLater);
  PJRT_Error* const error = real->PJRT_LoadedExecutable_Execute(args);
  if (later == nullptr || error != nullptr) return error;
  PJRT_Error_Destroy_Args destroy{};
  destroy.error = later;
  OwnErrors::destroy(&destroy);
  const std::lock_guard lock(mutex);
  failing_events.insert(args->device_complete_events[0]);
  return nullptr;
}
PJRT_Error* destroy_event(PJRT_Event_Destroy_Args* args) {
  const std::lock_guard lock(mutex);
  failing_events.erase(args->event);
  return real->PJRT_Event_Destroy(args);
}
PJRT_Error* send(PJRT_Client_BufferFromHostBuffer_Args* args) {
  PJRT_Error* const error = failure_of(Call::kSend);
  return error != nullptr ? error : real->PJRT_Client_BufferFromHostBuffer(args);
}
PJRT_Error* receive(PJRT_Buffer_ReadyEvent_Args* args) {
  PJRT_Error* const error = failure_of(Call::kReceive);
  return error != nullptr ? error : real->PJRT_Buffer_ReadyEvent(args);
}
PJRT_Error* memory_stats(PJRT_Device_MemoryStats_Args* args) {
  args->bytes_in_use = 900;
  args->bytes_limit = 1000;
  args->bytes_limit_is_set = true;
  return nullptr;
}

}  // namespace

extern "C" void plan_failure(const PlannedFailure& failure) {
  const std::lock_guard lock(mutex);
  planned = failure;
}

// NOLINTNEXTLINE(readability-identifier-naming): PJRT's name
extern "C" const PJRT_Api* GetPjrtApi() {
  real = OwnErrors::take_over(api);
  if (real == nullptr) return nullptr;
  api.PJRT_Event_Await = await;
  api.PJRT_Event_Destroy = destroy_event;
  api.PJRT_LoadedExecutable_Execute = execute;
  api.PJRT_Client_BufferFromHostBuffer = send;
  api.PJRT_Buffer_ReadyEvent = receive;
  api.PJRT_Device_MemoryStats = memory_stats;
  return &api;
}

}  // namespace cornu::inline v0::pjrt_tests
