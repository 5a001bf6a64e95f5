#include "cornu/keras/base/dtype_policy_map.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/keras/base/path_pattern.h"

namespace cornu::inline v0::keras {

void DTypePolicyMap::set(const StringArgument& key, const DTypePolicy& policy) {
  if (contains(key))
    invalid_argument({.argument = "key"}, "[dtype_policy_map] \"{}\" is there already; erase it first", key);
  const PathPattern understood(key);
  policies_.emplace_back(key, policy);
}

void DTypePolicyMap::erase(StringViewArgument key) {
  if (std::erase_if(policies_, [&](const auto& row) { return row.first == key; }) == 0)
    fail(ErrorCode::kNotFound, "[dtype_policy_map] there is no \"{}\"", key);
}

bool DTypePolicyMap::contains(StringViewArgument key) const {
  return std::any_of(policies_.begin(), policies_.end(), [&](const auto& row) { return row.first == key; });
}

DTypePolicy DTypePolicyMap::at(StringViewArgument path) const {
  std::vector<const std::pair<std::string, DTypePolicy>*> fitting;
  for (const auto& row : policies_) {
    if (row.first == path) return row.second;
    if (PathPattern(row.first).fits(path)) fitting.push_back(&row);
  }
  if (fitting.size() > 1)
    invalid_argument({.argument = "path"},
                     "[dtype_policy_map] the path \"{}\" fits several keys, \"{}\" and \"{}\"", path,
                     fitting[0]->first, fitting[1]->first);
  return fitting.empty() ? default_policy() : fitting[0]->second;
}

}  // namespace cornu::inline v0::keras
