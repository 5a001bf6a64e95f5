#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/data/dataset.h"
#include "cornu/data/images/images.h"

namespace cornu::inline v0::data {

/// The source of labels: "inferred" from the names of the folders, none (std::nullopt), or an integer for
/// each file in the order of their paths.
class DirectoryLabels {
 public:
  DirectoryLabels() = default;
  DirectoryLabels(const char* inferred) : text_(inferred) {}
  DirectoryLabels(std::nullopt_t) : text_() {}
  DirectoryLabels(std::vector<std::int64_t> labels) : text_(), labels_(std::move(labels)) {}

  /// "inferred"; empty for no labels.
  const std::optional<std::string>& text() const { return text_; }
  const std::optional<std::vector<std::int64_t>>& labels() const { return labels_; }

 private:
  std::optional<std::string> text_ = "inferred";
  std::optional<std::vector<std::int64_t>> labels_;
};

/// A dataset of files in folders, with its classes and paths.
class DirectoryDataset : public Dataset {
 public:
  DirectoryDataset(const Dataset& dataset, std::vector<std::string> class_names,
                   std::vector<std::string> file_paths)
      : Dataset(dataset), class_names_(std::move(class_names)), file_paths_(std::move(file_paths)) {}
  /// The names of the classes in the order of labels; empty without labels.
  const std::vector<std::string>& class_names() const { return class_names_; }
  /// The files' paths in their order before the shuffle of a pass.
  const std::vector<std::string>& file_paths() const { return file_paths_; }

 private:
  std::vector<std::string> class_names_;
  std::vector<std::string> file_paths_;
};

struct ImageDatasetOptions {
  DirectoryLabels labels = {};
  /// "int" gives int32 [batch], "binary" float32 [batch, 1] and "categorical" float32 [batch, classes].
  /// Without it there are no labels.
  std::optional<std::string> label_mode = "int";
  /// The folders that are taken, in the order of their labels. Empty: all of them, in the order of their
  /// names.
  std::vector<std::string> class_names = {};
  std::string color_mode = "rgb";  // "grayscale", "rgb" or "rgba"
  std::optional<std::int64_t> batch_size = 32;
  ImageSize image_size = {256, 256};
  bool shuffle = true;
  std::optional<std::uint64_t> seed = {};
  std::optional<double> validation_split = {};
  std::optional<std::string> subset = {};  // "training" or "validation"; "both" by ..._datasets_...
  std::string interpolation = "bilinear";
  bool follow_links = false;
  bool crop_to_aspect_ratio = false;
  bool pad_to_aspect_ratio = false;
  std::string data_format = "channels_last";
  bool verbose = true;
};

/// Reads the PNG, JPEG, GIF and BMP files below a folder, whose subfolders are classes, as batches of images
/// (float32, or uint8 with "nearest") and labels. Arguments, defaults and errors are those of Keras's
/// function. With one seed the same files are in the same subset as in Keras.
///
///     const auto train = data::image_dataset_from_directory("flowers", {.image_size = {180, 180}});
///
/// Errors: InvalidArgument for options; NotFound for a folder that does not exist, holds no image or has no
///         classes. A file that cannot be read or decoded is an error at the position of its element.
DirectoryDataset image_dataset_from_directory(const StringArgument& directory,
                                              const ImageDatasetOptions& options = {});
/// Both subsets, for training and validation: `.subset` unset or "both".
std::pair<DirectoryDataset, DirectoryDataset> image_datasets_from_directory(
    const StringArgument& directory, const ImageDatasetOptions& options);

struct TextDatasetOptions {
  DirectoryLabels labels = {};
  std::optional<std::string> label_mode = "int";
  std::vector<std::string> class_names = {};
  std::optional<std::int64_t> batch_size = 32;
  /// How many bytes of each text are kept; without it all.
  std::optional<std::int64_t> max_length = {};
  bool shuffle = true;
  std::optional<std::uint64_t> seed = {};
  std::optional<double> validation_split = {};
  std::optional<std::string> subset = {};
  bool follow_links = false;
  bool verbose = true;
};

/// Reads the files "*.txt" below a folder as batches of texts and labels; otherwise like
/// image_dataset_from_directory.
DirectoryDataset text_dataset_from_directory(const StringArgument& directory,
                                             const TextDatasetOptions& options = {});
std::pair<DirectoryDataset, DirectoryDataset> text_datasets_from_directory(const StringArgument& directory,
                                                                           const TextDatasetOptions& options);

struct TimeseriesOptions {
  std::int64_t sequence_length;
  std::int64_t sequence_stride = 1;  // from sequence to sequence
  std::int64_t sampling_rate = 1;    // from step to step of one
  std::optional<std::int64_t> batch_size = 128;
  bool shuffle = false;
  std::optional<std::uint64_t> seed = {};
  std::optional<std::int64_t> start_index = {};  // rows before it are left out
  std::optional<std::int64_t> end_index = {};    // and those from it on
};

/// Makes windows over the rows of a series, which is copied only as windows are taken. Elements are
/// sequences, or (sequence, target) if `targets` is given: row i of `targets` belongs to the sequence that
/// begins at row i. Arguments and errors are those of Keras's function.
Dataset timeseries_dataset_from_array(const Tensor& data, const std::optional<Tensor>& targets,
                                      const TimeseriesOptions& options);

}  // namespace cornu::inline v0::data
