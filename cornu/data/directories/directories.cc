#include "cornu/data/directories/directories.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <random>
#include <set>

#include "cornu/base/check.h"
#include "cornu/base/numpy_order.h"
#include "cornu/io/byte_reader.h"
#include "cornu/io/file.h"
#include "cornu/io/wav.h"
#include "cornu/tensor/random.h"

namespace cornu::inline v0::data {
namespace {

namespace fs = std::filesystem;

/// The checked options that both kinds of files have in common.
struct DirectoryRequest {
  const char* caller;
  const char* what;  // "images"
  std::vector<std::string> extensions;
  std::vector<std::string> class_names;
  DirectoryLabels labels;
  std::optional<std::string> label_mode;
  std::optional<std::int64_t> batch_size;
  bool shuffle;
  std::uint32_t seed;
  std::optional<double> validation_split;
  std::optional<std::string> subset;
  bool follow_links;
  bool verbose;
  enum class Batches { kEqual, kPadded, kRagged } batches = Batches::kEqual;
};

struct FoundFiles {
  std::vector<std::string> paths;
  std::vector<std::int64_t> labels;  // one for each file, or none
  std::vector<std::string> class_names;
};

template <typename Options>
DirectoryRequest request_of(const char* caller, const char* what, std::vector<std::string> extensions,
                            const Options& options) {
  DirectoryRequest request{caller,
                           what,
                           std::move(extensions),
                           options.class_names,
                           options.labels,
                           options.label_mode,
                           options.batch_size,
                           options.shuffle,
                           static_cast<std::uint32_t>(options.seed.value_or(0)),
                           options.validation_split,
                           options.subset,
                           options.follow_links,
                           options.verbose};
  if (options.shuffle && !options.seed.has_value())
    request.seed = static_cast<std::uint32_t>(next_seed() % 1'000'000);
  return request;
}

void check_labels(const DirectoryRequest& request) {
  const bool is_explicit = request.labels.labels().has_value();
  if (request.labels.text().has_value() && *request.labels.text() != "inferred")
    invalid_argument("[{}] labels must be \"inferred\", none, or an integer for each file; got \"{}\"",
                     request.caller, *request.labels.text());
  if (is_explicit && !request.class_names.empty())
    invalid_argument("[{}] class_names need labels = \"inferred\"", request.caller);
  if (!is_explicit && !request.labels.text().has_value() && !request.class_names.empty())
    invalid_argument("[{}] class_names cannot be given without labels", request.caller);
  const std::set<std::string> modes = {"int", "binary", "categorical"};
  if (request.label_mode.has_value() && !modes.contains(*request.label_mode))
    invalid_argument("[{}] label_mode must be \"int\", \"binary\", \"categorical\" or none; got \"{}\"",
                     request.caller, *request.label_mode);
}

void check_split(const DirectoryRequest& request, bool has_seed) {
  const std::optional<double>& split = request.validation_split;
  if (split.has_value() && !(*split > 0 && *split < 1))
    invalid_argument("[{}] validation_split must be between 0 and 1; got {}", request.caller, *split);
  if (split.has_value() != request.subset.has_value())
    invalid_argument("[{}] give both validation_split and subset, or neither", request.caller);
  const std::set<std::string> subsets = {"training", "validation", "both"};
  if (request.subset.has_value() && !subsets.contains(*request.subset))
    invalid_argument("[{}] subset must be \"training\", \"validation\" or \"both\"; got \"{}\"",
                     request.caller, *request.subset);
  if (split.has_value() && request.shuffle && !has_seed)
    invalid_argument("[{}] to split shuffled files a seed must be given, so that no file is in both subsets",
                     request.caller);
}

bool has_extension(const std::string& name, const std::vector<std::string>& extensions) {
  std::string lower = name;
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return std::any_of(extensions.begin(), extensions.end(),
                     [&](const std::string& extension) { return lower.ends_with(extension); });
}

/// Collects the files of a folder and its subfolders, in the order of their paths. `depth` limits cycles of
/// links.
void collect_files(const fs::path& folder, const DirectoryRequest& request,
                   std::vector<std::pair<std::string, std::string>>& found, int depth) {
  constexpr int kMostDepth = 64;
  if (depth > kMostDepth)
    invalid_argument("[{}] {}: folders are nested more than {} deep", request.caller,
                     io::shown(folder.string()), kMostDepth);
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code ignored;
    const bool is_folder = entry->is_directory(ignored);
    if (is_folder && (request.follow_links || !entry->is_symlink(ignored)))
      collect_files(entry->path(), request, found, depth + 1);
    else if (!is_folder && has_extension(entry->path().filename().string(), request.extensions))
      found.emplace_back(folder.string(), entry->path().filename().string());
  }
  if (error)
    fail(ErrorCode::kNotFound, "[{}] {} cannot be read: {}", request.caller, io::shown(folder.string()),
         error.message());
}

/// The paths of the files below a folder. As in Python, folders are sorted by their whole path, then files by
/// name.
std::vector<std::string> files_below(const fs::path& folder, const DirectoryRequest& request) {
  std::vector<std::pair<std::string, std::string>> found;
  collect_files(folder, request, found, 0);
  std::sort(found.begin(), found.end());
  std::vector<std::string> paths;
  paths.reserve(found.size());
  for (const auto& [parent, name] : found) paths.push_back((fs::path(parent) / name).string());
  return paths;
}

std::vector<std::string> subfolders(const fs::path& directory, const DirectoryRequest& request) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(directory, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code ignored;
    const std::string name = entry->path().filename().string();
    if (entry->is_directory(ignored) && !name.starts_with(".")) names.push_back(name);
  }
  if (error)
    fail(ErrorCode::kNotFound, "[{}] {} cannot be read: {}", request.caller, io::shown(directory.string()),
         error.message());
  std::sort(names.begin(), names.end());
  for (const std::string& wanted : request.class_names)
    if (!std::binary_search(names.begin(), names.end(), wanted))
      invalid_argument("[{}] class_names must be folders of {}, which has {}; got \"{}\"", request.caller,
                       io::shown(directory.string()), fmt::join(names, ", "), wanted);
  return request.class_names.empty() ? names : request.class_names;
}

