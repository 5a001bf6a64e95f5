#include "cornu/data/prepared/tfds.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>

#include "cornu/base/check.h"
#include "cornu/base/data_environment.h"
#include "cornu/data/files.h"
#include "cornu/data/prepared/example_decoder.h"
#include "cornu/data/prepared/json_support.h"
#include "cornu/io/byte_reader.h"
#include "cornu/io/random_access.h"

namespace cornu::inline v0::data::tfds {
namespace {

namespace fs = std::filesystem;

/// Reads a small file, local or remote.
std::string read_text(const std::string& path) {
  constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20;
  const io::RandomAccessPointer file = io::open_random_access(path);
  if (file->size() > kMostBytes)
    fail(ErrorCode::kResourceExhausted, "[tfds] {} has {} bytes; at most {} are read", io::shown(path),
         file->size(), kMostBytes);
  std::string text(file->size(), '\0');
  file->read(0, std::as_writable_bytes(std::span(text)));
  return text;
}

bool is_remote(const std::string& path) { return path.find("://") != std::string::npos; }

/// "3.0.1" as numbers; empty for other texts.
using Version = std::array<std::int64_t, 3>;
std::optional<Version> version_of(std::string_view text) {
  Version version = {};
  for (std::size_t i = 0; i < 3; ++i) {
    const char* const begin = text.data();
    const char* const end = begin + text.size();
    const auto [stop, error] = std::from_chars(begin, end, version[i]);
    if (error != std::errc() || stop == begin || text[0] == '-') return std::nullopt;
    text = {stop, static_cast<std::size_t>(end - stop)};
    if (i < 2 && !text.starts_with('.')) return std::nullopt;
    if (i < 2) text.remove_prefix(1);
  }
  return text.empty() ? std::optional(version) : std::nullopt;
}

/// True if a pattern such as "3.*.*" matches "3.0.1".
bool fits(std::string_view pattern, std::string_view version) {
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string_view wanted = pattern.substr(0, pattern.find('.')),
                           part = version.substr(0, version.find('.'));
    if (wanted != "*" && wanted != part) return false;
    pattern.remove_prefix(std::min(pattern.size(), wanted.size() + 1));
    version.remove_prefix(std::min(version.size(), part.size() + 1));
  }
  return pattern.empty();
}

std::vector<std::string> folders_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code ignored;
    const std::string name = entry->path().filename().string();
    if (entry->is_directory(ignored) && !name.starts_with(".")) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// The newest folder that is a matching version; empty if there is none.
std::string newest_version(const std::vector<std::string>& folders, const std::string& wanted) {
  std::string newest;
  for (const std::string& folder : folders)
    if (version_of(folder).has_value() && (wanted.empty() || fits(wanted, folder)) &&
        (newest.empty() || *version_of(folder) > *version_of(newest)))
      newest = folder;
  return newest;
}

/// Lists the folders in `directory`, for messages.
std::string contents_of(const std::string& directory) {
  std::error_code ignored;
  if (!fs::is_directory(directory, ignored))
    return fmt::format("there is no folder {} either", io::shown(directory));
  const std::vector<std::string> names = folders_in(directory);
  if (names.empty()) return fmt::format("{} has no data sets", io::shown(directory));
  return fmt::format("{} has {}", io::shown(directory), fmt::join(names, ", "));
}

bool has_versions(const fs::path& folder) {
  for (const std::string& name : folders_in(folder))
    if (version_of(name).has_value()) return true;
  return false;
}

/// The default configuration of a data set with configurations in `folder`.
std::string default_config(const fs::path& folder) {
  const fs::path file = folder / ".config" / "metadata.json";
  std::error_code ignored;
  if (fs::is_regular_file(file, ignored)) {
    const std::string config = text_member(parse_object(read_text(file.string()), file.string()),
                                           "default_config_name", file.string());
    if (!config.empty() && config.find('/') == std::string::npos && config[0] != '.') return config;
  }
  std::vector<std::string> configs;
  for (const std::string& name : folders_in(folder))
    if (has_versions(folder / name)) configs.push_back(name);
  if (configs.size() == 1) return configs[0];
  fail(ErrorCode::kNotFound, "[tfds] {} has {}: name one of them, \"{}/CONFIG\"", io::shown(folder.string()),
       configs.empty() ? "no version" : fmt::format("the configurations {}", fmt::join(configs, ", ")),
       folder.filename().string());
}

/// The folder or address of NAME[/CONFIG][:VERSION].
std::string directory_of(const std::string& name, const std::string& data_dir) {
  const std::size_t colon = name.find(':');
  const std::string version = colon == std::string::npos ? "" : name.substr(colon + 1),
                    path = name.substr(0, colon);
  if (path.empty() || path.starts_with('/') || path.find("..") != std::string::npos ||
      (!version.empty() && !fits(version, version)))
    invalid_argument(
        {.argument = "name"},
        "[tfds] \"{}\" is not a name of a data set: write NAME, NAME/CONFIG or NAME/CONFIG:VERSION",
        io::shown(name));
  if (is_remote(data_dir)) {
    if (!version_of(version).has_value())
      invalid_argument(
          {.argument = "name"},
          "[tfds] folders cannot be listed over the network: name configuration and version, as in "
          "\"mnist:3.0.1\"; got \"{}\"",
          io::shown(name));
    return fmt::format("{}/{}/{}", data_dir, path, version);
  }
  fs::path folder = fs::path(data_dir) / path;
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored))
    fail(ErrorCode::kNotFound,
         "[tfds] there is no {}; {}. Nothing is downloaded: prepare it with tensorflow_datasets, or name the "
         "folder that has it with data_dir or TFDS_DATA_DIR",
         io::shown(folder.string()), contents_of(data_dir));
  if (!has_versions(folder)) folder /= default_config(folder);
  const std::vector<std::string> versions = folders_in(folder);
  const std::string newest = newest_version(versions, version);
  if (newest.empty())
    fail(ErrorCode::kNotFound, "[tfds] {} has no version{}; it has {}", io::shown(folder.string()),
         version.empty() ? "" : " " + version,
         versions.empty() ? "none" : fmt::format("{}", fmt::join(versions, ", ")));
  return (folder / newest).string();
}

