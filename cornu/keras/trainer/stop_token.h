#pragma once

#include <concepts>
#include <memory>
#include <typeinfo>
#include <utility>

namespace cornu::inline v0::keras {

/// An option that takes a std::stop_token, which is held by a pointer: <stop_token> includes all of <thread>
/// and <chrono>, and a program that does not use tokens need not compile them.
class StopToken {
 public:
  /// A token that never requests a stop.
  StopToken() = default;
  template <typename T>
    requires requires(const T& token) {
      { token.stop_possible() } -> std::same_as<bool>;
      { token.stop_requested() } -> std::same_as<bool>;
    }
  StopToken(T token) : token_(std::make_shared<const T>(std::move(token))), type_(&typeid(T)) {}

  /// The token as a T, a default-constructed one if there is none. Errors: InvalidArgument for a token of
  /// another type.
  template <typename T>
  T as() const {
    if (token_ == nullptr) return T();
    if (*type_ != typeid(T)) fail_type();
    return *static_cast<const T*>(token_.get());
  }

 private:
  [[noreturn]] static void fail_type();

  std::shared_ptr<const void> token_;
  const std::type_info* type_ = nullptr;
};

}  // namespace cornu::inline v0::keras