FoundFiles find_files(const fs::path& directory, const DirectoryRequest& request) {
  FoundFiles found;
  const auto& labels = request.labels.labels();
  if (labels.has_value() || !request.labels.text().has_value()) {
    found.paths = files_below(directory, request);
    if (!labels.has_value()) return found;
    if (labels->size() != found.paths.size())
      invalid_argument("[{}] labels must have an integer for each file; got {} for the {} files in {}",
                       request.caller, labels->size(), found.paths.size(), io::shown(directory.string()));
    found.labels = *labels;
    for (const std::int64_t label : std::set<std::int64_t>(labels->begin(), labels->end()))
      found.class_names.push_back(std::to_string(label));
    return found;
  }
  found.class_names = subfolders(directory, request);
  if (found.class_names.empty())
    fail(
        ErrorCode::kNotFound,
        "[{}] {} has no folders, whose names would be the classes: set labels to none for files without them",
        request.caller, io::shown(directory.string()));
  for (std::size_t label = 0; label < found.class_names.size(); ++label) {
    for (std::string& path : files_below(directory / found.class_names[label], request)) {
      found.paths.push_back(std::move(path));
      found.labels.push_back(static_cast<std::int64_t>(label));
    }
  }
  return found;
}

void shuffle_files(FoundFiles& found, std::uint32_t seed) {
  std::mt19937 bits(seed);
  FoundFiles shuffled{{}, {}, found.class_names};
  for (const std::size_t i : numpy_order(found.paths.size(), bits)) {
    shuffled.paths.push_back(std::move(found.paths[i]));
    if (!found.labels.empty()) shuffled.labels.push_back(found.labels[i]);
  }
  found = std::move(shuffled);
}

FoundFiles part_of(const FoundFiles& found, const DirectoryRequest& request, bool is_validation) {
  const auto count = static_cast<double>(found.paths.size());
  const auto num_validation = static_cast<std::ptrdiff_t>(*request.validation_split * count);
  if (request.verbose)
    fmt::print("Using {} files for {}.\n",
               is_validation ? num_validation : std::ssize(found.paths) - num_validation,
               is_validation ? "validation" : "training");
  FoundFiles part{{}, {}, found.class_names};
  const auto take = [&](const auto& all, auto& to) {
    const auto middle = all.end() - std::min(num_validation, std::ssize(all));
    is_validation ? to.assign(middle, all.end()) : to.assign(all.begin(), middle);
  };
  take(found.paths, part.paths);
  take(found.labels, part.labels);
  return part;
}

Dataset labels_dataset(const FoundFiles& found, const DirectoryRequest& request) {
  const std::vector<std::int32_t> labels(found.labels.begin(), found.labels.end());
  const auto rows = static_cast<std::int64_t>(labels.size());
  if (*request.label_mode == "int") return Dataset::from_tensor_slices(labels);
  if (*request.label_mode == "binary")
    return Dataset::from_tensor_slices(
        Tensor::adopt({rows, 1}, std::vector<float>(labels.begin(), labels.end())));
  const auto depth = static_cast<std::int64_t>(found.class_names.size());
  std::vector<float> one_hot(static_cast<std::size_t>(rows * depth));
  for (std::int64_t i = 0; i < rows; ++i) {
    const std::int64_t label = labels[static_cast<std::size_t>(i)];
    if (label >= 0 && label < depth) one_hot[static_cast<std::size_t>(i * depth + label)] = 1;
  }
  return Dataset::from_tensor_slices(Tensor::adopt({rows, depth}, std::move(one_hot)));
}

