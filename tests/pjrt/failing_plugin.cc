#include "tests/pjrt/failing_plugin.h"

#include <dlfcn.h>

#include <cstdlib>
#include <mutex>
#include <set>

namespace cornu::inline v0::pjrt_tests {
namespace {

using Call = PlannedFailure::Call;

const PJRT_Api* real = nullptr;
PJRT_Api api;
std::mutex mutex;
PlannedFailure planned;

/// An error of this library; those of the real one are told apart by the set.
struct OwnError {
  PJRT_Error_Code code;
  std::string message;
};
std::set<const void*> own_errors;

PJRT_Error* make_error(const PlannedFailure& failure) {
  auto* const error = new OwnError{failure.code, failure.message};
  own_errors.insert(error);
  return reinterpret_cast<PJRT_Error*>(error);
}
const OwnError* own(const PJRT_Error* error) {
  const std::lock_guard lock(mutex);
  return own_errors.count(error) != 0 ? reinterpret_cast<const OwnError*>(error) : nullptr;
}

/// The error of a call that is to fail, once; else null.
PJRT_Error* failure_of(Call call) {
  const std::lock_guard lock(mutex);
  if (planned.call != call || planned.after-- > 0) return nullptr;
  planned.call = Call::kNone;
  return make_error(planned);
}

void destroy_error(PJRT_Error_Destroy_Args* args) {
  if (const OwnError* const error = own(args->error)) {
    const std::lock_guard lock(mutex);
    own_errors.erase(error);
    delete error;
  } else {
    real->PJRT_Error_Destroy(args);
  }
}
void error_message(PJRT_Error_Message_Args* args) {
  if (const OwnError* const error = own(args->error)) {
    args->message = error->message.data();
    args->message_size = error->message.size();
  } else {
    real->PJRT_Error_Message(args);
  }
}
PJRT_Error* error_code(PJRT_Error_GetCode_Args* args) {
  const OwnError* const error = own(args->error);
  if (error == nullptr) return real->PJRT_Error_GetCode(args);
  args->code = error->code;
  return nullptr;
}

std::set<PJRT_Event*> failing_events;
PJRT_Error* await(PJRT_Event_Await_Args* args) {
  const bool fails = [&] {
    const std::lock_guard lock(mutex);
    return failing_events.count(args->event) != 0;
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
  destroy_error(&destroy);
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

extern "C" const PJRT_Api* GetPjrtApi() {
  void* const library = dlopen(std::getenv("CORNU_TEST_PJRT_CPU"), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  real = reinterpret_cast<const PJRT_Api* (*)()>(dlsym(library, "GetPjrtApi"))();
  api = *real;
  api.PJRT_Error_Destroy = destroy_error;
  api.PJRT_Error_Message = error_message;
  api.PJRT_Error_GetCode = error_code;
  api.PJRT_Event_Await = await;
  api.PJRT_Event_Destroy = destroy_event;
  api.PJRT_LoadedExecutable_Execute = execute;
  api.PJRT_Client_BufferFromHostBuffer = send;
  api.PJRT_Buffer_ReadyEvent = receive;
  api.PJRT_Device_MemoryStats = memory_stats;
  return &api;
}

}  // namespace cornu::inline v0::pjrt_tests
