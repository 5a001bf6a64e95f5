#pragma once

#include <cstdint>

namespace cornu::inline v0 {

/// The processor's time stamp counter: the cheapest clock, which compiled code also reads.
std::int64_t read_ticks();

/// The seconds of one tick, measured against the steady clock since the first call of this function or of
/// start_tick_clock; waits until that was some milliseconds ago.
double seconds_per_tick();

/// Starts the measurement for seconds_per_tick().
void start_tick_clock();

}  // namespace cornu::inline v0
