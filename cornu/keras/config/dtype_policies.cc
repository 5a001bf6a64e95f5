#include "cornu/keras/config/dtype_policies.h"

#include "cornu/base/check.h"
#include "cornu/keras/config/values_support.h"

namespace cornu::inline v0::keras {
namespace {

constexpr const char* kClass = "DTypePolicyMap";

DTypePolicy policy_of(const Config& config, std::string_view key) {
  const Config* const inner = config.find("config");
  const Config* const name = inner == nullptr ? nullptr : inner->find("name");
  if (name != nullptr && name->is_null()) return dtype_policy();
  DTypePolicy policy;
  saving::read_value(config, saving::Place{.class_name = kClass, .key = key}, policy);
  return policy;
}

}  // namespace

Config serialize(const DTypePolicyMap& policies) {
  Config map = Config::dict();
  for (const auto& [key, policy] : policies.policies())
    map.set(key, saving::write_value(policy, saving::Place{.class_name = kClass, .key = key}));
  Config by_default;
  if (policies.given_default().has_value())
    by_default = saving::write_value(*policies.given_default(),
                                     saving::Place{.class_name = kClass, .key = "default_policy"});
  return Config::dict({{"module", "keras.dtype_policies"},
                       {"class_name", kClass},
                       {"config", Config::dict({{"default_policy", by_default}, {"policy_map", map}})},
                       {"registered_name", nullptr}});
}

DTypePolicyMap deserialize_dtype_policy_map(const Config& config) {
  const Config *class_name = config.find("class_name"), *options = config.find("config");
  if (class_name == nullptr || *class_name != Config(kClass) || options == nullptr || !options->is_dict())
    invalid_argument(
        "[from_config] a DTypePolicyMap has a \"class_name\" that says so, and a \"config\"; got {}",
        config.kind_name());
  const Config *by_default = options->find("default_policy"), *map = options->find("policy_map");
  DTypePolicyMap policies;
  if (by_default != nullptr && !by_default->is_null())
    policies = DTypePolicyMap(policy_of(*by_default, "default_policy"));
  if (map == nullptr || map->is_null()) return policies;
  if (!map->is_dict())
    invalid_argument("[from_config] policy_map of a DTypePolicyMap must be a dict; got {}", map->kind_name());
  for (const auto& [key, policy] : map->as_dict()) policies.set(key, policy_of(policy, key));
  return policies;
}

}  // namespace cornu::inline v0::keras
