#include "examples/models/models.h"

#include "cornu/keras/layers/layers.h"
#include "cornu/keras/losses/losses.h"
#include "cornu/keras/optimizers/optimizers.h"

namespace cornu::inline v0::examples {
namespace {

using keras::Sequential;
namespace layers = keras::layers;
namespace losses = keras::losses;
namespace optimizers = keras::optimizers;

}  // namespace

Sequential iris_mlp() {
  return Sequential({layers::Dense({.units = 32, .activation = "relu"}),
                     layers::Dense({.units = 3, .activation = "softmax"})});
}

keras::CompileOptions iris_mlp_training() {
  return {.optimizer = optimizers::Adam({.learning_rate = 0.1}), .loss = losses::LogCosh()};
}

Sequential mnist_mlp() {
  return Sequential({layers::Dense({.units = 512, .activation = "relu"}), layers::Dropout({.rate = 0.2}),
                     layers::Dense({.units = 512, .activation = "relu"}), layers::Dropout({.rate = 0.2}),
                     layers::Dense({.units = 10, .activation = "softmax"})});
}

keras::CompileOptions mnist_mlp_training() {
  return {.optimizer = optimizers::RMSprop(), .loss = losses::SparseCategoricalCrossentropy()};
}

}  // namespace cornu::inline v0::examples
