#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cornu/keras/config/configurable.h"
#include "cornu/keras/config/fields.h"
#include "cornu/keras/config/keras_form_support.h"
#include "cornu/keras/config/values_support.h"

/// Options that are described by CORNU_FIELDS, as configurations; for the sources of Cornu's own classes.
namespace cornu::inline v0::keras::saving {

template <typename Options>
concept HasFields = requires(Options& options, void (&visitor)(...)) { visit_fields(options, visitor); };

/// Every field by its name, as it is.
template <HasFields Options>
Config write_fields(const Options& options, const std::string& class_name) {
  Config config = Config::dict();
  visit_fields(options, [&](const char* name, const auto& value) {
    config.set(name, write_value(value, Place{class_name, name}));
  });
  return config;
}

/// Errors: InvalidArgument for keys that are no fields and for values of wrong types.
template <HasFields Options>
Options read_fields(const Config& config, const ClassId& id) {
  Options options;
  std::vector<std::string> known;
  visit_fields(options, [&](const char* name, const auto&) { known.emplace_back(name); });
  check_keys(config, id, known);
  visit_fields(options, [&](const char* name, auto& value) {
    if (const Config* given = config.find(name)) read_value(*given, Place{id.class_name, name}, value);
  });
  return options;
}

/// A copy of options whose type is forgotten.
class DescribedOptions {
 public:
  virtual ~DescribedOptions() = default;
  /// Errors: Unimplemented for fields that hold code.
  virtual Config values(const std::string& class_name) const = 0;
  virtual Config defaults() const = 0;
};

template <HasFields Options>
class DescribedOptionsOf final : public DescribedOptions {
 public:
  explicit DescribedOptionsOf(const Options& options) : options_(options) {}
  Config values(const std::string& class_name) const override { return write_fields(options_, class_name); }
  Config defaults() const override { return write_fields(Options(), {}); }

 private:
  Options options_;
};

template <HasFields Options>
std::shared_ptr<const DescribedOptions> describe(const Options& options) {
  return std::make_shared<const DescribedOptionsOf<Options>>(options);
}

/// Records the class's name and the options in the object that the handle refers to.
template <typename T, HasFields Options>
void describe(const Handle<T>& handle, const char* class_name, const Options& options) {
  DescriptionAccess::set(*handle, {class_name, describe(options)});
}

/// The options of classes that take none.
struct NoFields {};
CORNU_NO_FIELDS(NoFields)

/// The fields of `To` that `options` has as well, by name; the others at their defaults.
template <HasFields To, HasFields From>
To shared_fields(const From& options) {
  To result;
  visit_fields(result, [&]<typename T>(std::string_view name, T& value) {
    visit_fields(options, [&]<typename U>(std::string_view other_name, const U& other) {
      if constexpr (std::is_same_v<T, U>)
        if (name == other_name) value = other;
    });
  });
  return result;
}

}  // namespace cornu::inline v0::keras::saving
