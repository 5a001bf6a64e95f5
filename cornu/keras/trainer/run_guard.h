#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <new>
#include <optional>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/keras/callbacks/callback_list.h"

namespace cornu::inline v0::keras {

inline double seconds_now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

inline void require_at_least_one(const std::optional<std::int64_t>& value, const char* name, const char* caller) {
  if (value.has_value() && *value < 1) invalid_argument("[{}] {} must be at least 1; got {} = {}", caller, name, name, *value);
}

/// The steps of a run over data of `available` steps; that they are fewer than `wanted` is warned of, as in Keras.
inline std::int64_t steps_of_run(const std::optional<std::int64_t>& wanted, std::int64_t available, const char* caller) {
  if (wanted.value_or(0) > available)
    fmt::print(stderr, "warning: [{}] the data ran out after {} of {} steps. Give more rows, a smaller batch_size or fewer steps.\n",
               caller, available, *wanted);
  return std::min(wanted.value_or(available), available);
}

/// Runs `body`; an exception lets the callbacks clean up before it goes on.
template <typename F>
decltype(auto) with_callbacks(callbacks::CallbackList& callbacks, F&& body) {
  try {
    return body();
  } catch (...) {
    callbacks.call([](callbacks::Callback& callback) { callback.on_abandon(); });
    throw;
  }
}

/// Runs `body`, turning memory that could not be had into Error(kResourceExhausted) that says what the run works on.
template <typename F>
decltype(auto) with_memory_errors(const char* caller, std::size_t data_bytes, std::size_t state_bytes, F&& body) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    fail(ErrorCode::kResourceExhausted, "[{}] not enough memory beside {} bytes of data and {} bytes of weights", caller, data_bytes,
         state_bytes);
  }
}

}  // namespace cornu::inline v0::keras
