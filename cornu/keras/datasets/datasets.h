#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cornu/io/word_index.h"
#include "cornu/keras/utils/sequences.h"
#include "cornu/tensor/tensor.h"

/// Data sets for first models, read from local files: nothing is downloaded.
///
/// Image and review data sets can also be generated (make_data): from a seed, with the shapes and types of
/// the real data, and learnable, so that a program can run and check itself without the files. Results on
/// generated data do not apply to the real data.
/// Errors: NotFound for missing files, with the names and checksums of the archives to download; those of the
///         readers (io/) for damaged and mislabelled files, and for files beyond `limits`. All name the file.
namespace cornu::inline v0::keras::datasets {

struct Arrays {
  Tensor x;
  Tensor y;
};
struct TrainAndTest {
  Arrays train;
  Arrays test;
};

struct MakeDataOptions {  // options/datasets.toml
  /// Number of rows to train with; 0: that of the real data.
  std::int64_t num_train = 0;
  /// Number of rows to test with; 0: that of the real data.
  std::int64_t num_test = 0;
  /// Seed of the values.
  std::uint32_t seed = 1;
};

/// Handwritten digits: x [rows, 28, 28] uint8, y [rows] uint8; 60,000 training rows and 10,000 test rows.
namespace mnist {
struct LoadDataOptions {  // options/datasets.toml
  /// Folder with MNIST's four IDX files (train-images-idx3-ubyte, train-labels-idx1-ubyte,
  /// t10k-images-idx3-ubyte, t10k-labels-idx1-ubyte; each plain or with ".gz"), or Keras's archive.
  std::string path = "mnist.npz";
  /// Limit of the size of each file, and of what it unpacks to.
  io::ReadLimits limits = {};
};
TrainAndTest load_data(const LoadDataOptions& options = {});
TrainAndTest make_data(const MakeDataOptions& options = {});
}  // namespace mnist

/// Images of clothes, of ten classes, in the format of MNIST.
namespace fashion_mnist {
struct LoadDataOptions {  // options/datasets.toml
  /// Folder with the four IDX files, which have the names of MNIST's.
  std::string path = "fashion-mnist";
  /// Limit of the size of each file, and of what it unpacks to.
  io::ReadLimits limits = {};
};
TrainAndTest load_data(const LoadDataOptions& options = {});
TrainAndTest make_data(const MakeDataOptions& options = {});
}  // namespace fashion_mnist

/// Small photographs of ten classes: x [rows, 32, 32, 3] uint8, y [rows, 1] uint8; 50,000 training rows and
/// 10,000 test rows.
namespace cifar10 {
struct LoadDataOptions {  // options/datasets.toml
  /// Folder with the binary version, data_batch_1.bin to data_batch_5.bin and test_batch.bin, or with these
  /// in a subfolder cifar-10-batches-bin, as the archive unpacks.
  std::string path = "cifar-10-batches-bin";
  /// Limit of the size of each file, and of what it unpacks to.
  io::ReadLimits limits = {};
};
TrainAndTest load_data(const LoadDataOptions& options = {});
TrainAndTest make_data(const MakeDataOptions& options = {});
}  // namespace cifar10

/// Small photographs of a hundred classes, or of their twenty superclasses; otherwise like cifar10.
namespace cifar100 {
struct LoadDataOptions {  // options/datasets.toml
  /// Folder with the binary version, train.bin and test.bin, or with these in a subfolder cifar-100-binary.
  std::string path = "cifar-100-binary";
  /// "fine": 100 labels; "coarse": 20.
  std::string label_mode = "fine";
  /// Limit of the size of each file, and of what it unpacks to.
  io::ReadLimits limits = {};
};
/// Errors, besides the common ones: InvalidArgument for another label_mode.
TrainAndTest load_data(const LoadDataOptions& options = {});
TrainAndTest make_data(const MakeDataOptions& options = {});
}  // namespace cifar100

/// Film reviews as the ranks of their words, 1 being the most frequent word; labels [rows] int64, 1 for a
/// positive review; 25,000 rows each for training and test.
namespace imdb {
struct LoadDataOptions {  // options/datasets.toml
  /// Path of Keras's archive.
  std::string path = "imdb.npz";
  /// Numbers from this one on become oov_char; unset, as in Keras: only the largest number that occurs does.
  std::optional<std::int64_t> num_words = {};
  /// Numbers below this one become oov_char.
  std::int64_t skip_top = 0;
  /// Length from which on texts are left out, as in Keras; unset: none are.
  std::optional<std::int64_t> maxlen = {};
  /// Seed of the order of the rows, which is that of Keras.
  std::uint32_t seed = 113;
  /// Number before each text; unset: nothing.
  std::optional<std::int32_t> start_char = 1;
  /// Number in place of words that are left out; unset: nothing.
  std::optional<std::int32_t> oov_char = 2;
  /// Number that is added to the rank of each word.
  std::int32_t index_from = 3;
  /// Limit of the size of the file, and of each array in it.
  io::ReadLimits limits = {};
};
struct Reviews {
  Sequences x;
  Tensor y;
};
struct ReviewData {
  Reviews train;
  Reviews test;
};
/// Errors, besides the common ones: InvalidArgument if maxlen leaves no review, and if index_from makes a
/// number exceed int32.
ReviewData load_data(const LoadDataOptions& options = {});
/// Generates reviews in an artificial language of 88,584 words, prepared like the reviews of load_data.
ReviewData make_data(const MakeDataOptions& options = {}, const LoadDataOptions& load_options = {});

struct GetWordIndexOptions {  // options/datasets.toml
  /// Path of Keras's file.
  std::string path = "imdb_word_index.json";
  /// Limit of the size of each file, and of what it unpacks to.
  io::ReadLimits limits = {};
};
/// The rank of each word, before `index_from` is added.
io::WordIndex get_word_index(const GetWordIndexOptions& options = {});
}  // namespace imdb

/// News as the ranks of their words, and their topics, out of 46; prepared like imdb's reviews, and split.
namespace reuters {
struct LoadDataOptions {  // options/datasets.toml
  /// Path of Keras's archive.
  std::string path = "reuters.npz";
  /// Numbers from this one on become oov_char; unset, as in Keras: only the largest number that occurs does.
  std::optional<std::int64_t> num_words = {};
  /// Numbers below this one become oov_char.
  std::int64_t skip_top = 0;
  /// Length from which on texts are left out, as in Keras; unset: none are.
  std::optional<std::int64_t> maxlen = {};
  /// Share of the rows to test with, in [0, 1).
  double test_split = 0.2;
  /// Seed of the order of the rows, which is that of Keras.
  std::uint32_t seed = 113;
  /// Number before each text; unset: nothing.
  std::optional<std::int32_t> start_char = 1;
  /// Number in place of words that are left out; unset: nothing.
  std::optional<std::int32_t> oov_char = 2;
  /// Number that is added to the rank of each word.
  std::int32_t index_from = 3;
  /// Limit of the size of the file, and of each array in it.
  io::ReadLimits limits = {};
};
/// Errors: those of imdb; InvalidArgument for a test_split outside [0, 1).
imdb::ReviewData load_data(const LoadDataOptions& options = {});

struct GetWordIndexOptions {  // options/datasets.toml
  /// Path of Keras's file.
  std::string path = "reuters_word_index.json";
  /// Limit of the size of each file, and of what it unpacks to.
  io::ReadLimits limits = {};
};
io::WordIndex get_word_index(const GetWordIndexOptions& options = {});
/// The names of the labels.
const std::vector<std::string>& get_label_names();
}  // namespace reuters

/// Census blocks in California: x [rows, 8] with `MedInc`, `HouseAge`, `AveRooms`, `AveBedrms`, `Population`,
/// `AveOccup`, `Latitude` and `Longitude`; y [rows] the median house value in dollars. Types are the file's.
namespace california_housing {
struct LoadDataOptions {  // options/datasets.toml
  /// "large": 20,640 rows; "small": the first 600.
  std::string version = "large";
  /// Path of Keras's archive.
  std::string path = "california_housing.npz";
  /// Share of the rows to test with, in [0, 1).
  double test_split = 0.2;
  /// Seed of the order of the rows, which is that of Keras.
  std::uint32_t seed = 113;
  /// Limit of the size of each file, and of what it unpacks to.
  io::ReadLimits limits = {};
};
/// Errors, besides the common ones: InvalidArgument for another version, and for a test_split outside [0, 1).
TrainAndTest load_data(const LoadDataOptions& options = {});
}  // namespace california_housing

}  // namespace cornu::inline v0::keras::datasets
