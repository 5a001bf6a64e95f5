#include <memory>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/io/hdf5.h"
#include "cornu/io/zip.h"
#include "cornu/keras/feature_space/feature_space_support.h"
#include "cornu/keras/files/array_files_support.h"
#include "cornu/keras/files/assets.h"
#include "cornu/keras/files/model_files_support.h"
#include "cornu/keras/files/weights_hdf5_support.h"
#include "cornu/keras/layer/deferred_initialization.h"
#include "cornu/runtime/collective.h"

namespace cornu::inline v0::keras::utils {
namespace {

/// Errors: InvalidArgument for another extension.
void check_path(const std::string& path, const char* caller) {
  if (files::format_of(path) != files::Format::kKeras)
    invalid_argument("[{}] a FeatureSpace is in a file \".keras\"; got \"{}\"", caller, path);
}

/// The description with which Keras builds the layers again.
Config description_of(const FeatureSpaceLayer& layer) {
  const Config config = layer.get_config();
  Config shapes = Config::dict();
  for (const auto& [name, feature] : config.at("features").as_dict()) {
    const Config* const shape = feature.at("config").at("preprocessor").find("build_config");
    shapes.set(name, shape == nullptr || shape->is_null() ? Config::dict() : *shape);
  }
  return Config::dict({{"module", "keras.utils"},
                       {"class_name", "FeatureSpace"},
                       {"config", config},
                       {"registered_name", nullptr},
                       {"build_config", std::move(shapes)}});
}

}  // namespace

void FeatureSpace::save(const StringArgument& path) const {
  check_path(path, "save");
  if (!runtime::is_chief()) return;
  files::prepare_keras_archive(description_of(*layer_), *layer_, nullptr, path)();
}

FeatureSpace FeatureSpace::load(const StringArgument& path) {
  check_path(path, "load");
  const io::RandomAccessPointer bytes = io::open_random_access(path);
  const io::ZipFile zip(bytes, "a .keras", {.max_size_bytes = std::int64_t{1} << 40});
  const std::string config_name = zip.name() + "[config.json]";
  const io::RandomAccessPointer weights = zip.open("model.weights.h5");
  const Config config = files::in_part(config_name, [&] {
    return files::with_vocabularies(Config::parse(zip.read_text("config.json")), zip);
  });
  const Config* const class_name = config.find("class_name");
  if (class_name == nullptr || !(*class_name == Config("FeatureSpace")))
    invalid_argument("[load] {} is no FeatureSpace", config_name);
  FeatureSpace space = files::in_part(config_name, [&] {
    const DeferredInitialization withheld(files::weight_budget(weights->size()));
    return FeatureSpace::from_config(config.at("config"));
  });
  files::find_weights(std::make_shared<const io::Hdf5File>(weights), *space.layer_, nullptr, {}).run();
  space.layer_->set_adapted();
  return space;
}

}  // namespace cornu::inline v0::keras::utils
