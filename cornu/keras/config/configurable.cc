#include "cornu/keras/config/configurable.h"

#include "cornu/base/check.h"
#include "cornu/keras/config/described_options_support.h"

namespace cornu::inline v0::keras {

Config Configurable::described_config(const char* module, const char* kind, const std::string& name,
                                      const Config& state) const {
  if (description_.options == nullptr)
    fail(ErrorCode::kUnimplemented,
         "[get_config] {} \"{}\" cannot be written: it is a function or of a class of yours; derive a class "
         "that overrides get_config()",
         kind, name);
  Config fields = description_.options->values(description_.class_name);
  if (state.is_dict())
    for (const auto& [key, value] : state.as_dict()) fields.set(key, value);
  return saving::in_keras_form({module, description_.class_name}, fields, description_.options->defaults());
}

Config Configurable::described_config(const char* module, const char* kind, const std::string& name) const {
  return described_config(module, kind, name, Config());
}

}  // namespace cornu::inline v0::keras
