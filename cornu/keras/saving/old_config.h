#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "cornu/keras/config/config.h"
#include "cornu/keras/config/custom_objects.h"

/// Conversion of descriptions of older versions of Keras to the form of Keras 3.15.
namespace cornu::inline v0::keras::saving {

/// The version of Keras that wrote a description: "2.2.4-tf", "3.3.3".
class KerasVersion {
 public:
  /// Unknown: treated as Keras 3.
  KerasVersion() = default;
  explicit KerasVersion(std::string_view text);

  const std::string& text() const { return text_; }
  bool is_before_3() const { return number_ < 3; }
  bool is_before_2() const { return number_ < 2; }

 private:
  std::string text_;
  std::int64_t number_ = 3;  // the first part
};

/// The version of a description that has no version number, inferred from forms that only older versions
/// write: Keras 2 ("batch_input_shape", calls that are lists, no modules) or Keras 1 ("nb_filter", "init",
/// ...). Unknown if there are no such forms. Arguments of user classes, and of those in `custom_objects`, are
/// not considered.
KerasVersion version_by_form(const Config& description, const CustomObjects& custom_objects = {});

/// Converts the description of a model or a layer. Classes and arguments get their present names;
/// batch_input_shape becomes an InputLayer or batch_shape; calls that are lists become args and kwargs;
/// arguments that Keras 3 no longer has are dropped if they have no effect. A "hard_sigmoid" from before
/// Keras 3 becomes "keras2_hard_sigmoid". User classes, and those in custom_objects, stay unchanged.
Config in_current_form(const Config& description, const KerasVersion& version);

/// Converts a compile_config, or an .h5 file's training_config. An optimizer's decay becomes the equivalent
/// schedule InverseTimeDecay. A single list of metrics becomes a list for each of several outputs: that was
/// its meaning before Keras 3, and still is if its length is not the number of outputs.
Config compile_config_in_current_form(const Config& config, const KerasVersion& version,
                                      std::span<const std::string> output_names);

}  // namespace cornu::inline v0::keras::saving
