#pragma once

namespace cornu::inline v0::cli {

/// Seconds since the kernel started this process: its start time in /proc/self/stat against the boot clock.
///
/// The kernel keeps the start in ticks of 10 ms, cut off: the figure is up to one tick too large, never too
/// small.
double seconds_since_process_start();

/// Records the time at the start of main; seconds_to_main() then returns the time of loading.
void mark_main();
double seconds_to_main();

/// The largest resident set of this process so far, in MiB.
long peak_memory_mb();

}  // namespace cornu::inline v0::cli
