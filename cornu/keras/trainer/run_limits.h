#pragma once

#include <cstdint>
#include <optional>

/// The limits of keras/config/global_settings.h, as runs apply them.
namespace cornu::inline v0::keras {

/// The epochs of fit() after config::max_epochs(); warns if the limit applies.
std::int64_t limited_epochs(std::int64_t epochs);

/// The steps of a run after config::max_steps_per_epoch(); warns if the limit applies. `wanted` is unset for
/// all steps of the data, which have `available` steps, unset if unknown.
std::optional<std::int64_t> limited_steps(std::optional<std::int64_t> wanted,
                                          std::optional<std::int64_t> available, const char* caller);

}  // namespace cornu::inline v0::keras
