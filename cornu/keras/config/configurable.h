#pragma once

#include <memory>
#include <string>
#include <utility>

namespace cornu::inline v0::keras {

class Config;

namespace saving {

class DescribedOptions;

/// Which of Cornu's classes an object is of, and the options that it was made with; both empty for objects of
/// the user's classes.
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

  /// What the object was made of, as Keras's `get_config()` writes it: `{"units": 3, "activation": "relu",
  /// ...}`. A class of the user's overrides it if its objects shall be part of written models.
  /// Errors: Unimplemented, naming the object, when it is of a class that does not, or holds a function.
  virtual Config get_config() const = 0;

  /// Of a class of the user's: the name under which files have it, that of Python's
  /// `register_keras_serializable(package="demo")`, "demo>Scale". Empty: the class's name alone.
  virtual std::string registered_name() const { return {}; }

  const saving::Description& description() const { return description_; }

 protected:
  Configurable() = default;
  Configurable(const Configurable&) = default;
  Configurable& operator=(const Configurable&) = default;

  /// What the options say, with what `state` says instead or besides, as Keras writes it for classes of
  /// `module` ("keras.layers").
  /// Errors: Unimplemented for an object without a description, of which `kind` and `name` say which it is
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
