#pragma once

#include <string>
#include <vector>

namespace cornu::inline v0 {

/// Settings of the CPU client. The default of each field is the environment's setting (CORNU_NUM_THREADS,
/// CORNU_ISA), else the machine's best.
struct CpuOptions {  // options/tensor.toml
  /// Threads that compute, the caller included; 0: as many as the affinity mask and the cgroup's CPU quota
  /// allow.
  int num_threads = 0;
  /// Highest instruction set level of the code: "sse2" (any x86-64), "avx2" (AVX2, FMA) or "avx512" (F, BW,
  /// DQ, VL); empty: the best that the CPU has. Results of two levels agree within rounding; results of one
  /// level are the same bits on every CPU that has it.
  std::string isa = {};
};

/// Makes a default client with these options for the rest of the process: variables move to it, programs are
/// compiled for it. If another default client that runs whole programs only replaces it later, eager
/// operations still run on the CPU with these options.
///
/// oneDNN fixes its level once in a process, at the first program that uses it; programs at another level
/// afterwards use Cornu's own kernels. Call this function before anything else runs.
/// Errors: InvalidArgument, with the list of levels, if the CPU lacks the level or the name is unknown; and
///         for num_threads outside 0 to 1024.
void set_cpu_options(const CpuOptions& options);

/// The names of the levels that this CPU has, in ascending order.
std::vector<std::string> cpu_isa_level_names();

}  // namespace cornu::inline v0
