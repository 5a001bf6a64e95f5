#include <ctime>

#include "cornu/base/check.h"
#include "cornu/io/zip.h"
#include "cornu/keras/config/serialize.h"
#include "cornu/keras/files/assets.h"
#include "cornu/keras/files/compile_config.h"
#include "cornu/keras/files/model_files_support.h"
#include "cornu/keras/files/weights_hdf5_support.h"
#include "cornu/keras/layer/deferred_initialization.h"
#include "cornu/keras/optimizers/loss_scale_optimizer.h"
#include "cornu/keras/saving/custom_objects_support.h"
#include "cornu/keras/saving/models.h"
#include "cornu/keras/saving/old_config.h"

namespace cornu::inline v0::keras::files {
namespace {

constexpr const char* kMetadata = "metadata.json";
constexpr const char* kConfig = "config.json";
constexpr const char* kWeights = "model.weights.h5";
constexpr const char* kPickledWeights = "model.weights.npz";
/// The version of Keras whose file format is written.
constexpr const char* kKerasVersion = "3.15.1";

std::string now() {
  const std::time_t time = std::time(nullptr);
  std::tm parts = {};
  gmtime_r(&time, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%d@%H:%M:%S", &parts);
  return text;
}

saving::KerasVersion version_of(const io::ZipFile& zip) {
  if (!zip.contains(kMetadata)) return {};
  const Config metadata =
      in_part(zip.name() + "[" + kMetadata + "]", [&] { return Config::parse(zip.read_text(kMetadata)); });
  const Config* const version = metadata.find("keras_version");
  return version != nullptr && version->is_string() ? saving::KerasVersion(version->as_string())
                                                    : saving::KerasVersion();
}

/// Adds a LossScaleOptimizer if the file has its state. Keras writes the optimizer given to compile(), not
/// the LossScaleOptimizer that the policy "mixed_float16" wraps around it.
CompileOptions with_loss_scale(CompileOptions options, const io::Hdf5File& weights) {
  if (weights.root().find_group("optimizer/inner_optimizer") == nullptr) return options;
  std::shared_ptr<Optimizer> optimizer = options.optimizer.get({"compile", "optimizer"});
  if (optimizer->inner_optimizer() == nullptr)
    options.optimizer =
        optimizers::LossScaleOptimizer({.inner_optimizer = optimizer, .name = "loss_scale_optimizer"});
  return options;
}

}  // namespace

std::int64_t weight_budget(std::uint64_t size_bytes) {
  constexpr std::int64_t kFew = std::int64_t{16} << 20;
  constexpr std::uint64_t kLargestGrowth = 8;  // of one byte to eight
  const std::int64_t size =
      static_cast<std::int64_t>(std::min<std::uint64_t>(size_bytes, std::uint64_t{1} << 58));
  return size * static_cast<std::int64_t>(kLargestGrowth) + kFew;
}

PreparedFile prepare_hdf5_weights(const Layer& network, const Optimizer* optimizer, const std::string& path) {
  return [path, written = std::make_shared<const WeightsContent>(weights_content(network, optimizer))] {
    write_hdf5(path, written->content);
  };
}

PreparedFile prepare_keras_file(const SavedModel& model, const std::string& path) {
  Config config = saving::serialize(model.network);
  if (!model.compile_config.is_null()) config.set("compile_config", model.compile_config);
  return prepare_keras_archive(config, model.network, model.optimizer, path);
}

PreparedFile prepare_keras_archive(const Config& description, const Layer& layer, const Optimizer* optimizer,
                                   const std::string& path) {
  const Config metadata = Config::dict({{"keras_version", kKerasVersion}, {"date_saved", now()}});
  const auto written = std::make_shared<const WeightsContent>(weights_content(layer, optimizer));
  return [path, metadata = metadata.json(), config = description.json(), written] {
    const io::Hdf5Writer weights(written->content);
    io::ZipWriter zip(path);
    zip.add(kMetadata, metadata);
    zip.add(kConfig, config);
    zip.add(kWeights, weights.size_bytes(), false, [&](const io::ByteSink& sink) { weights.write(sink); });
    zip.commit();
  };
}

Model load_keras_file(const io::RandomAccessPointer& bytes, const LoadModelOptions& options) {
  const io::ZipFile zip(bytes, "a .keras", {.max_size_bytes = std::int64_t{1} << 40});
  const std::string config_name = zip.name() + "[" + kConfig + "]";
  const std::string text = zip.read_text(kConfig);
  if (!zip.contains(kWeights) && zip.contains(kPickledWeights))
    invalid_argument(
        "[load_model] {} has its weights in {}, which holds pickled Python objects: these are "
        "never read; save the model with \"model.weights.h5\"",
        zip.name(), kPickledWeights);
  const io::RandomAccessPointer weight_bytes = zip.open(kWeights);
  const auto weights = std::make_shared<const io::Hdf5File>(weight_bytes);
  const Config config = in_part(config_name, [&] { return with_vocabularies(Config::parse(text), zip); });
  if (const Config* const name = config.find("class_name");
      name != nullptr && *name == Config("FeatureSpace"))
    invalid_argument("[load_model] {} is a FeatureSpace, which is no model: read it by FeatureSpace::load()",
                     zip.name());
  const saving::KerasVersion version = version_of(zip);
  Model model = [&] {
    const saving::CustomObjectScope scope(options.custom_objects);
    const DeferredInitialization withheld(weight_budget(weight_bytes->size()));
    Model made = in_description(config_name, version,
                                [&] { return saving::make_model(config, version, options.custom_objects); });
    const Config* const compile_config = config.find("compile_config");
    if (options.compile && compile_config != nullptr && compile_config->is_dict() &&
        compile_config->size() > 0)
      in_compile_config(config_name, version, [&] {
        made.compile(with_loss_scale(read_compile_config(*compile_config, version, made), *weights));
      });
    return made;
  }();
  Optimizer* const optimizer = model.compiled() ? model.optimizer().get() : nullptr;
  if (version.is_before_3()) {
    find_weights(weights, *model, nullptr, {}).run();
    if (optimizer != nullptr) load_old_state(weights, *optimizer, model->trainable_weights());
  } else {
    find_weights(weights, *model, optimizer, {}).run();
  }
  return model;
}

}  // namespace cornu::inline v0::keras::files
