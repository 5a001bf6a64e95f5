#include "cornu/plugin/error.h"

#include <pthread.h>

#include <atomic>
#include <exception>
#include <new>

#include "cornu/ops/custom_call/host_functions.h"

namespace cornu::inline v0::plugin {
namespace {

PJRT_Error_Code code_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument: return PJRT_Error_Code_INVALID_ARGUMENT;
    case ErrorCode::kOutOfRange: return PJRT_Error_Code_OUT_OF_RANGE;
    case ErrorCode::kNotFound: return PJRT_Error_Code_NOT_FOUND;
    case ErrorCode::kFailedPrecondition: return PJRT_Error_Code_FAILED_PRECONDITION;
    case ErrorCode::kResourceExhausted: return PJRT_Error_Code_RESOURCE_EXHAUSTED;
    case ErrorCode::kUnimplemented: return PJRT_Error_Code_UNIMPLEMENTED;
    case ErrorCode::kCancelled: return PJRT_Error_Code_CANCELLED;
    case ErrorCode::kDataLoss: return PJRT_Error_Code_DATA_LOSS;
    case ErrorCode::kInternal: return PJRT_Error_Code_INTERNAL;
    case ErrorCode::kUnavailable: return PJRT_Error_Code_UNAVAILABLE;
  }
  return PJRT_Error_Code_UNKNOWN;
}

std::atomic<bool> forked_child{false};

}  // namespace

PJRT_Error current_error() noexcept {
  try {
    throw;
  } catch (const PJRT_Error& error) {
    return error;
  } catch (const Error& error) {
    return {code_of(error.code()), error.what()};
  } catch (const std::bad_alloc&) {
    return {PJRT_Error_Code_RESOURCE_EXHAUSTED, "[pjrt_plugin] not enough memory"};
  } catch (const std::exception& error) {
    return {PJRT_Error_Code_INTERNAL, error.what()};
  } catch (...) {
    return {PJRT_Error_Code_UNKNOWN, "[pjrt_plugin] an exception of unknown type"};
  }
}

void watch_forks() {
  static const int registered = pthread_atfork(nullptr, nullptr, [] { forked_child = true; });
  (void)registered;
}

bool is_forked_child() { return forked_child.load(std::memory_order_relaxed); }

void check_not_forked() {
  if (is_forked_child()) [[unlikely]]
    fail(
        ErrorCode::kFailedPrecondition,
        "[pjrt_plugin] this process was forked from one that uses Cornu, whose threads stayed in the parent: "
        "start processes by spawn (multiprocessing.set_start_method(\"spawn\")) or fork before the first "
        "use");
}

void check_struct_size(std::size_t actual, std::size_t needed) {
  // The size that callers pass does not count the padding at the end.
  if (actual + alignof(std::max_align_t) <= needed) [[unlikely]]
    invalid_argument(
        "[pjrt_plugin] a caller's struct has {} bytes, needed are {}: this plug-in serves programs that are "
        "built "
        "for PJRT {}.{} or later",
        actual, needed, PJRT_API_MAJOR, PJRT_API_MINOR);
}

void check_not_in_host_function() {
  if (ops::is_in_host_function()) [[unlikely]]
    fail(ErrorCode::kFailedPrecondition,
         "[pjrt_plugin] a callback cannot wait for the result of a program that waits for the callback: give "
         "it the "
         "value as an argument");
}

}  // namespace cornu::inline v0::plugin
