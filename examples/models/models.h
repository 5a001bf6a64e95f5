#pragma once

#include <cstdint>

#include "cornu/keras/sequential.h"

/// The models of the examples and of `cornu bench`, with the settings that they are trained with: each stands here once.
namespace cornu::inline v0::examples {

/// 4-32-3 with log-cosh and Adam(0.1).
keras::Sequential iris_mlp();
keras::CompileOptions iris_mlp_training();

/// 784-512-512-10 with dropout, by RMSprop; takes [rows, 784].
keras::Sequential mnist_mlp();
keras::CompileOptions mnist_mlp_training();

/// LSTM layers of 64 units in both directions over vectors of 128, by Adam; takes [rows, words] of ids below `num_words`.
keras::Sequential imdb_bidirectional_lstm(std::int64_t num_words = 20000);
keras::CompileOptions imdb_bidirectional_lstm_training();

/// An LSTM layer of 128 units over one-hot characters and a softmax over the next one, by RMSprop(0.01).
keras::Sequential lstm_text_generation(std::int64_t num_characters = 57);
keras::CompileOptions lstm_text_generation_training();

}  // namespace cornu::inline v0::examples
