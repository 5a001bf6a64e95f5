#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cornu/keras/layer/layer.h"
#include "cornu/keras/models/model.h"
#include "cornu/keras/testing/golden_test_support.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::testing {

/// Compares a layer with a case of real Keras: types on tensors of a functional model, weights, outputs,
/// masks, losses, gradients, training. Runs on the default backend.
void check_layer(const LayerHandle& layer, const nlohmann::json& row, double tolerance = 1e-5);

}  // namespace cornu::inline v0::keras::testing
