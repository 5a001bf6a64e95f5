#pragma once

#include <cstdint>

namespace cornu::inline v0::runtime {

/// Says what a data set of this process's own gave first. Processes::agree(), which exchanges what processes are
/// about to run, sends it along once; where all processes were given the same, the first one warns, once.
/// `fingerprint`: of the values, not 0. Threads: safe.
void note_process_input(std::uint64_t fingerprint);

}  // namespace cornu::inline v0::runtime
