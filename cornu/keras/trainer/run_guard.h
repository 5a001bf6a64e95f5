#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/log_formatted.h"
#include "cornu/keras/callbacks/callback_list.h"
#include "cornu/keras/layer/row_states.h"

namespace cornu::inline v0::keras {

/// The number of steps of a run that ends with its source.
inline constexpr std::int64_t kUntilTheEnd = std::numeric_limits<std::int64_t>::max();

inline void require_at_least_one(const std::optional<std::int64_t>& value, const char* name,
                                 const char* caller) {
  if (value.has_value() && *value < 1)
    invalid_argument({.argument = name}, "[{}] {} must be at least 1; got {} = {}", caller, name, name,
                     *value);
}

/// Refuses options that a source of batches sets itself. `options`: their names, and true for those given.
/// Errors: InvalidArgument naming the first one given.
inline void refuse_options_of_sources(std::initializer_list<std::pair<const char*, bool>> options,
                                      const char* caller) {
  for (const auto& [name, is_given] : options)
    if (is_given)
      invalid_argument("[{}] {} is for arrays: a source of batches sets this itself", caller, name);
}

/// The number of steps of a run over data of `available` steps. Warns, as Keras does, if there are fewer than
/// `wanted`.
inline std::int64_t steps_of_run(const std::optional<std::int64_t>& wanted, std::int64_t available,
                                 const char* caller) {
  if (wanted.value_or(0) > available)
    log_warning(
        "[{}] the data ran out after {} of {} steps. Give more rows, a smaller batch_size or fewer steps.",
        caller, available, *wanted);
  return std::min(wanted.value_or(available), available);
}

/// Checks that all batches have one size if the network has a stateful layer, which keeps a state for each
/// row of a batch. `num_steps`: the number of batches that run. Errors: InvalidArgument naming all sizes.
inline void check_batches_of_states(const Layer& network, std::int64_t num_rows, std::int64_t batch_size,
                                    std::int64_t num_steps, const char* caller) {
  if (num_rows <= batch_size || num_rows % batch_size == 0 || num_steps <= num_rows / batch_size ||
      !keeps_row_states(network))
    return;
  invalid_argument(
      "[{}] model \"{}\" has a stateful layer, which needs batches of one size; got {} rows with batch_size "
      "= {}, so a last batch of {}",
      caller, network.name(), num_rows, batch_size, num_rows % batch_size);
}

/// "step 3 of 6"; "step 3" if the total is not known. `step` counts from 0.
inline std::string step_str(std::int64_t step, const std::optional<std::int64_t>& num_steps) {
  return num_steps.has_value() ? fmt::format("step {} of {}", step + 1, *num_steps)
                               : fmt::format("step {}", step + 1);
}

/// Runs `body`; if it throws, lets the callbacks clean up and rethrows.
template <typename F>
decltype(auto) with_callbacks(callbacks::CallbackList& callbacks, F&& body) {
  try {
    return body();
  } catch (...) {
    callbacks.call([](callbacks::Callback& callback) { callback.on_abandon(); });
    throw;
  }
}

/// Runs `body` and converts std::bad_alloc to Error(kResourceExhausted), which reports the bytes of the run's
/// data and weights.
template <typename F>
decltype(auto) with_memory_errors(const char* caller, std::size_t data_bytes, std::size_t state_bytes,
                                  F&& body) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    fail(ErrorCode::kResourceExhausted,
         "[{}] not enough memory beside {} bytes of data and {} bytes of weights", caller, data_bytes,
         state_bytes);
  }
}

}  // namespace cornu::inline v0::keras
