#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cornu/runtime/client.h"

namespace cornu::inline v0::backends::cpu {

/// It takes no argument (see BackendEntry).
inline constexpr const char* kClientArgument = "";
inline std::vector<runtime::KnownArgument> known_arguments() { return {}; }

/// Cornu's own engine: plans the step, compiles it to machine code for this CPU and runs it on one pool of
/// threads.
///
/// The same program, seed and inputs give the same bits at any number of threads on one instruction set
/// level. Subnormal numbers count as zero while a step runs (as in TensorFlow and XLA): each would cost some
/// hundred cycles.
/// Errors: InvalidArgument for an instruction set level that this CPU does not have; ResourceExhausted when
///         memory is short.
std::shared_ptr<runtime::Client> make_client(const std::string& argument,
                                             const runtime::ClientOptions& options);

}  // namespace cornu::inline v0::backends::cpu
