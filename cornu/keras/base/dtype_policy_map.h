#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/keras/base/dtype_policy.h"

namespace cornu::inline v0::keras {

/// Policies by the paths of layers: Keras's DTypePolicyMap.
///
///     DTypePolicyMap policies("float32");
///     policies.set("encoder/.*", "mixed_bfloat16");
///     policies.at("encoder/dense").name();   // "mixed_bfloat16"
///
/// A path that equals a key has its policy; other paths have the policy of the one key that matches the whole
/// path as a regular expression; the rest have the default. Expressions consist of characters, ".", sets such
/// as "[a-z_]", "\d" and "\w", each optionally followed by "*", "+" or "?". Groups and alternatives ("(",
/// "|", "{") are refused, so that a match takes at most the product of both lengths, also for maps from
/// untrusted files.
class DTypePolicyMap {
 public:
  /// The default is the policy of new layers at the time of each look-up.
  DTypePolicyMap() = default;
  explicit DTypePolicyMap(DTypePolicy default_policy) : default_policy_(default_policy) {}

  /// "map_float32": "map_" and the default's name.
  std::string name() const { return "map_" + default_policy().name(); }
  DTypePolicy default_policy() const { return default_policy_.value_or(dtype_policy()); }
  /// nullopt: the policy of new layers.
  const std::optional<DTypePolicy>& given_default() const { return default_policy_; }

  /// Errors: InvalidArgument for a key that exists already, and for invalid expressions.
  void set(const StringArgument& key, const DTypePolicy& policy);
  /// Errors: NotFound.
  void erase(StringViewArgument key);
  bool contains(StringViewArgument key) const;
  /// The policy of a layer's path. Errors: InvalidArgument if several expressions match it and no key equals
  /// it.
  DTypePolicy at(StringViewArgument path) const;

  std::size_t size() const { return policies_.size(); }
  /// In the order in which they were set.
  const std::vector<std::pair<std::string, DTypePolicy>>& policies() const { return policies_; }

  bool operator==(const DTypePolicyMap&) const = default;

 private:
  std::optional<DTypePolicy> default_policy_;
  std::vector<std::pair<std::string, DTypePolicy>> policies_;
};

}  // namespace cornu::inline v0::keras
