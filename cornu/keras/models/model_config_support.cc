#include "cornu/keras/models/model_config_support.h"

#include <utility>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/keras/config/config_parts_support.h"
#include "cornu/keras/config/registry_support.h"
#include "cornu/keras/models/sequential.h"

namespace cornu::inline v0::keras::saving {
namespace {

/// The fields of every model's configuration, and its layers.
struct ModelFields {
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
  OptionalDims build_input_shape = {};
};
CORNU_FIELDS(ModelFields, name, trainable, dtype, build_input_shape)

}  // namespace

std::shared_ptr<Layer> make_sequential(const Config& config, const ClassId& id) {
  const Config* list = config.find("layers");
  if (list == nullptr || !list->is_list())
    invalid_argument("[from_config] {} needs the key \"layers\", a list of layers", id.class_name);
  const auto fields = read_fields<ModelFields>(without(config, {"layers"}), id);
  std::vector<std::shared_ptr<Layer>> layers;
  for (const Config& layer : list->as_list())
    layers.push_back(deserialize_unbuilt(layer, {id.class_name, "layers"}));
  const auto network = [&] {
    std::optional<DTypePolicyScope> policy;  // for the model itself; its layers have their own
    if (fields.dtype.has_value()) policy.emplace(*fields.dtype);
    return std::make_shared<SequentialNetwork>(
        SequentialOptions{.name = fields.name, .trainable = fields.trainable});
  }();
  network->add(layers);
  if (!network->built() && !layers.empty() && fields.build_input_shape.has_value())
    network->build_once(*fields.build_input_shape);
  return network;
}

}  // namespace cornu::inline v0::keras::saving
