#include <string>

#include "cornu/base/error.h"
#include "cornu/data/prepared/dataset_info.h"
#include "cornu/data/prepared/example_decoder.h"
#include "tests/fuzz/target.h"

namespace cornu::inline v0::fuzz {
namespace {

const data::tfds::Feature& features_of_records() {
  static const data::tfds::Feature features = data::tfds::parse_features(
      R"({"featuresDict": {"features": {
        "grid": {"tensor": {"dtype": "int16", "shape": {"dimensions": ["2", "3"]}}},
        "kinds": {"sequence": {"feature": {"classLabel": {"numClasses": "3"}}, "length": "-1"}, "pythonClassName": "x.Sequence"},
        "meta": {"featuresDict": {"features": {"id": {"text": {}}, "flag": {"tensor": {"dtype": "bool"}}}}},
        "rows": {"tensor": {"dtype": "float64", "shape": {"dimensions": ["-1", "2"]}}},
        "tags": {"sequence": {"feature": {"text": {}}, "length": "-1"}, "pythonClassName": "x.Sequence"}}}})",
      "features");
  return features;
}

/// The first byte says what the others are: features.json, dataset_info.json, a record,
/// or the text of a split.
void prepared_once(Bytes bytes) {
  if (bytes.empty()) return;
  const std::string text(reinterpret_cast<const char*>(bytes.data()) + 1, bytes.size() - 1);
  switch (std::to_integer<char>(bytes[0])) {
    case 'f': data::tfds::parse_features(text, "input"); return;
    case 'i': {
      const data::tfds::DatasetInfo info = data::tfds::parse_dataset_info(text, "input");
      for (const data::tfds::SplitInfo& split : info.splits)
        for (const std::string& file : split.file_names)
          require(file.find('/') == std::string::npos, "a file in another folder");
      return;
    }
    case 'r': {
      static const data::tfds::ExampleDecoder decode(features_of_records(), "input");
      decode(data::Text(text));
      return;
    }
    case 's': {
      static const std::vector<data::tfds::SplitInfo> splits = {
          {.name = "train", .shard_lengths = {5, 0, 7}, .file_names = {"a", "b", "c"}, .num_examples = 12},
          {.name = "test", .shard_lengths = {3}, .file_names = {"d"}, .num_examples = 3}};
      for (const data::tfds::SplitPart& part : data::tfds::parts_of_split(text, splits))
        require(0 <= part.begin && part.begin < part.end && part.end <= part.split->num_examples,
                "a part outside");
      return;
    }
    default: return;
  }
}

}  // namespace

void prepared(Bytes bytes) {
  try {
    prepared_once(bytes);
  } catch (const Error& error) {
    const ErrorCode code = error.code();
    require(code == ErrorCode::kDataLoss || code == ErrorCode::kInvalidArgument ||
                code == ErrorCode::kUnimplemented || code == ErrorCode::kResourceExhausted,
            error.what());
  }
}

}  // namespace cornu::inline v0::fuzz