/// Reads the names of classes, one a line, from a feature's "label.labels.txt".
void read_class_names(const std::string& directory, Feature& feature, const std::string& file_name) {
  for (std::size_t i = 0; i < feature.parts.size(); ++i) {
    std::string part = feature.names[i];
    std::replace(part.begin(), part.end(), '/', '.');
    read_class_names(directory, feature.parts[i], file_name.empty() ? part : file_name + "-" + part);
  }
  if (feature.kind != FeatureKind::kClassLabel) return;
  const std::string path = fmt::format("{}/{}.labels.txt", directory, file_name);
  std::string text;
  try {
    text = read_text(path);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kNotFound) throw;
    return;  // its classes have no names
  }
  constexpr const char* kSpaces = " \t\r\v\f";
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    line.erase(0, line.find_first_not_of(kSpaces));
    line.erase(line.find_last_not_of(kSpaces) + 1);
    if (!line.empty()) feature.class_names.push_back(std::move(line));
    begin = end + 1;
  }
  if (feature.num_classes == 0) feature.num_classes = std::ssize(feature.class_names);
  if (feature.num_classes != std::ssize(feature.class_names))
    io::corrupt(path, 0,
                fmt::format("{} names for the {} classes of \"{}\"", feature.class_names.size(),
                            feature.num_classes, io::shown(feature.path)));
}

/// The records of files in the order of tfds.load.
Dataset records_of(const std::vector<FilePart>& files, const std::string& directory,
                   const LoadOptions& options) {
  std::vector<std::string> paths;
  std::vector<std::int64_t> skips, takes;
  for (const FilePart& file : files) {
    paths.push_back(directory + "/" + file.file_name);
    skips.push_back(file.skip);
    takes.push_back(file.take);
  }
  Dataset parts = Dataset::from_tensor_slices({paths, skips, takes});
  if (options.shuffle_files) parts = parts.shuffle(std::ssize(files), {.seed = options.seed});
  return parts.interleave([](const std::string& path, std::int64_t skip,
                             std::int64_t take) { return TFRecordDataset(path).skip(skip).take(take); },
                          {.cycle_length = 16, .block_length = 16});
}

Dataset supervised(const Dataset& dataset, const DatasetInfo& info) {
  if (info.supervised_keys.empty())
    invalid_argument({.argument = "as_supervised"}, "[tfds] {} does not define its inputs and labels",
                     info.name);
  for (const std::string& key : info.supervised_keys) info.features.at(key);
  return dataset.map([keys = info.supervised_keys](const Element& element) {
    std::vector<Element> parts;
    parts.reserve(keys.size());
    for (const std::string& key : keys) parts.push_back(element[key]);
    return Element(std::move(parts));
  });
}

}  // namespace

DatasetInfo info_from_directory(const StringArgument& directory) {
  const std::string info_path = directory + "/dataset_info.json",
                    features_path = directory + "/features.json";
  DatasetInfo info = parse_dataset_info(read_text(info_path), info_path);
  info.features = parse_features(read_text(features_path), features_path);
  read_class_names(directory, info.features, "");
  return info;
}

PreparedDataset load_from_directory(const StringArgument& directory, const LoadOptions& options) {
  DatasetInfo info = info_from_directory(directory);
  const std::vector<SplitPart> parts = parts_of_split(options.split, info.splits);
  std::int64_t count = 0;
  for (const SplitPart& part : parts) count += part.end - part.begin;
  const ExampleDecoder decode(info.features, fmt::format("{} in {}", options.split, directory));
  Dataset dataset = records_of(files_of_parts(parts), directory, options)
                        .assert_cardinality(count)
                        .map(decode, {.num_parallel_calls = kAutotune});
  if (options.as_supervised) dataset = supervised(dataset, info);
  if (options.batch_size.has_value()) dataset = dataset.batch(*options.batch_size);
  return {dataset.prefetch(kAutotune), std::move(info)};
}

PreparedDataset load(const StringArgument& name, const LoadOptions& options) {
  std::string data_dir = options.data_dir;
  if (data_dir.empty()) {
    const std::optional<std::string> usual = environment::tfds_data_dir();
    if (!usual.has_value())
      invalid_argument(
          {.argument = "data_dir"},
          "[tfds] data_dir must name the folder of the data sets, because HOME is not an absolute path");
    data_dir = *usual;
  }
  return load_from_directory(directory_of(name, data_dir), options);
}

}  // namespace cornu::inline v0::data::tfds
