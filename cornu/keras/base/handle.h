#pragma once

#include <concepts>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "cornu/base/undefined.h"
#include "cornu/keras/base/names.h"

namespace cornu::inline v0::keras {

/// The type of `{}` for a class whose options may be left out: `Flatten({})` is `Flatten()`. Without a
/// constructor that takes it, the braces could also be a Flatten to copy. Such classes have
///
///     explicit Flatten(FlattenOptions options = {});
///     explicit Flatten(NoOptions) : Flatten() {}
enum class NoOptions {};

/// A shared handle to a T (a layer, loss, metric, optimizer), passed by value. Copies refer to the same
/// object. The classes that users name (layers::Dense, optimizers::Adam, ...) derive from it and only add a
/// constructor.
///
/// A handle that is default-constructed, made of a null pointer or moved from is undefined: using its object,
/// through the handle or as an option, is an error that names T::kHandleKind ("layer"). get() and shared()
/// are then null.
/// Errors: FailedPrecondition for an undefined handle.
template <typename T>
class Handle {
 public:
  Handle() = default;
  Handle(std::shared_ptr<T> object) : object_(std::move(object)) {}
  template <typename U>
    requires std::derived_from<U, T>
  Handle(std::shared_ptr<U> object) : object_(std::move(object)) {}

  T* operator->() const { return &**this; }
  T& operator*() const { return require_defined(object_, T::kHandleKind); }
  T* get() const { return object_.get(); }
  const std::shared_ptr<T>& shared() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  std::shared_ptr<T> object_;
};

template <typename T>
class Spec;

/// F is a plain callable from which T::from_function makes an object (a lambda as a loss, a metric, a
/// regularizer).
template <typename F, typename T>
concept FunctionFor =
    !std::derived_from<std::remove_cvref_t<F>, Handle<T>> &&
    !std::derived_from<std::remove_cvref_t<F>, Spec<T>> && !std::is_convertible_v<F, std::string> &&
    requires(F&& function) { T::from_function(std::forward<F>(function)); };

/// An option that takes a name ("adam"), an object (optimizers::Adam({...})) or, if T has from_function, a
/// suitable callable. Unset when default-constructed. T::from_name(name, argument) makes the object for a
/// name and throws InvalidArgument, suggesting the nearest names.
/// Errors: FailedPrecondition for an undefined handle or a null object; leave the option out instead.
template <typename T>
class Spec {
 public:
  Spec() = default;
  Spec(const char* name) : name_(or_empty(name)) {}
  Spec(std::string name) : name_(std::move(name)) {}
  Spec(const Handle<T>& handle) : object_(handle.shared()) { require_defined(object_, T::kHandleKind); }
  template <typename U>
    requires std::derived_from<U, T>
  Spec(std::shared_ptr<U> object) : Spec(Handle<T>(std::move(object))) {}
  template <typename H>
    requires std::derived_from<H, Handle<T>>
  Spec(const H& handle) : Spec(static_cast<const Handle<T>&>(handle)) {}
  template <typename F>
    requires FunctionFor<F, T>
  Spec(F&& function) : object_(T::from_function(std::forward<F>(function))) {}

  bool is_set() const { return object_ != nullptr || !name_.empty(); }
  /// The name; empty for an object.
  const std::string& text() const { return name_; }
  bool is_name() const { return object_ == nullptr && !name_.empty(); }
  /// The object; for a name, a new one at each call. Null if unset.
  std::shared_ptr<T> get() const {
    if (object_ != nullptr) return object_;
    return name_.empty() ? nullptr : T::from_name(name_);
  }
  /// The same, for errors that name the option `argument` of a caller.
  std::shared_ptr<T> get(const ArgumentName& argument) const {
    return is_name() ? T::from_name(name_, argument) : get();
  }

 private:
  std::string name_;
  std::shared_ptr<T> object_;
};

}  // namespace cornu::inline v0::keras
