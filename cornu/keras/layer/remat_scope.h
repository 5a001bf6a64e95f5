#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cornu/keras/base/handle.h"
#include "cornu/tensor/remat.h"

namespace cornu::inline v0::keras {

using cornu::remat;

struct RematScopeOptions {  // options/layers.toml
  /// Layers that are computed again: "full", all; "activations", only their activation functions;
  /// "larger_than", those with more than output_size_threshold elements of output; "list_of_layers", those in
  /// layer_names; unset: none.
  std::optional<std::string> mode = "full";
  /// Number of elements of all outputs, with the batch, for mode "larger_than".
  std::int64_t output_size_threshold = 1024;
  /// Names of layers, for mode "list_of_layers".
  std::vector<std::string> layer_names = {};
};

/// While it lives, layers that are made on this thread compute intermediate values again during the backward
/// pass in place of storing them; see remat.
///
///     {
///       const keras::RematScope scope({.mode = "larger_than", .output_size_threshold = 1 << 16});
///       model = make_model();
///     }
///     model.fit(x, y);
///
/// Scopes nest: the innermost counts. A layer that was made in a scope keeps its mode for all its calls; the
/// mode is no part of its configuration.
/// Errors:   InvalidArgument for an unknown mode.
/// Lifetime: of one thread; scopes end in the opposite order of their beginnings.
/// Source:   keras.RematScope.
class RematScope {
 public:
  explicit RematScope(RematScopeOptions options = {});
  explicit RematScope(NoOptions) : RematScope() {}
  ~RematScope();
  RematScope(const RematScope&) = delete;
  RematScope& operator=(const RematScope&) = delete;

  /// The options of this thread's innermost scope; null outside of scopes, and if it has no mode.
  static std::shared_ptr<const RematScopeOptions> current();

 private:
  std::shared_ptr<const RematScopeOptions> before_;
};

}  // namespace cornu::inline v0::keras
