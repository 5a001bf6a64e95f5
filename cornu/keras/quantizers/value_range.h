#pragma once

#include <cstdint>

#include "cornu/keras/config/serialize.h"

namespace cornu::inline v0::keras {

/// The lowest and the highest quantized value.
struct ValueRange {
  std::int64_t lowest = -127;
  std::int64_t highest = 127;

  bool operator==(const ValueRange&) const = default;
};

namespace saving {

/// A list of both.
Config write_value(const ValueRange& value, const Place& place);
void read_value(const Config& config, const Place& place, ValueRange& value);

}  // namespace saving
}  // namespace cornu::inline v0::keras
