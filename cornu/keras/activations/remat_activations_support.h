#pragma once

/// For Layer; not part of the interface.
namespace cornu::inline v0::keras::activations {

/// While it lives, activation functions of this thread are computed again during the backward pass, or not.
/// Lifetime: scopes end in the opposite order of their beginnings.
class RematActivations {
 public:
  explicit RematActivations(bool is_on);
  ~RematActivations();
  RematActivations(const RematActivations&) = delete;
  RematActivations& operator=(const RematActivations&) = delete;

 private:
  bool before_;
};

}  // namespace cornu::inline v0::keras::activations
