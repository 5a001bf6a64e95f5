#pragma once

/// All layers.
#include "cornu/keras/layers/activation.h"
#include "cornu/keras/layers/dense.h"
#include "cornu/keras/layers/dropout.h"
#include "cornu/keras/layers/flatten.h"
#include "cornu/keras/layers/input_layer.h"
#include "cornu/keras/layers/lambda.h"
