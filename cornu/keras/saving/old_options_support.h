#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cornu/keras/config/config.h"
#include "cornu/keras/config/keras_form_support.h"
#include "cornu/keras/saving/old_config.h"

/// Classes and arguments that had other names, values or meanings in older versions of Keras.
namespace cornu::inline v0::keras::saving {

/// The name that the class has today.
std::string current_class_name(const std::string& class_name);

/// Whether an argument of a class is left out: Keras 3 has no such argument, and the value asks for nothing
/// else than what Keras 3 does.
bool is_left_out(std::string_view class_name, std::string_view key, const Config& value);

/// The name that the argument has today.
std::string_view current_key(std::string_view class_name, std::string_view key);

/// The value of an argument, where it has another form or meaning today; `key` is its name of today. Nothing where
/// it has not, so that what holds a model is not copied.
std::optional<Config> current_value(std::string_view class_name, std::string_view key, const Config& value,
                                    const KerasVersion& version);

/// Adds the arguments that the class's name said in older versions, and those whose defaults were others.
void add_implied_options(std::string_view old_class_name, const KerasVersion& version, Config::Dict& options);

/// A layer of tf.keras for a function of TensorFlow, as an operation of Keras 3 whose only call is the list of
/// its arguments, tensors among them as in Keras 2. Nothing for functions that have no operation here.
std::optional<Config> operation_of_tf_function(const Config& layer);

/// A description of Keras 1 with the names of Keras 2.
Config in_keras_2_form(const Config& description);

/// Whether an object's module is Keras, or a package that was Keras.
bool is_module_of_keras(std::string_view module);

/// True if an object, whose class_name is a string, is of a class that is not Keras's or that the caller makes;
/// or an operation, of which all stays that Keras writes.
bool is_of_others(const Config& object);

}  // namespace cornu::inline v0::keras::saving
