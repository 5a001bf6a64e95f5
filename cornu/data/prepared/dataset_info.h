#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/data/prepared/features.h"

namespace cornu::inline v0::data::tfds {

/// A split of a prepared data set: "train".
struct SplitInfo {
  std::string name;
  /// The number of examples in each of its files.
  std::vector<std::int64_t> shard_lengths = {};
  std::vector<std::string> file_names = {};
  std::int64_t num_examples = 0;
  std::int64_t num_bytes = 0;
};

/// The contents of dataset_info.json, features.json and the label files of a prepared data set.
struct DatasetInfo {
  std::string name;
  std::string config_name;  // empty if it has none
  std::string version;
  std::string description;
  Feature features = {.kind = FeatureKind::kDict, .dtype = {}};
  /// The names of the features for as_supervised; empty if not supported.
  std::vector<std::string> supervised_keys = {};
  std::vector<SplitInfo> splits = {};

  /// Errors: InvalidArgument with the existing splits.
  const SplitInfo& split(StringViewArgument name) const;
};

/// Parses dataset_info.json, without features; `name` is used in errors.
/// Errors: DataLoss for invalid content, and for file names that point to other folders; Unimplemented for
///         file formats other than TFRecord.
DatasetInfo parse_dataset_info(StringViewArgument json, StringViewArgument name);

/// Examples [begin, end) of a split.
struct SplitPart {
  const SplitInfo* split;
  std::int64_t begin = 0;
  std::int64_t end = 0;
};
/// Parses TensorFlow Datasets' split texts: "train", "train[:80%]", "train[10:20]", "test[-5%:]",
/// "train[1shard:]", "train+test", "all". Percentages are rounded to the nearest example, as in TensorFlow
/// Datasets.
///
/// Lifetime: `splits` must outlive the parts.
/// Errors:   InvalidArgument for other texts, unknown splits, bounds out of range, and an empty result.
std::vector<SplitPart> parts_of_split(StringViewArgument spec, const std::vector<SplitInfo>& splits);

/// A range of examples in a file: `take` examples after `skip`; take = -1: all that follow.
struct FilePart {
  std::string file_name;
  std::int64_t skip = 0;
  std::int64_t take = -1;
};
std::vector<FilePart> files_of_parts(const std::vector<SplitPart>& parts);

}  // namespace cornu::inline v0::data::tfds
