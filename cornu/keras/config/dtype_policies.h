#pragma once

#include "cornu/keras/base/dtype_policy_map.h"
#include "cornu/keras/config/config.h"

namespace cornu::inline v0::keras {

/// A map of policies as Keras's serialize_keras_object writes it, {"module": "keras.dtype_policies",
/// "class_name": "DTypePolicyMap", ...}. Where the default is the policy of new layers, Keras leaves out the
/// names of all others, too; here they stay.
Config serialize(const DTypePolicyMap& policies);
/// The same read. A policy without a name is that of new layers.
/// Errors: InvalidArgument for what is no such map; those of DTypePolicyMap::set.
DTypePolicyMap deserialize_dtype_policy_map(const Config& config);

}  // namespace cornu::inline v0::keras
