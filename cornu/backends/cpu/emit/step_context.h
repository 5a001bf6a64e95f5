#pragma once

#include <cstddef>
#include <cstdint>

namespace cornu::inline v0::backends::cpu {

/// The environment of a running step. Compiled code reads and writes it by field number (see ContextField),
/// fields are eight bytes each and their order is fixed.
struct StepContext {
  std::byte** arguments = nullptr;  // state, then fixed, then views, which kernels write
  std::byte* arena = nullptr;
  const std::byte* const* rows = nullptr;  // base of each row argument's data
  std::byte* const* outputs = nullptr;
  const std::int64_t* row_indices = nullptr;  // num_steps * batch
  std::int64_t num_rows = 0;                  // data rows in all steps
  std::int64_t num_steps = 0;
  std::int64_t step = 0;               // the step that runs; written by compiled code
  std::int64_t* steps_done = nullptr;  // never null
  const std::uint8_t* stop = nullptr;  // never null
  void (*parallel_for)(StepContext*, std::int64_t num_slices, void (*body)(void*, std::int64_t)) = nullptr;
  void (*kernel)(StepContext*, std::int64_t group) = nullptr;  // matrix dots and group kernels
  void (*reference)(StepContext*, std::int64_t group) = nullptr;
  void* owner = nullptr;  // the executable, for the callbacks
  const std::int64_t* table =
      nullptr;  // of the running group, if it shares its code; written by compiled code
  // Of measuring code only.
  std::int64_t* ticks = nullptr;  // of each group so far, by the time stamp counter
  std::int64_t* calls = nullptr;  // of each group so far
  // runtime::ProfileEvent: max_events of them, and a last one that takes those beyond.
  std::int64_t* events = nullptr;
  std::int64_t max_events = 0;
  std::int64_t num_events = 0;  // that there were
};

enum class ContextField : unsigned {
  kArguments,
  kArena,
  kRows,
  kOutputs,
  kRowIndices,
  kNumRows,
  kNumSteps,
  kStep,
  kStepsDone,
  kStop,
  kParallelFor,
  kKernel,
  kReference,
  kOwner,
  kTable,
  kTicks,
  kCalls,
  kEvents,
  kMaxEvents,
  kNumEvents,
};
static_assert(sizeof(StepContext) == 20 * 8);

}  // namespace cornu::inline v0::backends::cpu
