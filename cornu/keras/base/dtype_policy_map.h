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
/// A path that is a key has its policy; others that of the one key which fits all of it as a regular
/// expression; the rest have the default. Expressions are texts, ".", sets such as "[a-z_]", "\d", "\w", and
/// "*", "+" or "?" behind one of these; groups and alternatives ("(", "|", "{") are refused, so that finding
/// a path takes no longer than the product of both lengths, wherever the map is from.
class DTypePolicyMap {
 public:
  /// The default is the policy of new layers at the time when it is asked for.
  DTypePolicyMap() = default;
  explicit DTypePolicyMap(DTypePolicy default_policy) : default_policy_(default_policy) {}

  /// "map_float32": "map_" and the default's name.
  std::string name() const { return "map_" + default_policy().name(); }
  DTypePolicy default_policy() const { return default_policy_.value_or(dtype_policy()); }
  /// Nothing: it is the policy of new layers.
  const std::optional<DTypePolicy>& given_default() const { return default_policy_; }

  /// Errors: InvalidArgument for a key that is there, and for expressions that are not understood.
  void set(const StringArgument& key, const DTypePolicy& policy);
  /// Errors: NotFound.
  void erase(StringViewArgument key);
  bool contains(StringViewArgument key) const;
  /// Of a layer's path. Errors: InvalidArgument where several expressions fit it, and no key is it.
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
