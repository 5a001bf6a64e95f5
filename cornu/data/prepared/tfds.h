#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "cornu/base/string_argument.h"
#include "cornu/data/dataset.h"
#include "cornu/data/prepared/dataset_info.h"

/// Data sets prepared by TensorFlow Datasets: folders NAME/[CONFIG/]VERSION with dataset_info.json,
/// features.json and TFRecord files. These functions do not download or prepare data sets.
namespace cornu::inline v0::data::tfds {

/// A prepared data set, with its description.
class PreparedDataset : public Dataset {
 public:
  PreparedDataset(const Dataset& dataset, DatasetInfo info) : Dataset(dataset), info_(std::move(info)) {}
  const DatasetInfo& info() const { return info_; }

 private:
  DatasetInfo info_;
};

struct LoadOptions {  // options/data.toml
  /// Part of the data set: "train", "train[:80%]", "train[10:20]", "test[-5%:]", "train+test" or "all" (see
  /// parts_of_split); required.
  std::string split;
  /// Folder or address of the data sets; empty: TFDS_DATA_DIR, else ~/tensorflow_datasets.
  std::string data_dir = {};
  /// True: elements are tuples (input, label), as the data set defines them; false: all features by name.
  bool as_supervised = false;
  /// Rows of a batch; unset: elements are single examples.
  std::optional<std::int64_t> batch_size = {};
  /// True: a new order of the files in each pass, in which each file's records keep theirs.
  bool shuffle_files = false;
  /// Seed of the files' order; unset: the process's next default seed (set_random_seed).
  std::optional<std::uint64_t> seed = {};
};

/// Loads a data set by name, like tfds.load, with optional configuration and version: "mnist", "mnist:3.0.1",
/// "wiki40b/en:1.*.*". The defaults are the newest version and the default configuration.
///
///     const auto train = data::tfds::load(
///         "mnist", {.split = "train[:80%]", .data_dir = "data", .as_supervised = true});
///     model.fit(train.shuffle(10'000).batch(128), {.epochs = 5});
///     train.info().features.at("label").class_names
///
/// Semantics: elements are structures with ascending names, as features.json describes: numbers, texts,
///            tensors (sequences with their length first) and images (uint8 [height, width, channels],
///            decoded by several threads). Their order is that of tfds.load: blocks of 16 records of up to 16
///            files in turn.
/// Errors:    NotFound, with the existing ones, for unknown names and versions; InvalidArgument for `split`,
///            and for as_supervised if the data set names no input and label; those of parse_dataset_info and
///            parse_features. At the position of an element: those of ExampleDecoder and TFRecordDataset;
///            FailedPrecondition for files with a number of records other than in dataset_info.json.
PreparedDataset load(const StringArgument& name, const LoadOptions& options);

/// Loads the data set in the folder that contains dataset_info.json. Ignores `data_dir`.
PreparedDataset load_from_directory(const StringArgument& directory, const LoadOptions& options);

/// Reads the description of the data set in that folder.
DatasetInfo info_from_directory(const StringArgument& directory);

}  // namespace cornu::inline v0::data::tfds
