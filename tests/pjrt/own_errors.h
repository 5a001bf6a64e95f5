#pragma once

#include <dlfcn.h>
#include <pjrt_c_api.h>

#include <cstdlib>
#include <mutex>
#include <set>
#include <string>

/// Errors of plug-ins for tests that stand in front of a real one; those of the real one go on to it.
namespace cornu::inline v0::pjrt_tests {

class OwnErrors {
 public:
  static PJRT_Error* make(PJRT_Error_Code code, std::string message) {
    auto* const error = new OwnError{code, std::move(message)};
    const std::lock_guard lock(all().mutex_);
    all().errors_.insert(error);
    return reinterpret_cast<PJRT_Error*>(error);
  }
  /// Copies the plug-in for CPUs to `api`, with this class's functions for errors, and returns the plug-in; null
  /// without one.
  static const PJRT_Api* take_over(PJRT_Api& api) {
    void* const library = dlopen(std::getenv("CORNU_TEST_PJRT_CPU"), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return nullptr;
    const auto* const real = reinterpret_cast<const PJRT_Api* (*)()>(dlsym(library, "GetPjrtApi"))();
    api = *real;
    all().real_ = real;
    api.PJRT_Error_Destroy = destroy;
    api.PJRT_Error_Message = message;
    api.PJRT_Error_GetCode = code;
    return real;
  }
  static void destroy(PJRT_Error_Destroy_Args* args) {
    if (const OwnError* const error = own(args->error)) {
      const std::lock_guard lock(all().mutex_);
      all().errors_.erase(error);
      delete error;
    } else {
      all().real_->PJRT_Error_Destroy(args);
    }
  }

 private:
  struct OwnError {
    PJRT_Error_Code code;
    std::string message;
  };
  static OwnErrors& all() {
    static auto& errors = *new OwnErrors;
    return errors;
  }
  static const OwnError* own(const PJRT_Error* error) {
    const std::lock_guard lock(all().mutex_);
    return all().errors_.contains(error) ? reinterpret_cast<const OwnError*>(error) : nullptr;
  }
  static void message(PJRT_Error_Message_Args* args) {
    if (const OwnError* const error = own(args->error)) {
      args->message = error->message.data();
      args->message_size = error->message.size();
    } else {
      all().real_->PJRT_Error_Message(args);
    }
  }
  static PJRT_Error* code(PJRT_Error_GetCode_Args* args) {
    const OwnError* const error = own(args->error);
    if (error == nullptr) return all().real_->PJRT_Error_GetCode(args);
    args->code = error->code;
    return nullptr;
  }

  const PJRT_Api* real_ = nullptr;
  std::mutex mutex_;
  std::set<const void*> errors_;
};

}  // namespace cornu::inline v0::pjrt_tests
