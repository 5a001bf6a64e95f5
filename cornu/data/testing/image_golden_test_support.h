#pragma once

#include <nlohmann/json.hpp>

#include "cornu/data/element.h"

namespace cornu::inline v0::data {

/// tests/goldens/data_images.json, which tools/goldens/data_images.py makes.
const nlohmann::json& image_goldens();
/// An array as that script writes it.
Tensor tensor_of(const nlohmann::json& array);
/// Expects its shape, type and, within `tolerance`, elements.
void expect_equals(const Tensor& tensor, const nlohmann::json& array, double tolerance);

}  // namespace cornu::inline v0::data
