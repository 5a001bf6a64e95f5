#include "cornu/keras/trainer/run_limits.h"

#include "cornu/base/log_formatted.h"
#include "cornu/keras/config/global_settings.h"

namespace cornu::inline v0::keras {

std::int64_t limited_epochs(std::int64_t epochs) {
  const std::optional<std::int64_t> most = config::max_epochs();
  if (!most.has_value() || *most >= epochs) return epochs;
  log_warning("[fit] epochs = {} is limited to {} by config::set_max_epochs", epochs, *most);
  return *most;
}

std::optional<std::int64_t> limited_steps(std::optional<std::int64_t> wanted,
                                          std::optional<std::int64_t> available, const char* caller) {
  const std::optional<std::int64_t> most = config::max_steps_per_epoch(),
                                    steps = wanted.has_value() ? wanted : available;
  if (!most.has_value() || (steps.has_value() && *steps <= *most)) return wanted;
  log_warning("[{}] the steps of an epoch are limited to {} by config::set_max_steps_per_epoch", caller,
              *most);
  return most;
}

}  // namespace cornu::inline v0::keras
