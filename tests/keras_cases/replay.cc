#include "tests/keras_cases/replay.h"

#include <map>

#include "cornu/base/error.h"
#include "cornu/keras/keras.h"
#include "tests/keras_cases/comparison.h"

namespace cornu::inline v0::tests {
namespace {

/// Keras's settings while the test ran.
class SettingsScope {
 public:
  explicit SettingsScope(const Config& settings)
      : floatx_(keras::config::floatx()), image_data_format_(keras::config::image_data_format()) {
    keras::config::set_floatx(settings.at("floatx").as_string());
    keras::config::set_image_data_format(settings.at("image_data_format").as_string());
  }
  ~SettingsScope() {
    keras::config::set_floatx(floatx_);
    keras::config::set_image_data_format(image_data_format_);
  }
  SettingsScope(const SettingsScope&) = delete;
  SettingsScope& operator=(const SettingsScope&) = delete;

 private:
  std::string floatx_, image_data_format_;
};

}  // namespace

Replayed replay(const Config& recorded) {
  static const std::map<std::string, void (*)(const Config&)> kReplays = {
      {"layer", replay_layer},
      {"op", replay_op},
      {"loss", replay_loss},
      {"regularizer", replay_regularizer},
      {"constraint", replay_constraint},
      {"schedule", replay_schedule},
      {"initializer", replay_initializer},
      {"metric", replay_metric},
      {"optimizer", replay_optimizer},
      {"training", replay_training},
      {"fit", replay_fit},
  };
  keras::clear_session();
  const SettingsScope settings(recorded.at("settings"));
  try {
    kReplays.at(recorded.at("kind").as_string())(recorded);
    return {};
  } catch (const Difference& difference) {
    return {Outcome::kDifferent, difference.what()};
  } catch (const Error& error) {
    return {Outcome::kRefused, error.what()};
  } catch (const NotReplayed& error) {
    return {Outcome::kRefused, error.what()};
  }
}

}  // namespace cornu::inline v0::tests