Dataset batched(const Dataset& dataset, const DirectoryRequest& request) {
  using enum DirectoryRequest::Batches;
  if (request.batches == kRagged) return dataset.ragged_batch(*request.batch_size);
  return request.batches == kPadded ? dataset.padded_batch(*request.batch_size)
                                    : dataset.batch(*request.batch_size);
}

/// The files of one subset, read by `load`.
template <typename Load>
DirectoryDataset dataset_of(FoundFiles found, const DirectoryRequest& request, bool shuffles,
                            const std::string& directory, const Load& load) {
  if (found.paths.empty())
    fail(ErrorCode::kNotFound, "[{}] no {} in {}; their names end in {}", request.caller, request.what,
         io::shown(directory), fmt::join(request.extensions, ", "));
  constexpr std::int64_t kBatches = 8, kWithoutBatches = 1024;
  const std::int64_t buffer =
      request.batch_size.has_value() ? *request.batch_size * kBatches : kWithoutBatches;
  const bool has_labels = !found.labels.empty();
  Dataset dataset = Dataset::from_tensor_slices(found.paths);
  if (has_labels) dataset = Dataset::zip({dataset, labels_dataset(found, request)});
  if (shuffles) dataset = dataset.shuffle(buffer, {.seed = request.seed});
  const MapOptions parallel{.num_parallel_calls = kAutotune};
  dataset = has_labels ? dataset.map([load](const std::string& path,
                                            const Element& label) { return Element({load(path), label}); },
                                     parallel)
                       : dataset.map(load, parallel);
  if (request.batch_size.has_value()) dataset = batched(dataset, request);
  return {dataset.prefetch(kAutotune), std::move(found.class_names), std::move(found.paths)};
}

FoundFiles files_of(const std::string& directory, DirectoryRequest& request, bool has_seed) {
  check_labels(request);
  check_split(request, has_seed);
  if (!request.label_mode.has_value()) request.labels = std::nullopt;
  FoundFiles found = find_files(directory, request);
  if (request.label_mode == "binary" && !found.class_names.empty() && found.class_names.size() != 2)
    invalid_argument("[{}] label_mode \"binary\" needs exactly 2 classes; there are {}", request.caller,
                     found.class_names.size());
  if (request.verbose)
    fmt::print("{}\n", found.labels.empty() ? fmt::format("Found {} files.", found.paths.size())
                                            : fmt::format("Found {} files belonging to {} classes.",
                                                          found.paths.size(), found.class_names.size()));
  if (request.shuffle) shuffle_files(found, request.seed);
  return found;
}

template <typename Load>
DirectoryDataset one_dataset(const std::string& directory, DirectoryRequest request, bool has_seed,
                             const Load& load) {
  if (request.subset == "both")
    invalid_argument(
        "[{}] subset = \"both\" is for image_datasets_from_directory and its kind, which return two datasets",
        request.caller);
  FoundFiles found = files_of(directory, request, has_seed);
  if (request.subset.has_value()) found = part_of(found, request, *request.subset == "validation");
  return dataset_of(std::move(found), request, request.shuffle, directory, load);
}

template <typename Load>
std::pair<DirectoryDataset, DirectoryDataset> both_datasets(const std::string& directory,
                                                            DirectoryRequest request, bool has_seed,
                                                            const Load& load) {
  if (request.subset.value_or("both") != "both")
    invalid_argument(
        "[{}] the result has both subsets, so subset must be unset or \"both\"; got subset = \"{}\"",
        request.caller, *request.subset);
  request.subset = "both";
  const FoundFiles found = files_of(directory, request, has_seed);
  return {dataset_of(part_of(found, request, false), request, request.shuffle, directory, load),
          dataset_of(part_of(found, request, true), request, false, directory, load)};
}

std::int64_t channels_of(const std::string& color_mode) {
  if (color_mode == "grayscale") return 1;
  if (color_mode == "rgb") return 3;
  if (color_mode == "rgba") return 4;
  invalid_argument(
      "[image_dataset_from_directory] color_mode must be \"rgb\", \"rgba\" or \"grayscale\"; got \"{}\"",
      color_mode);
}

