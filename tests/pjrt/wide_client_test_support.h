#pragma once

#include <memory>

#include "cornu/runtime/client.h"

namespace cornu::inline v0::pjrt_tests {

/// A client that computes in f64 what programs say in f32, on the CPU engine: the truth that roundings of f32
/// are held against. Its tensors are f64 inside; what is written and read is f32.
/// Errors of compile: InvalidArgument for programs that look at the bits of f32, as those with random
/// numbers do.
std::shared_ptr<runtime::Client> make_wide_client();

}  // namespace cornu::inline v0::pjrt_tests
