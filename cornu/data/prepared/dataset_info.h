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

/// What dataset_info.json, features.json and the files of labels say of a prepared data set.
struct DatasetInfo {
  std::string name;
  std::string config_name;  // empty where it has none
  std::string version;
  std::string description;
  Feature features = {.kind = FeatureKind::kDict, .dtype = {}};
  /// The names of the features that as_supervised gives; empty where it gives none.
  std::vector<std::string> supervised_keys = {};
  std::vector<SplitInfo> splits = {};

  /// Errors: InvalidArgument with the splits that there are.
  const SplitInfo& split(StringViewArgument name) const;
};

/// Reads dataset_info.json, without features; `name` stands in errors.
/// Errors: DataLoss for what is no such file, and for names of files that would lie in other folders;
///         Unimplemented for files of other kinds than TFRecord.
DatasetInfo parse_dataset_info(StringViewArgument json, StringViewArgument name);

/// Examples [begin, end) of a split.
struct SplitPart {
  const SplitInfo* split;
  std::int64_t begin = 0;
  std::int64_t end = 0;
};
/// What TensorFlow Datasets' texts of splits name: "train", "train[:80%]", "train[10:20]", "test[-5%:]",
/// "train[1shard:]", "train+test", "all". Percentages are rounded to the nearest example, as there.
///
/// Lifetime: the parts', of `splits`.
/// Errors:   InvalidArgument for other texts, splits that there are not, bounds outside,
///           and for no example at all.
std::vector<SplitPart> parts_of_split(StringViewArgument spec, const std::vector<SplitInfo>& splits);

/// Where in which file they are: after `skip` examples `take`; -1: all that follow.
struct FilePart {
  std::string file_name;
  std::int64_t skip = 0;
  std::int64_t take = -1;
};
std::vector<FilePart> files_of_parts(const std::vector<SplitPart>& parts);

}  // namespace cornu::inline v0::data::tfds
