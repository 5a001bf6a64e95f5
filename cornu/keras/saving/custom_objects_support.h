#pragma once

#include <memory>
#include <string>

#include "cornu/keras/config/custom_objects.h"

namespace cornu::inline v0::keras::saving {

/// While it lives, configurations that are read on this thread may name these classes too. Lifetime: the
/// objects are the caller's.
class CustomObjectScope {
 public:
  explicit CustomObjectScope(const CustomObjects& objects);
  ~CustomObjectScope();
  CustomObjectScope(const CustomObjectScope&) = delete;
  CustomObjectScope& operator=(const CustomObjectScope&) = delete;

 private:
  const CustomObjects* before_;
};

/// An object of a class of the user's, by the name of its registration or of its class; null when the user
/// has named none.
/// Errors: InvalidArgument when the user's function gives none.
template <typename T>
std::shared_ptr<T> make_custom(const std::string& registered_name, const std::string& class_name,
                               const Config& config);

/// Whether the user has named a class of any family under one of the names.
bool is_custom(const std::string& registered_name, const std::string& class_name);

}  // namespace cornu::inline v0::keras::saving