ImageLoader loader_of(const ImageDatasetOptions& options) {
  if (options.data_format != "channels_last" && options.data_format != "channels_first")
    invalid_argument(
        "[image_dataset_from_directory] data_format must be \"channels_last\" or \"channels_first\"; got "
        "\"{}\"",
        options.data_format);
  return ImageLoader({.size = options.image_size,
                      .channels = channels_of(options.color_mode),
                      .resize = {.interpolation = options.interpolation,
                                 .crop_to_aspect_ratio = options.crop_to_aspect_ratio,
                                 .pad_to_aspect_ratio = options.pad_to_aspect_ratio},
                      .channels_first = options.data_format == "channels_first"});
}

DirectoryRequest image_request(const ImageDatasetOptions& options) {
  return request_of("image_dataset_from_directory", "images", {".bmp", ".gif", ".jpeg", ".jpg", ".png"},
                    options);
}

DirectoryRequest text_request(const TextDatasetOptions& options) {
  if (options.max_length.has_value() && *options.max_length < 0)
    invalid_argument("[text_dataset_from_directory] max_length must not be negative; got {}",
                     *options.max_length);
  return request_of("text_dataset_from_directory", "text files", {".txt"}, options);
}

DirectoryRequest audio_request(const AudioDatasetOptions& options) {
  constexpr const char* kCaller = "audio_dataset_from_directory";
  if (options.ragged && options.output_sequence_length.has_value())
    invalid_argument("[{}] ragged and output_sequence_length exclude each other", kCaller);
  if (options.sampling_rate.value_or(1) < 1)
    invalid_argument("[{}] sampling_rate must be positive; got {}", kCaller, *options.sampling_rate);
  if (options.output_sequence_length.value_or(1) < 1)
    invalid_argument("[{}] output_sequence_length must be positive; got {}", kCaller,
                     *options.output_sequence_length);
  DirectoryRequest request = request_of(kCaller, "audio files", {".wav"}, options);
  using enum DirectoryRequest::Batches;
  request.batches = options.ragged ? kRagged : options.output_sequence_length.has_value() ? kEqual : kPadded;
  return request;
}

auto audio_loader(const AudioDatasetOptions& options) {
  return [rate = options.sampling_rate, length = options.output_sequence_length](const std::string& path) {
    io::Wav wav = io::decode_wav(io::read_file(path), path);
    if (rate.has_value() && wav.sampling_rate != *rate)
      invalid_argument(
          "[audio_dataset_from_directory] {} has {} samples a second, and sampling_rate is {}: recordings "
          "are not "
          "resampled",
          io::shown(path), wav.sampling_rate, *rate);
    const std::int64_t num_samples = length.value_or(wav.num_samples);
    wav.samples.resize(static_cast<std::size_t>(num_samples * wav.num_channels));
    return Element(Tensor::adopt({num_samples, wav.num_channels}, std::move(wav.samples)));
  };
}

auto text_loader(const TextDatasetOptions& options) {
  return [max_length = options.max_length](const std::string& path) {
    const std::vector<std::byte> bytes = io::read_file(path);
    std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (max_length.has_value()) text.resize(std::min(text.size(), static_cast<std::size_t>(*max_length)));
    return Element(Text(std::move(text)));
  };
}

}  // namespace

DirectoryDataset image_dataset_from_directory(const StringArgument& directory,
                                              const ImageDatasetOptions& options) {
  return one_dataset(directory, image_request(options), options.seed.has_value(), loader_of(options));
}
std::pair<DirectoryDataset, DirectoryDataset> image_datasets_from_directory(
    const StringArgument& directory, const ImageDatasetOptions& options) {
  return both_datasets(directory, image_request(options), options.seed.has_value(), loader_of(options));
}

DirectoryDataset text_dataset_from_directory(const StringArgument& directory,
                                             const TextDatasetOptions& options) {
  return one_dataset(directory, text_request(options), options.seed.has_value(), text_loader(options));
}
std::pair<DirectoryDataset, DirectoryDataset> text_datasets_from_directory(
    const StringArgument& directory, const TextDatasetOptions& options) {
  return both_datasets(directory, text_request(options), options.seed.has_value(), text_loader(options));
}

DirectoryDataset audio_dataset_from_directory(const StringArgument& directory,
                                              const AudioDatasetOptions& options) {
  return one_dataset(directory, audio_request(options), options.seed.has_value(), audio_loader(options));
}
std::pair<DirectoryDataset, DirectoryDataset> audio_datasets_from_directory(
    const StringArgument& directory, const AudioDatasetOptions& options) {
  return both_datasets(directory, audio_request(options), options.seed.has_value(), audio_loader(options));
}

}  // namespace cornu::inline v0::data
