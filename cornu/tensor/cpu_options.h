#pragma once

#include <string>
#include <vector>

namespace cornu::inline v0 {

/// How the CPU is used. Fields that are left alone say what the environment says (CORNU_NUM_THREADS,
/// CORNU_ISA), else what the machine has.
struct CpuOptions {
  /// Threads that compute, the caller included; 0: what the affinity mask and the cgroup's CPU quota allow.
  int num_threads = 0;
  /// The highest instruction set level that code may use: "sse2" (any x86-64), "avx2" (AVX2, FMA) or "avx512"
  /// (F, BW, DQ, VL); empty: the best that the CPU has. Results of two levels agree within rounding; results
  /// of one are the same bits on every CPU that has it.
  std::string isa = {};
};

/// Makes a default client with these options, for all that comes: variables move to it, programs are compiled
/// for it. Where another default client, which runs whole programs only, replaces it afterwards, single
/// operations still run on the CPU with these options.
///
/// oneDNN takes its level once in a process, from the first program that needs it: what runs at another level
/// afterwards uses kernels of Cornu's own. So a program that wants a level asks for it first thing.
/// Errors: InvalidArgument, listing the levels there are, when the CPU lacks it or the name is none; and for
///         num_threads outside 0 to 1024.
void set_cpu_options(const CpuOptions& options);

/// The names of the levels that this CPU has, rising; the last is the best.
std::vector<std::string> cpu_isa_level_names();

}  // namespace cornu::inline v0
