#pragma once

#include <cstdint>

namespace cornu::inline v0::runtime {

/// Records what a data set of this process's own gave first. Processes::agree() sends it along once, with
/// what the processes are about to run; where all processes were given the same, the first one warns, once.
/// `fingerprint`: of the values, not 0. Threads: safe.
void note_process_input(std::uint64_t fingerprint);

}  // namespace cornu::inline v0::runtime
