#include <tuple>

#include "cornu/base/check.h"
#include "cornu/keras/config/config.h"
#include "cornu/keras/saving/custom_objects_support.h"

namespace cornu::inline v0::keras {

template <typename T>
CustomMakers<T>::CustomMakers() = default;
template <typename T>
CustomMakers<T>::CustomMakers(const CustomMakers& other) {
  if (other.makers_ != nullptr) makers_ = std::make_unique<std::map<std::string, Maker>>(*other.makers_);
}
template <typename T>
CustomMakers<T>::CustomMakers(CustomMakers&& other) noexcept = default;
template <typename T>
CustomMakers<T>& CustomMakers<T>::operator=(const CustomMakers& other) {
  return *this = CustomMakers(other);
}
template <typename T>
CustomMakers<T>& CustomMakers<T>::operator=(CustomMakers&& other) noexcept = default;
template <typename T>
CustomMakers<T>::~CustomMakers() = default;

template <typename T>
typename CustomMakers<T>::Maker& CustomMakers<T>::operator[](const StringArgument& name) {
  if (makers_ == nullptr) makers_ = std::make_unique<std::map<std::string, Maker>>();
  return (*makers_)[name];
}

template <typename T>
const typename CustomMakers<T>::Maker* CustomMakers<T>::find(const StringArgument& name) const {
  if (makers_ == nullptr) return nullptr;
  const auto found = makers_->find(name);
  return found == makers_->end() ? nullptr : &found->second;
}

}  // namespace cornu::inline v0::keras

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
  const bool is_registered = makers.contains(registered_name);
  const std::string& name = is_registered ? registered_name : class_name;
  const auto* maker = makers.find(name);
  if (maker == nullptr || !*maker) return nullptr;
  std::shared_ptr<T> made = (*maker)(config);
  if (made == nullptr)
    invalid_argument("[load_model] the function of custom_objects for \"{}\" gave no object", name);
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

}  // namespace cornu::inline v0::keras::saving

namespace cornu::inline v0::keras {

#define CORNU_INSTANTIATE(T)      \
  template class CustomMakers<T>; \
  template std::shared_ptr<T> saving::make_custom<T>(const std::string&, const std::string&, const Config&);
CORNU_INSTANTIATE(Layer)
CORNU_INSTANTIATE(Loss)
CORNU_INSTANTIATE(Metric)
CORNU_INSTANTIATE(Optimizer)
CORNU_INSTANTIATE(LearningRateSchedule)
CORNU_INSTANTIATE(Initializer)
CORNU_INSTANTIATE(Regularizer)
CORNU_INSTANTIATE(Constraint)
#undef CORNU_INSTANTIATE

}  // namespace cornu::inline v0::keras
