#pragma once

#include <vector>

#include "cornu/keras/config/config.h"
#include "cornu/tensor/ops/index.h"

namespace cornu::inline v0::keras::layers {

/// Reads the key of ops::get_item as Keras's files have it: an integer, a slice, an ellipsis, null for a new
/// axis, or a list of these. Errors: InvalidArgument for anything else.
std::vector<Index> index_key(const Config& key);
/// Writes the key in the form of files.
Config index_key_config(const std::vector<Index>& key);

}  // namespace cornu::inline v0::keras::layers
