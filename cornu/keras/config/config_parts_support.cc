#include "cornu/keras/config/config_parts_support.h"

#include <algorithm>
#include <utility>

namespace cornu::inline v0::keras::saving {

Config without(const Config& dict, std::initializer_list<std::string_view> keys) {
  Config::Dict kept;
  for (const Config::Entry& entry : dict.as_dict())
    if (std::find(keys.begin(), keys.end(), entry.first) == keys.end()) kept.push_back(entry);
  return Config::dict(std::move(kept));
}

Config with_value(const Config& dict, std::string_view key, Config value) {
  Config::Dict changed;
  for (const auto& [each, old] : dict.as_dict()) {
    changed.emplace_back(each, Config());
    if (each != key) changed.back().second = old;
  }
  Config result = Config::dict(std::move(changed));
  result.set(key, std::move(value));
  return result;
}

}  // namespace cornu::inline v0::keras::saving
