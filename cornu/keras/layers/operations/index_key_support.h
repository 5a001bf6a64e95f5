#pragma once

#include "cornu/keras/config/config.h"
#include "cornu/tensor/tensor.h"

namespace cornu::inline v0::keras::layers {

/// x[key] of Python, with the key as Keras's files have it: an integer, a slice, an ellipsis, null for a
/// new axis, or a list of these.
/// Errors: InvalidArgument for anything else, for more positions than x has axes, for two ellipses;
///         OutOfRange for an integer outside its axis.
Tensor item_of(const Tensor& x, const Config& key);

}  // namespace cornu::inline v0::keras::layers
