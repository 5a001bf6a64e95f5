#pragma once

#include <string>

#include "cornu/base/error.h"

/// For tests of this folder only.
namespace cornu::inline v0::keras::saving {

/// What `f` throws; "no error" when it does not.
template <typename F>
std::string error_of(const F& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace cornu::inline v0::keras::saving
