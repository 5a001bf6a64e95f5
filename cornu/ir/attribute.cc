#include "cornu/ir/attribute.h"

#include <algorithm>

#include "cornu/base/check.h"

namespace cornu::inline v0::ir {

Attributes::Attributes(std::initializer_list<std::pair<std::string, Attribute>> entries) {
  for (const auto& [name, value] : entries) set(name, value);
}

const Attribute* Attributes::find(std::string_view name) const {
  for (const auto& [key, value] : entries_)
    if (key == name) return &value;
  return nullptr;
}

void Attributes::set(std::string name, Attribute value) {
  auto at = std::lower_bound(entries_.begin(), entries_.end(), name,
                             [](const auto& e, const std::string& n) { return e.first < n; });
  if (at != entries_.end() && at->first == name)
    at->second = std::move(value);
  else
    entries_.insert(at, {std::move(name), std::move(value)});
}

void Attributes::missing(std::string_view name) {
  invalid_argument("the attribute \"{}\" is missing or of another kind", name);
}

}  // namespace cornu::inline v0::ir
