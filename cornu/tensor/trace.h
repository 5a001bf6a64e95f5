#pragma once

// Traces, and gradients of what they compute.
#include "cornu/tensor/gradient.h"     // IWYU pragma: export
#include "cornu/tensor/trace/trace.h"  // IWYU pragma: export
