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

Sequential imdb_bidirectional_lstm(std::int64_t num_words) {
  return Sequential({layers::Embedding({.input_dim = num_words, .output_dim = 128}),
                     layers::Bidirectional(layers::LSTM({.units = 64})), layers::Dropout({.rate = 0.5}),
                     layers::Dense({.units = 1, .activation = "sigmoid"})});
}

keras::CompileOptions imdb_bidirectional_lstm_training() {
  return {.optimizer = optimizers::Adam(), .loss = losses::BinaryCrossentropy()};
}

Sequential lstm_text_generation(std::int64_t num_characters) {
  return Sequential(
      {layers::LSTM({.units = 128}), layers::Dense({.units = num_characters, .activation = "softmax"})});
}

keras::CompileOptions lstm_text_generation_training() {
  return {.optimizer = optimizers::RMSprop({.learning_rate = 0.01}),
          .loss = losses::SparseCategoricalCrossentropy()};
}

}  // namespace cornu::inline v0::examples
