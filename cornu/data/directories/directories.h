#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/data/dataset.h"
#include "cornu/data/images/images.h"
#include "cornu/tensor/ops/data_format.h"

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

struct ImageDatasetOptions {  // options/data.toml
  /// Labels: "inferred" from the names of the folders, std::nullopt for none, or an integer for each file in
  /// the order of the paths.
  DirectoryLabels labels = {};
  /// Form of the labels: "int" for int32 [batch], "binary" for float32 [batch, 1], "categorical" for float32
  /// [batch, classes]; unset: no labels.
  std::optional<std::string> label_mode = "int";
  /// Folders to read, in the order of their labels; empty: all, in the order of their names.
  std::vector<std::string> class_names = {};
  /// Channels of the images: "grayscale", "rgb" or "rgba".
  std::string color_mode = "rgb";
  /// Rows of a batch; unset: elements are single files.
  std::optional<std::int64_t> batch_size = 32;
  /// Height and width in pixels to which images are resized.
  ImageSize image_size = {256, 256};
  /// True: the files in random order, another one in each pass; false: in the order of their paths.
  bool shuffle = true;
  /// Seed of the order; unset: the process's next default seed. Required to split shuffled files.
  std::optional<std::uint64_t> seed = {};
  /// Share of the files that the validation subset has, in (0, 1); unset: no subsets.
  std::optional<double> validation_split = {};
  /// Subset to return with validation_split: "training", "validation", or "both" from functions that return
  /// two datasets; unset: all files.
  std::optional<std::string> subset = {};
  /// Interpolation of resized images: "bilinear", "nearest", "bicubic", "area", "lanczos3", "lanczos5",
  /// "gaussian" or "mitchellcubic".
  std::string interpolation = "bilinear";
  /// True: also reads folders that symbolic links name.
  bool follow_links = false;
  /// True: cuts equal parts off two sides, so that the image has the new aspect ratio; not with
  /// pad_to_aspect_ratio.
  bool crop_to_aspect_ratio = false;
  /// True: keeps the whole image and pads two sides with zeros; not with crop_to_aspect_ratio.
  bool pad_to_aspect_ratio = false;
  /// Axes of an image: "channels_last" or "channels_first"; if not given, keras::config::image_data_format().
  std::string data_format = std::string(cornu::detail::default_data_format());
  /// True: prints the number of files and classes.
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

struct TextDatasetOptions {  // options/data.toml
  /// Labels: "inferred" from the names of the folders, std::nullopt for none, or an integer for each file in
  /// the order of the paths.
  DirectoryLabels labels = {};
  /// Form of the labels: "int" for int32 [batch], "binary" for float32 [batch, 1], "categorical" for float32
  /// [batch, classes]; unset: no labels.
  std::optional<std::string> label_mode = "int";
  /// Folders to read, in the order of their labels; empty: all, in the order of their names.
  std::vector<std::string> class_names = {};
  /// Rows of a batch; unset: elements are single files.
  std::optional<std::int64_t> batch_size = 32;
  /// Bytes of each text that are kept, from its start; unset: all.
  std::optional<std::int64_t> max_length = {};
  /// True: the files in random order, another one in each pass; false: in the order of their paths.
  bool shuffle = true;
  /// Seed of the order; unset: the process's next default seed. Required to split shuffled files.
  std::optional<std::uint64_t> seed = {};
  /// Share of the files that the validation subset has, in (0, 1); unset: no subsets.
  std::optional<double> validation_split = {};
  /// Subset to return with validation_split: "training", "validation", or "both" from functions that return
  /// two datasets; unset: all files.
  std::optional<std::string> subset = {};
  /// True: also reads folders that symbolic links name.
  bool follow_links = false;
  /// True: prints the number of files and classes.
  bool verbose = true;
};

/// Reads the files "*.txt" below a folder as batches of texts and labels; otherwise like
/// image_dataset_from_directory.
DirectoryDataset text_dataset_from_directory(const StringArgument& directory,
                                             const TextDatasetOptions& options = {});
std::pair<DirectoryDataset, DirectoryDataset> text_datasets_from_directory(const StringArgument& directory,
                                                                           const TextDatasetOptions& options);

struct AudioDatasetOptions {  // options/data.toml
  /// Labels: "inferred" from the names of the folders, std::nullopt for none, or an integer for each file in
  /// the order of the paths.
  DirectoryLabels labels = {};
  /// Form of the labels: "int" for int32 [batch], "binary" for float32 [batch, 1], "categorical" for float32
  /// [batch, classes]; unset: no labels.
  std::optional<std::string> label_mode = "int";
  /// Folders to read, in the order of their labels; empty: all, in the order of their names.
  std::vector<std::string> class_names = {};
  /// Rows of a batch; unset: elements are single files.
  std::optional<std::int64_t> batch_size = 32;
  /// Samples a second that each file must have; unset: any. Recordings are not resampled.
  std::optional<std::int64_t> sampling_rate = {};
  /// Samples of each recording: longer ones are cut, shorter ones filled with zeros; unset: all, and batches
  /// are filled to their longest recording.
  std::optional<std::int64_t> output_sequence_length = {};
  /// True: batches keep the recordings' lengths; not with output_sequence_length.
  bool ragged = false;
  /// True: the files in random order, another one in each pass; false: in the order of their paths.
  bool shuffle = true;
  /// Seed of the order; unset: the process's next default seed. Required to split shuffled files.
  std::optional<std::uint64_t> seed = {};
  /// Share of the files that the validation subset has, in (0, 1); unset: no subsets.
  std::optional<double> validation_split = {};
  /// Subset to return with validation_split: "training", "validation", or "both" from functions that return
  /// two datasets; unset: all files.
  std::optional<std::string> subset = {};
  /// True: also reads folders that symbolic links name.
  bool follow_links = false;
  /// True: prints the number of files and classes.
  bool verbose = true;
};

/// Reads the WAV files below a folder as batches of float32 [batch, samples, channels] in [-1, 1] and labels;
/// otherwise like image_dataset_from_directory. All files must have the same number of channels.
/// Errors: those of io::decode_wav and a file of another sampling_rate, at the position of the file's element.
DirectoryDataset audio_dataset_from_directory(const StringArgument& directory,
                                              const AudioDatasetOptions& options = {});
std::pair<DirectoryDataset, DirectoryDataset> audio_datasets_from_directory(
    const StringArgument& directory, const AudioDatasetOptions& options);

struct TimeseriesOptions {  // options/data.toml
  /// Rows of a sequence; at least 1.
  std::int64_t sequence_length;
  /// Rows from the start of one sequence to that of the next; at least 1.
  std::int64_t sequence_stride = 1;
  /// Rows from one step of a sequence to the next; at least 1.
  std::int64_t sampling_rate = 1;
  /// Sequences of a batch; unset: elements are single sequences.
  std::optional<std::int64_t> batch_size = 128;
  /// True: the sequences in random order; false: in the order of their starts.
  bool shuffle = false;
  /// Seed of the order; unset: the process's next default seed (set_random_seed).
  std::optional<std::uint64_t> seed = {};
  /// First row to use; unset: 0.
  std::optional<std::int64_t> start_index = {};
  /// Row after the last one to use; unset: all rows are used.
  std::optional<std::int64_t> end_index = {};
};

/// Makes windows over the rows of a series, which is copied only as windows are taken. Elements are
/// sequences, or (sequence, target) if `targets` is given: row i of `targets` belongs to the sequence that
/// begins at row i. Arguments and errors are those of Keras's function.
Dataset timeseries_dataset_from_array(const Tensor& data, const std::optional<Tensor>& targets,
                                      const TimeseriesOptions& options);

}  // namespace cornu::inline v0::data
