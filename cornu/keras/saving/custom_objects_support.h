#pragma once

#include <memory>
#include <string>

#include "cornu/keras/config/custom_objects.h"

namespace cornu::inline v0::keras::saving {

/// While it lives, configurations read on this thread may also name these classes. Lifetime: the objects are
/// the caller's.
class CustomObjectScope {
 public:
  explicit CustomObjectScope(const CustomObjects& objects);
  ~CustomObjectScope();
  CustomObjectScope(const CustomObjectScope&) = delete;
  CustomObjectScope& operator=(const CustomObjectScope&) = delete;

 private:
  const CustomObjects* before_;
};

/// Makes an object of a user's class, found by its registered name or its class name; null if the user has
/// registered neither.
/// Errors: InvalidArgument if the user's function returns null.
template <typename T>
std::shared_ptr<T> make_custom(const std::string& registered_name, const std::string& class_name,
                               const Config& config);

/// True if the user has registered a class of any family under one of the names.
bool is_custom(const std::string& registered_name, const std::string& class_name);

}  // namespace cornu::inline v0::keras::saving
