#include <cstdio>

#include "cornu/keras/keras.h"

namespace keras = cornu::keras;

int main() {
  cornu::set_random_seed(1);
  const auto x = cornu::Tensor::of<float>({4, 2}, {0, 0, 0, 1, 1, 0, 1, 1});
  const auto y = cornu::Tensor::of<float>({4, 1}, {0, 1, 1, 0});  // exclusive or

  keras::Sequential model({keras::layers::Dense({.units = 8, .activation = "tanh"}),
                           keras::layers::Dense({.units = 1, .activation = "sigmoid"})});
  model.compile({.optimizer = keras::optimizers::Adam({.learning_rate = 0.1}),
                 .loss = "binary_crossentropy",
                 .metrics = {"accuracy"}});
  const auto history = model.fit(x, y, {.epochs = 200, .verbose = 0});

  std::printf("accuracy %.2f, %.2f us a step\n", history["accuracy"].back(), history.microseconds_per_step());
  return history["accuracy"].back() == 1.0 ? 0 : 1;
}
