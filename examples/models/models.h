#pragma once

#include "cornu/keras/sequential.h"

/// The models of the examples and of `cornu bench`, with the settings that they are trained with: each stands here once.
namespace cornu::inline v0::examples {

/// 4-32-3 with log-cosh and Adam(0.1).
keras::Sequential iris_mlp();
keras::CompileOptions iris_mlp_training();

/// 784-512-512-10 with dropout, by RMSprop; takes [rows, 784].
keras::Sequential mnist_mlp();
keras::CompileOptions mnist_mlp_training();

}  // namespace cornu::inline v0::examples
