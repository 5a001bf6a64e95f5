#pragma once

#include <initializer_list>
#include <string_view>

#include "cornu/keras/config/config.h"

/// Dicts of which one entry may hold most of a model. Nested ones are taken apart level by level, and all
/// levels are there at once: none may copy what it holds.
namespace cornu::inline v0::keras::saving {

/// A dict's other entries.
Config without(const Config& dict, std::initializer_list<std::string_view> keys);

/// A dict with another value for a key that it has.
Config with_value(const Config& dict, std::string_view key, Config value);

}  // namespace cornu::inline v0::keras::saving
