#include "cornu/data/prepared/dataset_info.h"

#include <algorithm>
#include <set>

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"
#include "cornu/data/prepared/json_support.h"
#include "cornu/io/byte_reader.h"

namespace cornu::inline v0::data::tfds {
namespace {

using nlohmann::json;
using Type = json::value_t;

constexpr const char* kTemplate = "{DATASET}-{SPLIT}.{FILEFORMAT}-{SHARD_X_OF_Y}";
// Bound the memory of the names of files, each of which is made of the template.
constexpr std::size_t kLongestName = 255;    // the limit of file systems
constexpr std::size_t kMostFiles = 100'000;  // of all splits; names have five digits for the shard

/// Checks names of data sets, configurations and splits, which become parts of file names.
void check_name(const std::string& text, const char* what, std::string_view name) {
  const bool is_plain =
      !text.empty() && text.size() <= kLongestName && text.find('/') == std::string::npos && text[0] != '.' &&
      std::none_of(text.begin(), text.end(), [](unsigned char c) { return c < ' ' || c == 0x7f; });
  if (!is_plain) io::corrupt(name, 0, fmt::format("{} \"{}\" is not a valid name", what, io::shown(text)));
}

/// Shard `index` of `count`.
std::string file_name_of(const std::string& pattern, const std::string& dataset, const std::string& split,
                         std::size_t index, std::size_t count, std::string_view name) {
  const std::pair<std::string_view, std::string> values[] = {
      {"{DATASET}", dataset},
      {"{SPLIT}", split},
      {"{FILEFORMAT}", "tfrecord"},
      {"{SHARD_INDEX}", fmt::format("{:05}", index)},
      {"{NUM_SHARDS}", fmt::format("{:05}", count)},
      {"{SHARD_X_OF_Y}", fmt::format("{:05}-of-{:05}", index, count)}};
  std::string result;
  for (std::size_t at = 0; at < pattern.size();) {
    const auto* const found = std::find_if(std::begin(values), std::end(values), [&](const auto& value) {
      return std::string_view(pattern).substr(at).starts_with(value.first);
    });
    if (found == std::end(values)) {
      result += pattern[at++];
      continue;
    }
    result += found->second;
    at += found->first.size();
  }
  check_name(result, "the file", name);
  return result;
}

/// `num_files`: the files of earlier splits.
SplitInfo parse_split(const json& object, const std::string& dataset, std::size_t num_files,
                      std::string_view name) {
  if (!object.is_object()) io::corrupt(name, 0, "a split is not an object");
  SplitInfo split{.name = text_member(object, "name", name)};
  check_name(split.name, "the split", name);
  if (const auto bytes = object.find("numBytes"); bytes != object.end())
    split.num_bytes = integer_of(*bytes, "numBytes", name);
  const json* const lengths = find_member(object, "shardLengths", Type::array, name);
  if (lengths == nullptr)
    io::corrupt(name, 0, fmt::format("the split \"{}\" has no shardLengths", io::shown(split.name)));
  std::string pattern = text_member(object, "filepathTemplate", name);
  if (pattern.empty()) pattern = kTemplate;
  if (pattern.size() > kLongestName)
    io::corrupt(name, 0, fmt::format("filepathTemplate has more than {} bytes", kLongestName));
  if (lengths->size() > kMostFiles - num_files)
    io::corrupt(name, 0, fmt::format("the splits have more than {} files", kMostFiles));
  CheckedSize sum = 0;
  for (const json& item : *lengths) {
    const std::int64_t length = integer_of(item, "a length of a shard", name);
    if (length < 0) io::corrupt(name, 0, "a negative length of a shard");
    split.file_names.push_back(
        file_name_of(pattern, dataset, split.name, split.shard_lengths.size(), lengths->size(), name));
    split.shard_lengths.push_back(length);
    sum = sum + length;
  }
  if (sum.is_beyond()) io::corrupt(name, 0, "more examples than can be counted");
  split.num_examples = sum.value("examples");
  return split;
}

std::vector<std::string> parse_supervised_keys(const json& object, std::string_view name) {
  std::vector<std::string> keys;
  const json* const given = find_member(object, "supervisedKeys", Type::object, name);
  if (given == nullptr) return keys;
  if (const json* const tuple = find_member(*given, "tuple", Type::object, name)) {
    const json* const items = find_member(*tuple, "items", Type::array, name);
    for (const json& item : items == nullptr ? json::array() : *items) {
      const std::string key = item.is_object() ? text_member(item, "featureKey", name) : "";
      if (key.empty()) return {};  // nested keys: treated as missing
      keys.push_back(key);
    }
    return keys;
  }
  keys = {text_member(*given, "input", name), text_member(*given, "output", name)};  // of older versions
  if (keys[0].empty() || keys[1].empty()) keys.clear();
  return keys;
}

}  // namespace

const SplitInfo& DatasetInfo::split(StringViewArgument wanted) const {
  std::vector<std::string_view> names;
  for (const SplitInfo& split : splits) {
    if (split.name == wanted) return split;
    names.push_back(split.name);
  }
  invalid_argument("[tfds] there is no split \"{}\"; there are {}", io::shown(wanted),
                   fmt::join(names, ", "));
}

DatasetInfo parse_dataset_info(StringViewArgument text, StringViewArgument name) {
  const json object = parse_object(text, name);
  DatasetInfo info{.name = text_member(object, "name", name),
                   .config_name = text_member(object, "configName", name),
                   .version = text_member(object, "version", name),
                   .description = text_member(object, "description", name)};
  check_name(info.name, "the data set", name);
  const std::string format = text_member(object, "fileFormat", name);
  if (!format.empty() && format != "tfrecord")
    fail(ErrorCode::kUnimplemented, "[tfds] {}: its files have the format \"{}\"; only \"tfrecord\" is read",
         io::shown(name), io::shown(format));
  info.supervised_keys = parse_supervised_keys(object, name);
  std::size_t num_files = 0;
  std::set<std::string> names;
  if (const json* const splits = find_member(object, "splits", Type::array, name))
    for (const json& split : *splits) {
      info.splits.push_back(parse_split(split, info.name, num_files, name));
      num_files += info.splits.back().file_names.size();
      if (!names.insert(info.splits.back().name).second)
        io::corrupt(name, 0, fmt::format("two splits \"{}\"", io::shown(info.splits.back().name)));
    }
  return info;
}

}  // namespace cornu::inline v0::data::tfds
