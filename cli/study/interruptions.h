#pragma once

#include <cstdint>
#include <string>

namespace cornu::inline v0::study {

/// Work on a machine that may be taken away: what was done since the last checkpoint is done again.
struct InterruptedWork {
  double work_seconds = 0;  // without interruption and checkpoints
  double checkpoint_interval_seconds = 600;
  double checkpoint_seconds = 1;      // to write one, after each interval
  double restart_seconds = 60;        // until another machine works
  double interruptions_per_hour = 0;  // at random times, independent of each other
  double longest_life_seconds = 0;    // a machine ends then at the latest; 0: it does not
};

/// Why such work never ends in practice, or is too much to compute, and what to do; empty: it ends. A machine
/// is expected to be taken away eight times in an interval at most: then one try of 3,000 gets through.
/// Errors: InvalidArgument for negative values and for no interval.
std::string why_it_never_ends(const InterruptedWork& work);

/// Expected seconds until the work is done, machine time of all machines together.
///
/// Semantics: intervals of w = interval + checkpoint are done or not; a life of a machine is
///            min(Exp(rate), longest life); restarts are not interrupted. Without a longest life it is
///            n (exp(rate w) - 1) (1 / rate + restart); with one, an exact recursion over the intervals left.
/// Errors:    InvalidArgument for negative values, for no interval, and if why_it_never_ends() is not empty.
double expected_seconds(const InterruptedWork& work);
/// About how many machines the work is expected to take, one after the other. Errors: the same.
double expected_machines(const InterruptedWork& work);

struct SimulatedSeconds {
  double mean = 0;
  double standard_error = 0;
};
/// The same by playing it `num_runs` times with random numbers that follow from the seed. Errors: the same.
SimulatedSeconds simulate_seconds(const InterruptedWork& work, int num_runs, std::uint64_t seed);

}  // namespace cornu::inline v0::study
