#include <tuple>

#include "cornu/base/check.h"
#include "cornu/keras/saving/custom_objects_support.h"

namespace cornu::inline v0::keras::saving {
namespace {

thread_local const CustomObjects* custom_objects = nullptr;

auto all_makers(const CustomObjects& objects) {
  return std::tie(objects.layers, objects.losses, objects.metrics, objects.optimizers, objects.schedules,
                  objects.initializers, objects.regularizers, objects.constraints);
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
  const auto& makers = std::get<const CustomObjects::Makers<T>&>(all_makers(*custom_objects));
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
  return std::apply(
      [&](const auto&... makers) {
        return ((makers.contains(registered_name) || makers.contains(class_name)) || ...);
      },
      all_makers(*custom_objects));
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
