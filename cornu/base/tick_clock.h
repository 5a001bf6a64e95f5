#pragma once

#include <cstdint>

namespace cornu::inline v0 {

/// The processor's time stamp counter: the cheapest clock there is, and the one that compiled code reads.
std::int64_t read_ticks();

/// Seconds of one tick, measured against the steady clock since the first call of this function or of
/// start_tick_clock; waits until the two are some milliseconds apart.
double seconds_per_tick();

/// Begins the comparison that seconds_per_tick() ends.
void start_tick_clock();

}  // namespace cornu::inline v0
