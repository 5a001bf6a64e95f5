#pragma once

#include <memory>
#include <string>
#include <utility>

namespace cornu::inline v0::keras {

class Config;

namespace saving {

class DescribedOptions;

/// The name of the object's class, if it is one of Cornu's, and the options that it was made with; both empty
/// for objects of the user's classes.
struct Description {
  std::string class_name = {};
  std::shared_ptr<const DescribedOptions> options = {};
};

}  // namespace saving

/// The base of what can be written as a configuration: layers, losses, metrics, optimizers, schedules,
/// initializers, regularizers and constraints.
class Configurable {
 public:
  virtual ~Configurable() = default;

  /// The object's options as Keras's `get_config()` writes them: `{"units": 3, "activation": "relu",
  /// ...}`. A class of the user's overrides it if its objects shall be part of written models.
  /// Errors: Unimplemented, naming the object, when it is of a class that does not, or holds a function.
  virtual Config get_config() const = 0;

  /// The name that files have for a class of the user's, that of Python's
  /// `register_keras_serializable(package="demo")`: "demo>Scale". Empty: the class's name alone.
  virtual std::string registered_name() const { return {}; }

  const saving::Description& description() const { return description_; }

 protected:
  Configurable() = default;
  Configurable(const Configurable&) = default;
  Configurable& operator=(const Configurable&) = default;

  /// The options, replaced or extended by the entries of `state`, as Keras writes them for classes of
  /// `module` ("keras.layers").
  /// Errors: Unimplemented for an object without a description; the error names it by `kind` and `name`
  ///         ("layer", "dense_1").
  Config described_config(const char* module, const char* kind, const std::string& name) const;
  Config described_config(const char* module, const char* kind, const std::string& name,
                          const Config& state) const;

 private:
  friend struct DescriptionAccess;
  saving::Description description_;
};

/// For the constructors of Cornu's own classes.
struct DescriptionAccess {
  static void set(Configurable& object, saving::Description description) {
    object.description_ = std::move(description);
  }
};

}  // namespace cornu::inline v0::keras
