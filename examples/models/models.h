#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cornu/keras/models/sequential.h"

/// The models of the examples and of `cornu bench`, with the settings that they are trained with: each stands
/// here once.
namespace cornu::inline v0::examples {

/// 4-32-3 with log-cosh and Adam(0.1).
keras::Sequential iris_mlp();
keras::CompileOptions iris_mlp_training();

/// 784-512-512-10 with dropout, by RMSprop; takes [rows, 784].
keras::Sequential mnist_mlp();
keras::CompileOptions mnist_mlp_training();

/// Two convolutions and two dense layers, by Adadelta; takes [rows, 28, 28, 1]. Keras 2's Adadelta began with
/// the rate 1, Keras 3's with 0.001, at which this model hardly moves in 12 epochs.
keras::Sequential mnist_cnn();
keras::CompileOptions mnist_cnn_training(double learning_rate = 0.001);

/// The model of the guide for TPUs: convolutions of 256 filters and wide dense layers, L2 penalties of 1e-5,
/// logits, by Adam; takes [rows, 28, 28, 1].
keras::Sequential mnist_tpu_cnn(std::int64_t filters = 256);
keras::CompileOptions mnist_tpu_cnn_training();

/// Four convolutions with dropout, by RMSprop; takes [rows, 32, 32, 3]. With `decay` the rate falls as 1e-4 /
/// (1 + decay * step).
keras::Sequential cifar10_cnn();
keras::CompileOptions cifar10_cnn_training(double decay = 0.0);

/// The mean of the words' vectors (50 wide) and one unit, by Adam; takes [rows, words] of ids below
/// `num_words`.
keras::Sequential imdb_fasttext(std::int64_t num_words = 20000);
keras::CompileOptions imdb_fasttext_training();

/// LSTM layers of 64 units in both directions over vectors of 128, by Adam; takes [rows, words] of ids below
/// `num_words`.
keras::Sequential imdb_bidirectional_lstm(std::int64_t num_words = 20000);
keras::CompileOptions imdb_bidirectional_lstm_training();

/// An LSTM layer of 128 units over one-hot characters and a softmax over the next one, by RMSprop(0.01).
keras::Sequential lstm_text_generation(std::int64_t num_characters = 57);
keras::CompileOptions lstm_text_generation_training();

/// Two pairs of convolutions and two dense layers, by Adam: 2,168,362 parameters, or with `large` 10,103,770.
/// The article that compared processors by such models gives 2,187,434 and 10,165,578 parameters and not the
/// architectures.
keras::Sequential cifar_cnn(bool large);
keras::CompileOptions cifar_cnn_training();

/// Columns of counts in Criteo's data, beside 26 columns of ids.
constexpr std::int64_t kCriteoCounts = 13;
/// Rows of a table for each column of ids in Criteo's data for Kaggle, at most `most_rows` each: without that
/// limit 33,762,577 in all, with 2,000,000 10,569,296.
std::vector<std::int64_t> criteo_tables(std::int64_t most_rows);
/// Facebook's deep learning recommendation model (DLRM) with the sizes of its script for Criteo's data for
/// Kaggle: dense layers 512-256-64-16 over the counts, a table of vectors of 16 for each column of ids, the
/// dot products of all pairs of these 27 vectors, dense layers 512-256-1; by SGD(0.1). Takes counts [rows,
/// 13] and ids [rows, number of tables].
keras::Model criteo_dlrm(std::span<const std::int64_t> table_sizes);
keras::CompileOptions criteo_dlrm_training();

}  // namespace cornu::inline v0::examples
