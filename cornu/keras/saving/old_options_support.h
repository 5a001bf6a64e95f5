#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cornu/keras/config/config.h"
#include "cornu/keras/config/keras_form_support.h"
#include "cornu/keras/saving/old_config.h"

/// Classes and arguments with other names, values or meanings in older versions of Keras.
namespace cornu::inline v0::keras::saving {

/// The present name of the class.
std::string current_class_name(const std::string& class_name);

/// True if an argument of a class is dropped: Keras 3 has no such argument, and the value has no effect
/// beyond Keras 3's behaviour.
bool is_left_out(std::string_view class_name, std::string_view key, const Config& value);

/// The present name of the argument.
std::string_view current_key(std::string_view class_name, std::string_view key);

/// The present value of an argument whose form or meaning has changed; `key` is its present name. nullopt if
/// it is unchanged, so that nested models are not copied.
std::optional<Config> current_value(std::string_view class_name, std::string_view key, const Config& value,
                                    const KerasVersion& version);

/// Adds arguments that were implied by the class's name in older versions, and those whose defaults have
/// changed.
void add_implied_options(std::string_view old_class_name, const KerasVersion& version, Config::Dict& options);

/// Converts a layer of tf.keras for a TensorFlow function to an operation of Keras 3, whose only call is the
/// list of its arguments, with tensors in the form of Keras 2. nullopt for functions that have no operation
/// here.
std::optional<Config> operation_of_tf_function(const Config& layer);

/// Converts a description of Keras 1 to the names of Keras 2.
Config in_keras_2_form(const Config& description);

/// True if an object's module is Keras, or a package that became Keras.
bool is_module_of_keras(std::string_view module);

/// True if an object, whose class_name is a string, is of a user's class or one that the caller makes, or is
/// an operation, whose configuration stays unchanged.
bool is_of_others(const Config& object);

}  // namespace cornu::inline v0::keras::saving
