#pragma once

#include <cstdint>

namespace cornu::inline v0::runtime {

/// Records the first values of a data set of this process. Collective::agree() sends the fingerprint with the
/// next common run; if all processes have the same values, the first process warns, once. `fingerprint`: of
/// the values, not 0. Threads: safe.
void note_process_input(std::uint64_t fingerprint);

}  // namespace cornu::inline v0::runtime
