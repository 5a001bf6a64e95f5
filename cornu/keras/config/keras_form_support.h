#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cornu/keras/config/config.h"

/// Classes for which Keras writes other entries than the arguments of the constructor.
namespace cornu::inline v0::keras::saving {

struct ClassId {
  std::string_view module;  // "keras.layers"
  std::string_view class_name;
};

/// True if `words`, separated by spaces, hold `word`, or are "*".
bool is_among(std::string_view words, std::string_view word);

/// The fields as Keras's get_config() gives them; `defaults` are those of the options when nothing is said.
Config in_keras_form(const ClassId& id, const Config& fields, const Config& defaults);

/// True if Keras writes a `build_config` for a built layer of the class.
bool writes_build_config(const ClassId& id);

/// Errors: InvalidArgument for a configuration that is no dict, and naming class, key and the nearest known
/// key for a key that is neither among `known` nor written by Keras for something that is not here (which
/// must be null then).
void check_keys(const Config& config, const ClassId& id, const std::vector<std::string>& known);

}  // namespace cornu::inline v0::keras::saving
