#pragma once

#include <nlohmann/json.hpp>

#include "cornu/data/dataset.h"

namespace cornu::inline v0::data {

/// An element in the format of tools/goldens/data_pipelines.py: structures as lists or objects, tensors as
/// nested lists, datasets as {"dataset": elements}.
nlohmann::json element_json(const Element& element);
nlohmann::json elements_json(const Dataset& dataset);

}  // namespace cornu::inline v0::data
