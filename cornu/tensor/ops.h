#pragma once

#include "cornu/tensor/ops/conv.h"
#include "cornu/tensor/ops/elementwise.h"
#include "cornu/tensor/ops/index.h"
#include "cornu/tensor/ops/linalg.h"
#include "cornu/tensor/ops/nn.h"
#include "cornu/tensor/ops/random_bits.h"
#include "cornu/tensor/ops/reduce.h"
#include "cornu/tensor/ops/shape.h"
#include "cornu/tensor/value/tensor.h"

/// keras.ops on tensors, beside the builder-level operations of the same namespace.
///
/// Inside a trace they append to it; on concrete tensors outside a trace they run at once on the current
/// device. A number in a call is weak: it takes the tensor's dtype. What Keras takes by position or keyword
/// stands in options aggregates: `sum(x, {.axis = -1, .keepdims = true})`. docs/guide/ops.md lists which of
/// Keras's names there are.
namespace cornu::inline v0::ops {}
