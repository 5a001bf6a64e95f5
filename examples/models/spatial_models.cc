#include "examples/models/models.h"

#include "cornu/keras/layers/layers.h"
#include "cornu/keras/losses/losses.h"
#include "cornu/keras/optimizers/optimizers.h"
#include "cornu/keras/optimizers/schedules/schedules.h"
#include "cornu/keras/regularizers/regularizers.h"

namespace cornu::inline v0::examples {
namespace {

using keras::Sequential;
namespace layers = keras::layers;
namespace losses = keras::losses;
namespace optimizers = keras::optimizers;

}  // namespace

Sequential mnist_cnn() {
  return Sequential({layers::Conv2D({.filters = 32, .kernel_size = 3, .activation = "relu"}),
                     layers::Conv2D({.filters = 64, .kernel_size = 3, .activation = "relu"}),
                     layers::MaxPooling2D({.pool_size = 2}), layers::Dropout({.rate = 0.25}),
                     layers::Flatten(), layers::Dense({.units = 128, .activation = "relu"}),
                     layers::Dropout({.rate = 0.5}), layers::Dense({.units = 10, .activation = "softmax"})});
}

keras::CompileOptions mnist_cnn_training(double learning_rate) {
  return {.optimizer = optimizers::Adadelta({.learning_rate = learning_rate}),
          .loss = losses::SparseCategoricalCrossentropy()};
}

Sequential mnist_tpu_cnn(std::int64_t filters) {
  const keras::RegularizerSpec penalty = keras::regularizers::L2({.l2 = 1e-5});
  return Sequential(
      {layers::Conv2D(
           {.filters = filters, .kernel_size = 3, .activation = "relu", .kernel_regularizer = penalty}),
       layers::Conv2D(
           {.filters = filters, .kernel_size = 3, .activation = "relu", .kernel_regularizer = penalty}),
       layers::Flatten(), layers::Dense({.units = 256, .activation = "relu", .kernel_regularizer = penalty}),
       layers::Dense({.units = 128, .activation = "relu", .kernel_regularizer = penalty}),
       layers::Dense({.units = 10, .kernel_regularizer = penalty})});
}

keras::CompileOptions mnist_tpu_cnn_training() {
  return {.optimizer = optimizers::Adam(),
          .loss = losses::SparseCategoricalCrossentropy({.from_logits = true})};
}

Sequential cifar10_cnn() {
  const auto convolution = [](std::int64_t filters, const char* padding) {
    return layers::Conv2D({.filters = filters, .kernel_size = 3, .padding = padding, .activation = "relu"});
  };
  return Sequential({convolution(32, "same"), convolution(32, "valid"),
                     layers::MaxPooling2D({.pool_size = 2}), layers::Dropout({.rate = 0.25}),
                     convolution(64, "same"), convolution(64, "valid"),
                     layers::MaxPooling2D({.pool_size = 2}), layers::Dropout({.rate = 0.25}),
                     layers::Flatten(), layers::Dense({.units = 512, .activation = "relu"}),
                     layers::Dropout({.rate = 0.5}), layers::Dense({.units = 10, .activation = "softmax"})});
}

keras::CompileOptions cifar10_cnn_training(double decay) {
  constexpr double kRate = 1e-4;
  const losses::SparseCategoricalCrossentropy loss;
  if (decay == 0.0) return {.optimizer = optimizers::RMSprop({.learning_rate = kRate}), .loss = loss};
  const optimizers::schedules::InverseTimeDecay schedule(
      {.initial_learning_rate = kRate, .decay_steps = 1, .decay_rate = decay});
  return {.optimizer = optimizers::RMSprop({.learning_rate = schedule}), .loss = loss};
}

Sequential imdb_fasttext(std::int64_t num_words) {
  return Sequential({layers::Embedding({.input_dim = num_words, .output_dim = 50}),
                     layers::GlobalAveragePooling1D(), layers::Dense({.units = 1, .activation = "sigmoid"})});
}

keras::CompileOptions imdb_fasttext_training() {
  return {.optimizer = optimizers::Adam(), .loss = losses::BinaryCrossentropy()};
}

Sequential cifar_cnn(bool large) {
  const auto convolution = [](std::int64_t filters) {
    return layers::Conv2D({.filters = filters, .kernel_size = 3, .padding = "same", .activation = "relu"});
  };
  const std::int64_t first = large ? 64 : 32;
  return Sequential({convolution(first), convolution(first), layers::MaxPooling2D({.pool_size = 2}),
                     convolution(2 * first), convolution(2 * first), layers::MaxPooling2D({.pool_size = 2}),
                     layers::Flatten(), layers::Dense({.units = large ? 1200 : 512, .activation = "relu"}),
                     layers::Dense({.units = 10, .activation = "softmax"})});
}

keras::CompileOptions cifar_cnn_training() {
  return {.optimizer = optimizers::Adam(), .loss = losses::SparseCategoricalCrossentropy()};
}

}  // namespace cornu::inline v0::examples
