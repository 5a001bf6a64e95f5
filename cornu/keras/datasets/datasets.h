#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cornu/io/word_index.h"
#include "cornu/keras/utils/sequences.h"
#include "cornu/tensor/tensor.h"

/// Data sets that people train their first models on, read from files that are already there: nothing is
/// downloaded.
///
/// Each data set also makes data of its own kind (make_data): of the same shapes and types, from a seed, and
/// such that a model can learn them, so that a program can run and check itself without the files. They say
/// nothing about the real data.
/// Errors: NotFound when the files are not there, with the names and checksums of the archives that people
///         get; those of the readers (io/) for damaged and mislabelled files, and for files beyond `limits`;
///         all name the file.
namespace cornu::inline v0::keras::datasets {

struct Arrays {
  Tensor x;
  Tensor y;
};
struct ArrayData {
  Arrays train;
  Arrays test;
};

struct MakeDataOptions {
  std::int64_t num_train = 0;  // rows; 0: as many as the real data have
  std::int64_t num_test = 0;
  std::uint32_t seed = 1;
};

/// Handwritten digits: x [rows, 28, 28] uint8, y [rows] uint8; 60,000 rows to train on and 10,000 to test
///                     with.
namespace mnist {
struct LoadDataOptions {
  /// A folder with MNIST's four IDX files (train-images-idx3-ubyte, train-labels-idx1-ubyte,
  /// t10k-images-idx3-ubyte, t10k-labels-idx1-ubyte; each plain or with ".gz"), or Keras's archive mnist.npz.
  std::string path = "mnist.npz";
  io::ReadLimits limits = {};  // of each file
};
ArrayData load_data(const LoadDataOptions& options = {});
ArrayData make_data(const MakeDataOptions& options = {});
}  // namespace mnist

/// Small photographs of ten kinds: x [rows, 32, 32, 3] uint8, y [rows, 1] uint8; 50,000 rows to train on and
/// 10,000 to test with.
namespace cifar10 {
struct LoadDataOptions {
  /// A folder with the binary version: data_batch_1.bin to data_batch_5.bin and test_batch.bin; or one that
  /// has them in its subfolder cifar-10-batches-bin, as the archive unpacks.
  std::string path = "cifar-10-batches-bin";
  io::ReadLimits limits = {};  // of each file
};
ArrayData load_data(const LoadDataOptions& options = {});
ArrayData make_data(const MakeDataOptions& options = {});
}  // namespace cifar10

/// Film reviews as the ranks of their words, 1 being the most frequent word; labels [rows] int64, 1 for a
/// good one; 25,000 rows each.
namespace imdb {
struct LoadDataOptions {
  std::string path = "imdb.npz";
  /// Numbers from here on become `oov_char`; without one, as in Keras, only the largest number that occurs
  /// does.
  std::optional<std::int64_t> num_words = {};
  /// Numbers below this become `oov_char`.
  std::int64_t skip_top = 0;
  /// Reviews of this length and longer are left out, as in Keras.
  std::optional<std::int64_t> maxlen = {};
  /// Of the order of the rows; the same order as in Keras.
  std::uint32_t seed = 113;
  /// Stands before each review; without one, nothing does.
  std::optional<std::int32_t> start_char = 1;
  /// What replaces words that are left out; without one, nothing does.
  std::optional<std::int32_t> oov_char = 2;
  /// Is added to each word's number.
  std::int32_t index_from = 3;
  io::ReadLimits limits = {};  // of the file and of each array in it
};
struct Reviews {
  Sequences x;
  Tensor y;
};
struct ReviewData {
  Reviews train;
  Reviews test;
};
/// Errors besides: InvalidArgument when maxlen leaves no review, and when index_from takes a number beyond
///                 int32.
ReviewData load_data(const LoadDataOptions& options = {});
/// Reviews in a made language of 88,584 words, prepared as load_data prepares the file's.
ReviewData make_data(const MakeDataOptions& options = {}, const LoadDataOptions& load_options = {});

struct GetWordIndexOptions {
  std::string path = "imdb_word_index.json";
  io::ReadLimits limits = {};
};
/// Each word's number, before `index_from` is added.
io::WordIndex get_word_index(const GetWordIndexOptions& options = {});
}  // namespace imdb

}  // namespace cornu::inline v0::keras::datasets
