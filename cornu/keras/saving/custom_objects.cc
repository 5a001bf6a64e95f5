#include "cornu/base/check.h"
#include "cornu/keras/saving/custom_objects_support.h"

namespace cornu::inline v0::keras::saving {
namespace {

thread_local const CustomObjects* custom_objects = nullptr;

template <typename T>
const CustomObjects::Makers<T>& makers_of(const CustomObjects& objects);
template <>
const CustomObjects::Makers<Layer>& makers_of(const CustomObjects& objects) {
  return objects.layers;
}
template <>
const CustomObjects::Makers<Loss>& makers_of(const CustomObjects& objects) {
  return objects.losses;
}
template <>
const CustomObjects::Makers<Metric>& makers_of(const CustomObjects& objects) {
  return objects.metrics;
}
template <>
const CustomObjects::Makers<Optimizer>& makers_of(const CustomObjects& objects) {
  return objects.optimizers;
}
template <>
const CustomObjects::Makers<LearningRateSchedule>& makers_of(const CustomObjects& objects) {
  return objects.schedules;
}
template <>
const CustomObjects::Makers<Initializer>& makers_of(const CustomObjects& objects) {
  return objects.initializers;
}
template <>
const CustomObjects::Makers<Regularizer>& makers_of(const CustomObjects& objects) {
  return objects.regularizers;
}
template <>
const CustomObjects::Makers<Constraint>& makers_of(const CustomObjects& objects) {
  return objects.constraints;
}

}  // namespace

CustomObjectScope::CustomObjectScope(const CustomObjects& objects) : before_(custom_objects) {
  custom_objects = &objects;
}
CustomObjectScope::~CustomObjectScope() { custom_objects = before_; }

template <typename T>
std::shared_ptr<T> make_custom(const std::string& registered_name, const std::string& class_name,
                               const Config& config) {
  if (custom_objects == nullptr) return nullptr;
  const CustomObjects::Makers<T>& makers = makers_of<T>(*custom_objects);
  auto found = makers.find(registered_name);
  if (found == makers.end()) found = makers.find(class_name);
  if (found == makers.end() || !found->second) return nullptr;
  std::shared_ptr<T> made = found->second(config);
  if (made == nullptr)
    invalid_argument("[load_model] the function of custom_objects for \"{}\" gave no object", found->first);
  return made;
}

bool is_custom(const std::string& registered_name, const std::string& class_name) {
  if (custom_objects == nullptr) return false;
  const auto has = [&](const auto& makers) {
    return makers.contains(registered_name) || makers.contains(class_name);
  };
  const CustomObjects& all = *custom_objects;
  return has(all.layers) || has(all.losses) || has(all.metrics) || has(all.optimizers) ||
         has(all.schedules) || has(all.initializers) || has(all.regularizers) || has(all.constraints);
}

#define CORNU_INSTANTIATE(T) \
  template std::shared_ptr<T> make_custom<T>(const std::string&, const std::string&, const Config&);
CORNU_INSTANTIATE(Layer)
CORNU_INSTANTIATE(Loss)
CORNU_INSTANTIATE(Metric)
CORNU_INSTANTIATE(Optimizer)
CORNU_INSTANTIATE(LearningRateSchedule)
CORNU_INSTANTIATE(Initializer)
CORNU_INSTANTIATE(Regularizer)
CORNU_INSTANTIATE(Constraint)
#undef CORNU_INSTANTIATE

}  // namespace cornu::inline v0::keras::saving
