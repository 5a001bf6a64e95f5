#pragma once

#include <nlohmann/json.hpp>

#include "cornu/data/element.h"

namespace cornu::inline v0::data {

/// The content of tests/goldens/data_images.json, made by tools/goldens/data_images.py.
const nlohmann::json& image_goldens();
/// An array in that script's format.
Tensor tensor_of(const nlohmann::json& array);
/// Expects the array's shape, type and, within `tolerance`, elements.
void expect_equals(const Tensor& tensor, const nlohmann::json& array, double tolerance);

}  // namespace cornu::inline v0::data
