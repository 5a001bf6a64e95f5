#include <algorithm>
#include <string_view>

#include "cornu/keras/saving/custom_objects_support.h"
#include "cornu/keras/saving/old_config.h"
#include "cornu/keras/saving/old_options_support.h"

namespace cornu::inline v0::keras::saving {
namespace {

/// The parts of a description that only some versions write.
class FormSigns {
 public:
  void look_at(const Config& value) {
    if (value.is_list())
      for (const Config& each : value.as_list()) look_at(each);
    if (!value.is_dict()) return;
    has_module_ = has_module_ || value.contains("module");
    const Config *const class_name = value.find("class_name"), *const options = value.find("config");
    if (class_name != nullptr && class_name->is_string() && options != nullptr) {
      look_at_calls(value);
      if (!is_of_others(value)) look_at_class(*class_name, *options);
    }
    for (const auto& [key, each] : value.as_dict()) look_at(each);
  }

  KerasVersion version() const {
    if (has_old_form_ && has_keras_1_names_) return KerasVersion("1");
    if (has_old_form_) return KerasVersion("2");
    // Keras 3 writes the module of every object; tools may leave it out.
    return has_full_options_ && !has_module_ && !has_keras_3_input_ ? KerasVersion("2") : KerasVersion();
  }

 private:
  /// Inspects the calls that the enclosing model writes for an object of any class.
  void look_at_calls(const Config& object) {
    if (const Config* const calls = object.find("inbound_nodes");
        calls != nullptr && calls->is_list() && calls->size() > 0 && calls->at(std::size_t{0}).is_list())
      has_old_form_ = true;
  }

  void look_at_class(const Config& class_name, const Config& options) {
    if (class_name == Config("Model") || (class_name == Config("Sequential") && options.is_list()))
      has_old_form_ = true;
    if (!options.is_dict()) return;
    const bool has_old_shape = options.contains("batch_input_shape");
    has_old_form_ = has_old_form_ || has_old_shape;
    if (class_name == Config("InputLayer") && options.contains("batch_shape") && !has_old_shape)
      has_keras_3_input_ = true;
    // A layer's get_config() writes these three; hand-written descriptions rarely have them.
    has_full_options_ = has_full_options_ || (options.contains("name") && options.contains("trainable") &&
                                              options.contains("dtype"));
    constexpr std::string_view kNames[] = {"init",          "inner_init",   "nb_filter",    "border_mode",
                                           "W_regularizer", "dim_ordering", "consume_less", "input_dtype"};
    has_keras_1_names_ =
        has_keras_1_names_ || std::any_of(std::begin(kNames), std::end(kNames),
                                          [&](std::string_view name) { return options.contains(name); });
  }

  bool has_old_form_ = false;
  bool has_keras_1_names_ = false;
  bool has_full_options_ = false;
  bool has_keras_3_input_ = false;
  bool has_module_ = false;
};

}  // namespace

KerasVersion version_by_form(const Config& description, const CustomObjects& custom_objects) {
  const CustomObjectScope scope(custom_objects);
  FormSigns signs;
  signs.look_at(description);
  return signs.version();
}

}  // namespace cornu::inline v0::keras::saving
