#pragma once

#include <memory>

#include "cornu/backends/cpu/target/target.h"
#include "cornu/base/thread_pool.h"
#include "cornu/ir/graph.h"
#include "cornu/runtime/eager_program.h"

namespace cornu::inline v0::backends::cpu::eager {

/// Prepares a function for immediate execution by precompiled kernels: no code is generated. Ops without a
/// kernel run by their reference kernel; `num_reference_ops`, if given, tells how many.
///
/// The bits of a run do not depend on the number of threads.
std::unique_ptr<runtime::EagerProgram> prepare(const ir::Function& function, const Target& target,
                                               std::shared_ptr<ThreadPool> pool,
                                               int* num_reference_ops = nullptr);

}  // namespace cornu::inline v0::backends::cpu::eager
