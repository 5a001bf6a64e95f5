#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "cornu/keras/config/config.h"
#include "cornu/keras/config/custom_objects.h"

/// Descriptions as older versions of Keras write them, in the form of Keras 3.15.
namespace cornu::inline v0::keras::saving {

/// The Keras that wrote a description: "2.2.4-tf", "3.3.3".
class KerasVersion {
 public:
  /// Unknown: taken for Keras 3.
  KerasVersion() = default;
  explicit KerasVersion(std::string_view text);

  const std::string& text() const { return text_; }
  bool is_before_3() const { return number_ < 3; }
  bool is_before_2() const { return number_ < 2; }

 private:
  std::string text_;
  std::int64_t number_ = 3;  // the first part
};

/// The version of a description that names none, by what only older versions write: Keras 2
/// ("batch_input_shape", calls that are lists, no modules) or Keras 1 ("nb_filter", "init", ...). Unknown
/// without such signs. Arguments of classes of others, and of those in `custom_objects`, are no signs.
KerasVersion version_by_form(const Config& description, const CustomObjects& custom_objects = {});

/// The description of a model or a layer. Classes and arguments get their names of today; batch_input_shape
/// becomes an InputLayer or batch_shape; calls that are lists become args and kwargs; arguments that Keras 3
/// no longer has are left out where they ask for nothing else. A "hard_sigmoid" from before Keras 3 becomes
/// "keras2_hard_sigmoid". Classes of others, and those that custom_objects name, stay as they are.
Config in_current_form(const Config& description, const KerasVersion& version);

/// A compile_config, or an .h5 file's training_config. An optimizer's decay becomes the schedule
/// InverseTimeDecay, which computes the same. Metrics in one list become one list for each of several
/// outputs: this is what they mean before Keras 3, and since then where their number is another.
Config compile_config_in_current_form(const Config& config, const KerasVersion& version,
                                      std::span<const std::string> output_names);

}  // namespace cornu::inline v0::keras::saving
