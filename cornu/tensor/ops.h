#pragma once

#include "cornu/tensor/ops/arrays.h"
#include "cornu/tensor/ops/conv.h"
#include "cornu/tensor/ops/decompositions.h"
#include "cornu/tensor/ops/elementwise.h"
#include "cornu/tensor/ops/image.h"
#include "cornu/tensor/ops/image_geometry.h"
#include "cornu/tensor/ops/index.h"
#include "cornu/tensor/ops/linalg.h"
#include "cornu/tensor/ops/nn.h"
#include "cornu/tensor/ops/random_bits.h"
#include "cornu/tensor/ops/reduce.h"
#include "cornu/tensor/ops/sequence.h"
#include "cornu/tensor/ops/shape.h"
#include "cornu/tensor/ops/spectral.h"
#include "cornu/tensor/value/tensor.h"

/// keras.ops on tensors, in the same namespace as the builder-level operations.
///
/// Inside a trace they append to it; on concrete tensors outside a trace they run at once on the current
/// device. A number in a call is weak: it takes the tensor's dtype. Keras's optional arguments are fields of
/// options aggregates: `sum(x, {.axis = -1, .keepdims = true})`. docs/guide/ops.md lists the available names.
namespace cornu::inline v0::ops {}
